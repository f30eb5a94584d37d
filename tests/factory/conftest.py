"""Trainings as the reference cases say."""

from functools import cache

import pytest

import pytmva_bnn as TMVA


def train(case):
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
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:AnalysisType={analysis}")
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", booked["options"])
    factory.TrainAllMethods()
    return factory


@pytest.fixture(scope="session")
def trained_case(tmp_path_factory):
    """Return the Factory that has trained as a case says, and the folder of its files; each case trains once."""

    @cache
    def trained(case):
        folder = tmp_path_factory.mktemp(case.name)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            return train(case), folder

    return trained


@pytest.fixture(scope="session")
def train_case(trained_case):
    return lambda case: trained_case(case)[0]
