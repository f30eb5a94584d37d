"""Other ways to run, and to train, such a network; each is None where its library is not installed."""

from __future__ import annotations

import re
import subprocess
import tempfile
import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import numpy as np

from benchmarks.measure import Function
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import Sample

LIBRARIES = ("sklearn", "onnxruntime", "torch", "laplace", "ROOT")


def installed(*names: str) -> bool:
    """Tell whether these libraries can be imported."""
    return all(find_spec(name) is not None for name in names)


def scikit_learn(network: Network, x: np.ndarray) -> Function | None:
    """Return scikit-learn's evaluation of the network in float64."""
    if not installed("sklearn"):
        return None
    peer = import_module("sklearn.neural_network").MLPClassifier(
        (network.layer_sizes[1],), activation="tanh", max_iter=1
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer.fit(np.random.default_rng(0).normal(size=(20, x.shape[1])), [0, 1] * 10)
    peer.coefs_ = [matrix[:-1] for matrix in network.matrices]
    peer.intercepts_ = [matrix[-1] for matrix in network.matrices]
    wide = x.astype(np.float64)
    return lambda: peer.predict_proba(wide)


def onnx_runtime(network: Network, x: np.ndarray, threads: int) -> Function | None:
    """Return onnxruntime's evaluation of the network in float32."""
    if not installed("onnxruntime", "onnx"):
        return None
    onnx, runtime = import_module("onnx"), import_module("onnxruntime")
    helper, numpy_helper = import_module("onnx.helper"), import_module("onnx.numpy_helper")
    constants = []
    for number, matrix in enumerate(network.matrices):
        for name, values in ((f"W{number}", matrix[:-1]), (f"b{number}", matrix[-1])):
            constants.append(numpy_helper.from_array(values.astype(np.float32), name))
    nodes = [
        helper.make_node("Gemm", ["x", "W0", "b0"], ["z"]),
        helper.make_node("Tanh", ["z"], ["a"]),
        helper.make_node("Gemm", ["a", "W1", "b1"], ["h"]),
        helper.make_node("Sigmoid", ["h"], ["y"]),
    ]
    number = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "mlp",
        [helper.make_tensor_value_info("x", number, [None, x.shape[1]])],
        [helper.make_tensor_value_info("y", number, [None, 1])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    options = runtime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, {"x": x})


def _torch_network(network: Network, number: str, *, with_sigmoid: bool = True) -> object:
    torch = import_module("torch")
    dtype = getattr(torch, number)
    layers = []
    for matrix in network.matrices:
        layer = torch.nn.Linear(matrix.shape[0] - 1, matrix.shape[1], dtype=dtype)
        layer.weight.data = torch.tensor(matrix[:-1].T.copy(), dtype=dtype)
        layer.bias.data = torch.tensor(matrix[-1], dtype=dtype)
        layers += [layer, torch.nn.Tanh()]
    layers[-1:] = [torch.nn.Sigmoid()] if with_sigmoid else []
    return torch.nn.Sequential(*layers)


def torch_response(network: Network, x: np.ndarray, threads: int, number: str) -> Function | None:
    """Return PyTorch's evaluation of the network."""
    if not installed("torch"):
        return None
    torch = import_module("torch")
    model = torch.nn.Sequential(*_torch_network(network, number))
    events = torch.tensor(x, dtype=getattr(torch, number))

    def run() -> object:
        torch.set_num_threads(threads)
        with torch.inference_mode():
            return model(events)

    return run


def laplace_errors(network: Network, x: np.ndarray) -> Function | None:
    """Return laplace-torch's response with its variance: the same approximation, with all weights."""
    if not installed("torch", "laplace"):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch, laplace = import_module("torch"), import_module("laplace")
    model = _torch_network(network, "float64", with_sigmoid=False)
    events = torch.tensor(x, dtype=torch.float64)
    some = torch.utils.data.DataLoader(
        torch.utils.data.TensorDataset(events[:2000], torch.zeros(2000, 1, dtype=torch.float64)), batch_size=2000
    )
    peer = laplace.Laplace(model, "regression", subset_of_weights="all", hessian_structure="full")
    peer.fit(some)
    # its memory grows with the square of the events in a batch
    return lambda: [peer(batch, pred_type="glm") for batch in events.split(250)]


def scikit_learn_training(sample: Sample, n_hidden: int, n_cycles: int) -> Function | None:
    """Return a training by scikit-learn's L-BFGS, of so many iterations, without regulators or Hessian."""
    if not installed("sklearn"):
        return None
    module = import_module("sklearn.neural_network")
    x, y = sample.inputs.astype(np.float64), sample.desired[:, 0].astype(int)

    def run() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = module.MLPClassifier((n_hidden,), activation="tanh", solver="lbfgs", max_iter=n_cycles, tol=0.0)
            return peer.fit(x, y)

    return run


def torch_training(sample: Sample, n_hidden: int, n_cycles: int, threads: int) -> Function | None:
    """Return a training by PyTorch's L-BFGS with line search, of so many iterations, without regulators or Hessian."""
    if not installed("torch"):
        return None
    torch = import_module("torch")
    x = torch.tensor(sample.inputs, dtype=torch.float64)
    y = torch.tensor(sample.desired[:, :1])

    def run() -> object:
        torch.set_num_threads(threads)
        torch.manual_seed(1)
        model = torch.nn.Sequential(
            torch.nn.Linear(x.shape[1], n_hidden), torch.nn.Tanh(), torch.nn.Linear(n_hidden, 1)
        )
        model = model.double()
        optimiser = torch.optim.LBFGS(
            model.parameters(),
            max_iter=n_cycles,
            tolerance_grad=0.0,
            tolerance_change=0.0,
            line_search_fn="strong_wolfe",
        )

        def closure() -> object:
            optimiser.zero_grad()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(model(x), y)
            loss.backward()
            return loss

        return optimiser.step(closure)

    return run


_LOOP = """
#include "{path}"
#include <chrono>
#include <cstdio>
#include <random>
int main() {{
  std::vector<std::string> names = {{{names}}};
  {name} reader(names);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.5, 2.5);
  std::vector<std::vector<double>> events(100000, std::vector<double>(names.size()));
  for (auto& event : events) for (auto& x : event) x = uniform(random);
  double best = 1e9, sum = 0;
  for (int round = 0; round < 20; ++round) {{
    const auto start = std::chrono::steady_clock::now();
    for (const auto& event : events) sum += reader.GetMvaValue(event);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds < best) best = seconds;
  }}
  std::printf("%.9e %g\\n", best / events.size(), sum);
}}
"""


def cpp_class(path: Path) -> float | None:
    """Return the seconds per event of a ``.class.C`` file compiled by g++ -O2, or None without a compiler."""
    compiler = which("g++")
    if compiler is None:
        return None
    text = path.read_text(encoding="utf-8")
    name = re.search(r"class (\w+) : public IClassifierReader", text)
    variables = re.search(r"(?:inputVars\[\]|kExpressions\[kVariables\]) = \{(.*?)\};", text, re.DOTALL)
    if name is None or variables is None:
        raise SystemExit(f"{path} is not a class that TMVA or pytmva_bnn wrote")
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "loop.cpp", Path(folder) / "loop"
        source.write_text(_LOOP.format(path=path.resolve(), names=variables.group(1), name=name.group(1)))
        subprocess.run([compiler, "-O2", "-w", "-std=c++17", source, "-o", program], check=True)  # noqa: S603
        printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout  # noqa: S603
    return float(printed.split()[0])
