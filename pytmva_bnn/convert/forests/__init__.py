"""Forests of scikit-learn, XGBoost and LightGBM as weight files of TMVA, and TMVA's as models of XGBoost."""
