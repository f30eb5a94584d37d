"""Methods that estimate the densities of signal and background."""
