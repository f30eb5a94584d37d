"""The training of an SVM: sequential minimal optimisation."""
