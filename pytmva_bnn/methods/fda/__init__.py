"""FDA: a formula of the variables whose parameters are fitted."""
