"""Compiled code of the SVM: kernels, responses, training."""
