"""XML as TMVA reads and writes it: typed access to elements, and lines in its formats."""
