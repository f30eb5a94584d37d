"""The multilayer perceptron with its Bayesian extension."""
