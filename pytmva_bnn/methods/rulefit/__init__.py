"""RuleFit: a sum of cuts, taken from decision trees, and of linear terms."""
