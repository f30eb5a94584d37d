"""The methods of TMVA, each in a folder of its own behind one protocol."""
