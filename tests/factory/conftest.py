"""Trainings as the reference cases say."""

import pytest

import pytmva_bnn as TMVA


def train(case, options=""):
    """Return the Factory after a training as the case says."""
    booked = case.booked
    loader = TMVA.DataLoader("dataset")
    for add, key in (
        (loader.AddVariable, "variables"),
        (loader.AddSpectator, "spectators"),
        (loader.AddTarget, "targets"),
    ):
        for declared in booked.get(key, ()):
            add(*([declared] if isinstance(declared, str) else declared))
    data = case.folder.parent.parent / "data" / booked["data"]
    for class_name, tree, weight in booked["trees"]:
        loader.AddTree(f"{data}:{tree}", class_name, weight)
        if "weight" in booked:
            loader.SetWeightExpression(booked["weight"], class_name)
    loader.PrepareTrainingAndTestTree(booked.get("cut", ""), booked["prepare"])
    analysis = booked.get("analysis", "Classification")
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:AnalysisType={analysis}{options}")
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", booked["options"])
    factory.TrainAllMethods()
    return factory


@pytest.fixture(scope="session")
def train_case():
    return train
