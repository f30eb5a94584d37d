"""SVM: a border between signal and background that few training events, the support vectors, define."""
