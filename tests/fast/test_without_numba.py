"""Without numba everything works by numpy, and the kernels are plain Python that gives the same numbers."""

import subprocess
import sys

import pytest

HEAD = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in ('numba', 'llvmlite'):
            raise ImportError(name)
sys.meta_path.insert(0, Missing())
import importlib.util, numpy as np, pytmva_bnn as TMVA
from pytmva_bnn.fast import (switch)
switch._installed = lambda: False
"""


def run(script, **environment):
    import os

    given = {**os.environ, "PYTMVA_BNN_FAST": "auto", **environment}
    result = subprocess.run(  # noqa: S603
        [sys.executable, "-c", HEAD + script], capture_output=True, text=True, check=False, env=given
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_predictions_and_event_loops_work():
    script = """
import array
record = np.load('xml_fixtures/cases/fakerate_bnn/expected.npz')
model = TMVA.load('xml_fixtures/cases/fakerate_bnn/weights.xml')
value, lower, upper = model.predict(np.tile(record['inputs'], (2000, 1)), errors=True)
np.testing.assert_allclose(value[:len(record['mva'])], record['mva'], rtol=1e-13)
reader = TMVA.Reader('!Color:!Silent:Error')
memory = [array.array('f', [x]) for x in record['inputs'][0]]
for name, one in zip(('pt', 'ht'), memory): reader.AddVariable(name, one)
reader.BookMVA('mlp', 'xml_fixtures/cases/fakerate_bnn/weights.xml')
for _ in range(600): y = reader.EvaluateMVA('mlp')
assert abs(y / record['mva'][0] - 1) < 1e-13
print('numba' in sys.modules)
"""
    assert run(script) == "False"


def test_training_works():
    script = """
from pytmva_bnn.methods.mlp.training import (Sample, TrainingSettings, initial_network, train)
from pytmva_bnn.random import (TRandom3)
rng = np.random.default_rng(0)
x = rng.normal(size=(6000, 2))
sample = Sample.of(x, (x[:, 0] > 0).astype(float))
result = train(initial_network([2, 10, 1], TRandom3(1)), sample, sample, TrainingSettings(n_cycles=5))
print(result.n_epochs)
"""
    assert run(script) == "5"


def test_asking_for_compiled_code_tells_what_to_install():
    script = """
from pytmva_bnn.errors import (MissingDependencyError)
try:
    TMVA.load('xml_fixtures/cases/fakerate_bnn/weights.xml').predict([[1.0, 2.0]])
except MissingDependencyError as error:
    print(error)
"""
    assert "PYTMVA_BNN_FAST=1 needs numba: install it with  pip install 'pytmva-bnn[fast]'" in run(
        script, PYTMVA_BNN_FAST="1"
    )


@pytest.mark.parametrize("hidden", ["tanh", "sigmoid", "ReLU", "radial", "fast tanh"])
def test_kernels_in_plain_python_give_the_numbers_of_numpy(hidden):
    script = f"""
from pytmva_bnn.transform.compiled import Steps
from pytmva_bnn.methods.mlp.kernels.factor import (Factors)
from pytmva_bnn.methods.mlp.kernels.responses import (outputs, with_errors)
from pytmva_bnn.methods.mlp.kernels import (training)
from pytmva_bnn.methods.mlp.training import (Sample)
from pytmva_bnn.methods.mlp.network import (Network, propagate, output_sensitivities)
rng = np.random.default_rng(0)
net = Network.from_matrices([rng.normal(size=(3, 4)), rng.normal(size=(5, 1))], hidden={hidden!r})
x = rng.normal(size=(5, 2)).astype(np.float32)
passed = propagate(net, x)
sample = Sample.of(x, np.ones(5))
np.testing.assert_allclose(outputs(net, x, Steps.none())[:, 0], passed.values[-1][0], rtol=1e-13)
s = output_sensitivities(net, passed)
found = with_errors(net, x, Steps.none(), Factors.of((np.eye(17),)))
np.testing.assert_allclose(found.variance[:, 0], (s * s).sum(axis=1), rtol=1e-12)
matrix = training.gauss_newton(net, sample, 0, weighted=False, in_order=True)
y = passed.values[-1][0]
np.testing.assert_allclose(matrix, (s.T * (y * (1 - y))) @ s, rtol=1e-11, atol=1e-14)
error, gradient = training.error_and_gradient(net, sample, entropy=True)
np.testing.assert_allclose(error, -np.log(y).sum(), rtol=1e-13)
np.testing.assert_allclose(gradient, s.T @ (y - 1), rtol=1e-11, atol=1e-14)
print('same')
"""
    assert run(script) == "same"
