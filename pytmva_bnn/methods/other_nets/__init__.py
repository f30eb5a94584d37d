"""TMVA's networks beside the MLP: TMlpANN, CFMlpANN, and the deep networks DL and DNN."""
