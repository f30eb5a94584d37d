"""Boosted decision trees: forests read, trained and applied with TMVA's numbers."""
