"""TMVA's deep networks, DL and DNN: reading, responses and writing; they are trained elsewhere."""
