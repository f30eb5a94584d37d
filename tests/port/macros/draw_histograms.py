import ROOT

f = ROOT.TFile("tmva_class_example.root")
signal, background = f.Get("TreeS"), f.Get("TreeB")
hs = ROOT.TH1F("hs", "signal", 20, -5, 5)
hb = ROOT.TH1F("hb", "background", 20, -5, 5)
signal.Draw("var1+var2>>hs", "var3>0", "goff")
background.Draw("var1+var2>>hb", "weight*(var3>0)", "goff")
n = signal.GetEntries("var1>0 && var2>0")
print(f"{n} selected, means {hs.GetMean():.4f} and {hb.GetMean():.4f}, max {signal.GetMaximum('var4'):.3f}")
for i in range(1, 21):
    if hs.GetBinContent(i) >= 20:
        print(f"{i:2d} {hs.GetBinContent(i):6.1f} {hb.GetBinContent(i):6.2f} {hs.GetBinCenter(i):5.2f}")
out = ROOT.TFile("draw_histograms.root", "RECREATE")
hs.Write()
hb.Write("background")
ratio = hs.Clone("ratio")
ratio.Divide(hb)
ratio.Write()
out.Close()
