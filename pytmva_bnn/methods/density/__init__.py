"""Methods that estimate densities from the training events."""
