"""Calls of TMVA that do not exist here: an error names them and says what there is instead."""

from __future__ import annotations

from typing import Any

from pytmva_bnn.compat.errors import NotInCompatError, public_names

ADVICE = {
    "EvaluateAllVariables": "it does not work in TMVA either; method.ranking tells which variables matter",
    "DrawCorrelationMatrix": "loader.training.variables has the events; numpy.corrcoef gives their correlations",
    "DrawInputVariable": "loader.training.variables has the events; or make all plots with TMVA.TMVAGui(file)",
    "DrawROCCurve": "GetROCCurve(loader, title) gives the points; or make all plots with TMVA.TMVAGui(file)",
    "DrawOutputDistribution": "make all plots with TMVA.TMVAGui(file)",
    "DrawProbabilityDistribution": "make all plots with TMVA.TMVAGui(file)",
    "DrawCutEfficiencies": "make all plots with TMVA.TMVAGui(file)",
    "DrawNeuralNetwork": "make all plots with TMVA.TMVAGui(file)",
    "BookDNN": "deep networks are only read here: book an MLP",
    "GetDataSet": "loader.training and loader.test have the events as arrays: variables, targets, weights, class_index",
    "GetDataSetManager": "loader.training and loader.test have the events as arrays",
    "GetDataSetInfo": "loader.GetDataSetInfo() has the variables and classes",
    "CorrelationMatrix": "loader.training.variables has the events; numpy.corrcoef gives their correlations",
    "CreateCorrelationMatrixHist": "loader.training.variables has the events; numpy.corrcoef gives their correlations",
    "MakeKFoldDataSet": "use TMVA.CrossValidation",
    "PrepareFoldDataSet": "use TMVA.CrossValidation",
    "VarTransform": "transformations are options of the method: VarTransform=N",
    "TestRegression": "method.evaluate().test and .training have the numbers",
    "GetFactory": "GetResults() has the folds, each with its evaluation and weight file",
    "GetCvFactory": "GetResults() has the folds, each with its evaluation and weight file",
}
"""What there is instead."""


class MissingCalls:
    """Mixed into TMVA's classes: a call that does not exist is told with what to do instead.

    >>> class Factory(MissingCalls):
    ...     def TrainAllMethods(self): ...
    >>> Factory().TrainAllMethod()
    Traceback (most recent call last):
    pytmva_bnn.compat.errors.NotInCompatError: Factory.TrainAllMethod does not exist in pytmva_bnn.compat: did you mean
    TrainAllMethods?
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if hasattr(type(self), name):  # a property that has failed: its own error says more
            return object.__getattribute__(self, name)
        owner = type(self).__name__.removeprefix("Macro")
        if name in ADVICE:  # rather than a name that happens to be similar
            raise NotInCompatError.of(owner, name, (), ADVICE[name])
        raise NotInCompatError.of(owner, name, public_names(self), "docs/porting.md lists what is available")
