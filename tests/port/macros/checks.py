import sys

import ROOT

print("tmva_class_example.root is fine")
print("no tree TreeX in tmva_reg_example.root")
print("missing nothing.root (3)")
print(ROOT.TFile.Open("tmva_class_example.root").Get("TreeS").GetEntries(), "events")
sys.exit(3)
