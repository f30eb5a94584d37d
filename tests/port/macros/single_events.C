// events given one by one; old CINT style with a helper
#if defined(__CINT__) && !defined(__MAKECINT__)
#error "compile me"
#endif
#include "TMVA/Factory.h"
#include "TRandom3.h"

static const int NEV = 60;
TRandom3 rnd(4711);
double shift[2] = {0.5, -0.5};

void fillEvents(TMVA::DataLoader* loader, bool isSignal, int n)
{
   std::vector<Double_t> vars( 2 ); // vector has size of number of input variables
   for (int i = 0; i < n; i++) {
      double s = isSignal ? shift[0] : shift[1];
      vars[0] = rnd.Uniform(-1, 1) + s;
      vars[1] = rnd.Rndm() * s - 1.0/3;
      // the first half trains
      if (i < n/2.0) {
         if (isSignal) loader->AddSignalTrainingEvent( vars, 1.0 );
         else          loader->AddBackgroundTrainingEvent( vars, 1.0 );
      }
      else {
         if (isSignal) loader->AddSignalTestEvent( vars, 1.0 );
         else          loader->AddBackgroundTestEvent( vars, 1.0 );
      }
   }
}

void single_events()
{
   TMVA::DataLoader *dl = new TMVA::DataLoader("single");
   dl->AddVariable("x"); dl->AddVariable("y", 'F');
   fillEvents(dl, true, NEV);
   fillEvents(dl, false, NEV);
   dl->PrepareTrainingAndTestTree("", "SplitMode=Random:!V");
   int ntry = 0;
   do {
      ntry++;
   } while (ntry < 3 && NEV > 0);
   TMVA::Factory *fac = new TMVA::Factory("single", Form("!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification"));
   TString title = "MLP";
   title += ntry;
   fac->BookMethod(dl, TMVA::Types::kMLP, title, "!H:!V:NCycles=4:HiddenLayers=3:NeuronType=tanh:VarTransform=N");
   fac->TrainAllMethods();
}
