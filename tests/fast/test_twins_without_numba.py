"""Without numba numpy prepares the events, and the kernels are plain Python that gives the same bits."""

import os
import subprocess
import sys

HEAD = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in ('numba', 'llvmlite'):
            raise ImportError(name)
sys.meta_path.insert(0, Missing())
import os, numpy as np, pytmva_bnn as TMVA
from pytmva_bnn.fast import (switch)
from pytmva_bnn.options import (parse_var_transform)
from pytmva_bnn.transform import (Quantity)
from pytmva_bnn.transform.fit_chain import (TrainingEvents, fit_chain)

def prepared(n):
    rng = np.random.default_rng(1)
    loader = TMVA.DataLoader('dataset')
    for name in 'xy':
        loader.AddVariable(name)
    loader.AddSignalTree({name: rng.normal(size=n) for name in 'xy'})
    loader.AddBackgroundTree({name: rng.exponential(size=n) for name in 'xyw'})
    loader.SetBackgroundWeightExpression('w')
    loader.PrepareTrainingAndTestTree('', 'SplitMode=Random')
    events = loader.training
    found = [events.variables, events.weights, events.class_index]
    known = TrainingEvents(events.variables, events.class_index, events.weights)
    quantities = [Quantity('Variable', name, name) for name in 'xy']
    for chain in ('N,D', 'P', 'G', 'U,D'):
        fitted = fit_chain(parse_var_transform(chain), known, class_names=loader.dataset.class_names,
                           variables=quantities)
        found.append(fitted.forward_training(events.variables)[0])
    return found
"""


def run(script, **environment):
    given = {**os.environ, "PYTMVA_BNN_FAST": "auto", **environment}
    result = subprocess.run(  # noqa: S603
        [sys.executable, "-c", HEAD + script], capture_output=True, text=True, check=False, env=given
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_numpy_does_it_however_large_the_job_is():
    script = "switch._installed = lambda: False\nprint(len(prepared(60_000)), 'numba' in sys.modules)"
    assert run(script) == "7 False"


def test_kernels_in_plain_python_give_the_bits_of_numpy():
    script = """
switch._installed = lambda: True  # so that the kernels are used, as what they are without numba
found = {}
for fast in '01':
    os.environ['PYTMVA_BNN_FAST'] = fast
    found[fast] = prepared(300)
print(all(a.tobytes() == b.tobytes() for a, b in zip(found['0'], found['1'], strict=True)))
"""
    assert run(script) == "True"
