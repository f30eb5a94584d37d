"""DL and DNN as methods: their options and reading."""

from __future__ import annotations

import logging
import math
from typing import ClassVar

from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.methods.other_nets.deep import xml as deep_xml
from pytmva_bnn.methods.other_nets.deep.fitted import FittedDeep
from pytmva_bnn.methods.other_nets.deep.layers import Layer
from pytmva_bnn.methods.other_nets.deep.option_table import DL_OPTIONS, DNN_OPTIONS
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.options import Option
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile
from pytmva_bnn.xmlio import reading as xml

log = logging.getLogger("pytmva_bnn.DL")


class Deep(Method):
    """What DL and DNN have in common."""

    dialect: ClassVar[deep_xml.Dialect]
    records: ClassVar[tuple[type, ...]] = (FittedDeep, Layer, deep_xml.NumberFormat)

    def train(self, job: TrainingJob) -> FittedDeep:
        """Raise an InputError: booking does so before."""
        raise InputError(f"{job.title}: {self.read_only}")

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedDeep:
        """Read the network."""
        del how
        if section.words is not None:
            raise WeightFileError(f"TMVA 3.9 had no {self.kind}, so it has no text files")
        weights = section.element
        attributes, layers, numbers = deep_xml.read_network(weights, self.dialect)
        is_classification = head.analysis_type == AnalysisType.CLASSIFICATION
        fitted = FittedDeep(self.kind, attributes, layers, numbers, is_classification)
        n_variables, n_inputs = len(head.variables), math.prod(fitted.shapes[0])
        if n_inputs != n_variables:
            xml.fail(weights, f"the network has {n_inputs} inputs for {n_variables} variables")
        is_regression = head.analysis_type == AnalysisType.REGRESSION
        expected = len(head.targets) if is_regression else len(head.classes) or fitted.n_outputs
        if not is_classification and fitted.n_outputs != expected:
            what = "targets" if is_regression else "classes"
            xml.fail(weights, f"the network has {fitted.n_outputs} outputs for {expected} {what}")
        if any(layer.numbers.get("RememberState") for layer in layers):
            log.warning(
                "%s: RememberState: in TMVA a response depends on the preceding events; here each event is independent",
                head.title,
            )
        return fitted


class DL(Deep):
    """TMVA's DL."""

    kind: ClassVar[str] = "DL"
    options: ClassVar[tuple[Option, ...]] = DL_OPTIONS
    dialect: ClassVar[deep_xml.Dialect] = deep_xml.DL
    read_only: ClassVar[str] = (
        "deep networks (DL) are read and evaluated here, but not trained: book an MLP instead, e.g. "
        "(TMVA.Types.kMLP, 'MLP', 'NeuronType=tanh:VarTransform=N:HiddenLayers=N+5:TrainingMethod=BFGS')"
    )


class DNN(Deep):
    """TMVA's DNN, the predecessor of DL."""

    kind: ClassVar[str] = "DNN"
    options: ClassVar[tuple[Option, ...]] = DNN_OPTIONS
    dialect: ClassVar[deep_xml.Dialect] = deep_xml.DNN
    read_only: ClassVar[str] = DL.read_only.replace("DL", "DNN")
