std::vector<float> v;
v.push_back(0.7);
v.push_back--------------------------------------------------(1e-3);
double sum = 0;
for (auto x : v) sum += x;
std::cout << std::setprecision(12) << sum << std::endl;

