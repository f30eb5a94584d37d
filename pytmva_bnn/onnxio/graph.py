"""A small builder of ONNX graphs: operations by name, constants by value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn.optional import optional

OPSET = 17
IR_VERSION = 8
"""Old enough for any onnxruntime since 1.12."""

ML_DOMAIN = "ai.onnx.ml"
"""Where the operations on trees are; TreeEnsemble needs onnxruntime 1.22."""
_OPSETS = {"": OPSET, ML_DOMAIN: 5}

F32, F64, I64 = np.float32, np.float64, np.int64


class Graph:
    """Nodes in their order and the constants they use; every tensor is known by its name.

    >>> graph = Graph()
    >>> x = graph.input("x", F64, ["events", 2])
    >>> y = graph.op("Mul", x, graph.constant(2.0))
    >>> y, graph.n_nodes
    ('Mul_1', 1)
    """

    def __init__(self) -> None:
        self._onnx = optional("onnx", "onnx", "ONNX output")
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._known: dict[tuple[str, tuple[int, ...], bytes], str] = {}
        self._nearly_one: dict[str, NDArray[Any]] = {}

    @property
    def n_nodes(self) -> int:
        """The number of operations so far."""
        return len(self._nodes)

    def input(self, name: str, dtype: type, shape: Sequence[str | int]) -> str:
        """Declare an input and return its name."""
        self._inputs.append(self._value_info(name, dtype, shape))
        return name

    def output(self, name: str, tensor: str, dtype: type, shape: Sequence[str | int]) -> None:
        """Make a tensor an output under a name of its own."""
        self._nodes.append(self._onnx.helper.make_node("Identity", [tensor], [name]))
        self._outputs.append(self._value_info(name, dtype, shape))

    def constant(self, values: ArrayLike, dtype: type = F64) -> str:
        """Return the name of a constant; equal ones are kept once."""
        array: NDArray[Any] = np.ascontiguousarray(np.asarray(values, dtype=dtype)).reshape(np.shape(values))
        key = (array.dtype.name, array.shape, array.tobytes())
        if key not in self._known:
            self._known[key] = f"constant_{len(self._known)}"
            self._constants.append(self._onnx.numpy_helper.from_array(array, self._known[key]))
            if array.dtype == F64 and array.size == 1 and array.item() != 1.0 and F32(array.item()) == 1.0:
                self._nearly_one[self._known[key]] = array
        return self._known[key]

    def tensor(self, values: ArrayLike, dtype: type = F64) -> Any:
        """Return an array as an attribute of an operation."""
        return self._onnx.numpy_helper.from_array(np.ascontiguousarray(values, dtype=dtype))

    def op(self, kind: str, *inputs: str, **attributes: object) -> str:
        """Append an operation with one result and return its name."""
        if kind in ("Mul", "Div") and inputs[-1] in self._nearly_one:
            # onnxruntime leaves out a factor that is 1 in float32: by way of twice the factor it stays, and is exact
            twice = self.constant(2.0 * self._nearly_one[inputs[-1]])
            back = self.constant(0.5 if kind == "Mul" else 2.0)
            return self.op("Mul", self.op(kind, inputs[0], twice), back)
        return self.ops(kind, 1, *inputs, **attributes)[0]

    def ops(self, kind: str, n_results: int, *inputs: str, **attributes: object) -> list[str]:
        """Append an operation with this number of results and return their names."""
        name = f"{kind}_{len(self._nodes) + 1}"
        names = [name, *(f"{name}_{number}" for number in range(1, n_results))]
        self._nodes.append(self._onnx.helper.make_node(kind, list(inputs), names, **attributes))
        return names

    def cast(self, tensor: str, dtype: type) -> str:
        """Return the tensor in another type of number."""
        return self.op("Cast", tensor, to=self._element_type(dtype))

    def column(self, matrix: str, index: int) -> str:
        """Return a column (n_events, 1) of a matrix."""
        return self.op("Gather", matrix, self.constant([index], I64), axis=1)

    def joined(self, columns: Sequence[str]) -> str:
        """Return matrices side by side."""
        return columns[0] if len(columns) == 1 else self.op("Concat", *columns, axis=1)

    def ones(self, like: str) -> str:
        """Return a column of ones, float64, as long as ``like``."""
        length = self.op("Gather", self.op("Shape", like), self.constant([0], I64), axis=0)
        shape = self.op("Concat", length, self.constant([1], I64), axis=0)
        value = self._onnx.numpy_helper.from_array(np.ones(1, dtype=F64))
        return self.op("ConstantOfShape", shape, value=value)

    def model(self, name: str, description: str, metadata: Mapping[str, str]) -> Any:
        """Return the finished ONNX model, checked."""
        helper = self._onnx.helper
        used = {tensor for node in self._nodes for tensor in node.input}
        constants = [constant for constant in self._constants if constant.name in used]
        graph = helper.make_graph(self._nodes, name, self._inputs, self._outputs, constants)
        domains = sorted({"", *(node.domain for node in self._nodes)})
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid(domain, _OPSETS[domain]) for domain in domains],
            ir_version=IR_VERSION,
            producer_name="pytmva_bnn",
            doc_string=description,
        )
        helper.set_model_props(model, dict(metadata))
        self._onnx.checker.check_model(model)
        return model

    def _value_info(self, name: str, dtype: type, shape: Sequence[str | int]) -> Any:
        return self._onnx.helper.make_tensor_value_info(name, self._element_type(dtype), list(shape))

    def _element_type(self, dtype: type) -> int:
        return int(self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))
