"""The training of a forest: sample, growing, boosting, pruning."""
