"""Weight files of deep networks, made by hand."""

from __future__ import annotations

import numpy as np
import pytest

HEAD = """\
<?xml version="1.0"?>
<MethodSetup Method="{kind}::net">
  <GeneralInfo>
    <Info name="TMVA Release" value="4.2.1 [262657]"/>
    <Info name="ROOT Release" value="6.30/02 [400898]"/>
    <Info name="Creator" value="user"/>
    <Info name="Date" value="Mon Nov 16 16:36:00 2026"/>
    <Info name="Host" value="Linux host 6.1.0 x86_64 GNU/Linux"/>
    <Info name="Dir" value="/home/user/analysis"/>
    <Info name="Training events" value="2000"/>
    <Info name="TrainingTime" value="2.28379965e-01"/>
    <Info name="AnalysisType" value="{analysis}"/>
  </GeneralInfo>
  <Options>
    <Option name="V" modified="Yes">False</Option>
    <Option name="Layout" modified="Yes">TANH|128,LINEAR</Option>
  </Options>
  <Variables NVar="{n}">
{variables}  </Variables>
  <Spectators NSpec="0"/>
{classes}  <Transformations NTransformations="0"/>
  <MVAPdfs/>
"""
VARIABLE = (
    '    <Variable VarIndex="{i}" Expression="x{i}" Label="x{i}" Title="x{i}" Unit="" Internal="x{i}" Type="F" '
    'Min="-1.00000000e+00" Max="1.00000000e+00"/>\n'
)
NAMES = {"Classification": ("Signal", "Background"), "Multiclass": ("a", "b", "c")}


def matrix_lines(name, matrix, form="%.9e", separator="  ", rows="Rows", columns="Columns"):
    numbers = "".join(form % value + separator for value in np.ravel(matrix))
    return f'      <{name} {rows}="{len(matrix)}" {columns}="{matrix.shape[1]}">\n        {numbers}\n      </{name}>\n'


def layer_lines(tag, attributes, matrices, **how):
    inside = "".join(matrix_lines(name, matrix, **how) for name, matrix in matrices.items())
    start = f"    <{tag}" + "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"{start}>\n{inside}    </{tag}>\n" if inside else f"{start}/>\n"


@pytest.fixture(scope="session")
def head_of():
    """Return the beginning of a weight file."""

    def head(kind, n, analysis, n_targets=1):
        variables = "".join(VARIABLE.format(i=i) for i in range(n))
        if analysis == "Regression":
            targets = "".join(
                f'    <Target TargetIndex="{i}" Expression="t{i}" Label="t{i}" Title="t{i}" Unit="" Internal="t{i}" '
                'Type="F" Min="0.00000000e+00" Max="1.00000000e+00"/>\n'
                for i in range(n_targets)
            )
            classes = (
                '  <Classes NClass="1">\n    <Class Name="Regression" Index="0"/>\n  </Classes>\n'
                f'  <Targets NTrgt="{n_targets}">\n{targets}  </Targets>\n'
            )
        else:
            names = NAMES[analysis]
            listed = "".join(f'    <Class Name="{name}" Index="{i}"/>\n' for i, name in enumerate(names))
            classes = f'  <Classes NClass="{len(names)}">\n{listed}  </Classes>\n'
        return HEAD.format(kind=kind, analysis=analysis, n=n, variables=variables, classes=classes)

    return head


@pytest.fixture(scope="session")
def dl_file(head_of):
    """Return ``dl_file(input shape, layers, ...)``: a file of DL with layers ``(tag, attributes, matrices)``."""

    def file(shape, layers, analysis="Classification", output="S", n_targets=1, **how):
        depth, height, width = shape
        weights = (
            f'  <Weights NetDepth="{len(layers)}" InputDepth="{depth}" InputHeight="{height}" InputWidth="{width}" '
            f'BatchSize="1" BatchDepth="1" BatchHeight="100" BatchWidth="{width}" LossFunction="C" Initialization="F" '
            f'Regularization="0" OutputFunction="{output}" WeightDecay="0.00000000e+00">\n'
        )
        content = "".join(layer_lines(*layer, **how) for layer in layers)
        head = head_of("DL", depth * height * width, analysis, n_targets)
        return f"{head}{weights}{content}  </Weights>\n</MethodSetup>\n"

    return file


@pytest.fixture(scope="session")
def dnn_file(head_of):
    """Return a file of DNN with layers ``(activation, weights, biases)``."""

    def file(layers, analysis="Classification", output="S"):
        n = layers[0][1].shape[1]
        how = {"form": "%.16e", "separator": " ", "rows": "rows", "columns": "cols"}
        content = "".join(
            layer_lines("Layer", {"ActivationFunction": code}, {"Weights": w, "Biases": b}, **how)
            for code, w, b in layers
        )
        weights = f'  <Weights InputWidth="{n}" Depth="{len(layers)}" LossFunction="C" OutputFunction="{output}">\n'
        return f"{head_of('DNN', n, analysis)}{weights}{content}  </Weights>\n</MethodSetup>\n"

    return file
