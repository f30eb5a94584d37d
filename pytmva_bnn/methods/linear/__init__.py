"""Methods that need no iteration: Fisher and LD (a linear function of the variables), HMatrix (two χ²)."""
