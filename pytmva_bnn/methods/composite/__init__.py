"""Methods that are made of other methods."""
