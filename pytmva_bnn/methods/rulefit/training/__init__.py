"""Training of RuleFit: forest, rules, linear terms, and the path of their coefficients."""
