"""Writes the encoder's twelve layers as an int8 ONNX file, from the weights of the installed package.

Imported by the builder's process alone: onnx and its quantiser are heavy and needed once per machine. The
graph takes summed input embeddings, float32 (1, tokens, 384), and gives their mean after the last layer,
float32 (1, 384). Word rows stay in the weights file.
"""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from plancover_assist.embedding.int8_onnx import INPUT, OUTPUT
from plancover_assist.embedding.weights import Weights

_OPSET = 20  # the first with a Gelu of its own
_IR_VERSION = 9  # what belongs to that opset; newer files are refused by older runtimes


def write_int8_model(weights: Weights, target: Path) -> None:
    """Write the quantised model to `target`, and a larger float model beside it that is removed again.

    Dynamic int8 with one scale per output channel and 7-bit weights: without the reduced range, processors
    that lack VNNI overflow their 16-bit sums.
    """
    float_model = target.with_suffix(".fp32")
    try:
        onnx.save(_Graph(weights).model(), float_model)
        quantize_dynamic(
            float_model,
            target,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            extra_options={"MatMulConstBOnly": True},  # attention multiplies two activations; leave it exact
        )
    finally:
        float_model.unlink(missing_ok=True)


class _Graph:
    """Collects nodes and constants; each method adds one building block and returns its output's name."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._shape = weights.shape
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def model(self) -> onnx.ModelProto:
        hidden = self._layer_norm(INPUT, "emb.ln")
        for layer in range(self._shape.layers):
            hidden = self._layer(hidden, f"l{layer}.")
        tokens_axis = self._constant("tokens_axis", np.array([1], np.int64))
        self._nodes.append(helper.make_node("ReduceMean", [hidden, tokens_axis], [OUTPUT], keepdims=0))
        width = self._shape.width
        given = helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, [1, "tokens", width])
        result = helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, [1, width])
        graph = helper.make_graph(self._nodes, "e5", [given], [result], self._constants)
        opsets = [helper.make_opsetid("", _OPSET)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)

    def _layer(self, hidden: str, prefix: str) -> str:
        width, inner = self._shape.width, self._shape.inner
        attended = self._dense(self._attention(hidden, prefix), f"{prefix}ao", width, width)
        hidden = self._layer_norm(self._node("Add", hidden, attended), f"{prefix}aln")
        widened = self._node("Gelu", self._dense(hidden, f"{prefix}fi", width, inner))
        narrowed = self._dense(widened, f"{prefix}fo", inner, width)
        return self._layer_norm(self._node("Add", hidden, narrowed), f"{prefix}oln")

    def _attention(self, hidden: str, prefix: str) -> str:
        queries, keys, values = self._heads(hidden, prefix)
        scale = self._constant(f"{prefix}scale", np.float32((self._shape.width // self._shape.heads) ** -0.5))
        scores = self._node("Mul", self._node("MatMul", queries, keys), scale)
        mixed = self._node("MatMul", self._node("Softmax", scores, axis=-1), values)
        back = self._constant(f"{prefix}back", np.array([0, 0, self._shape.width], np.int64))
        return self._node("Reshape", self._node("Transpose", mixed, perm=[0, 2, 1, 3]), back)

    def _heads(self, hidden: str, prefix: str) -> tuple[str, str, str]:
        """Project to queries, keys (transposed) and values by head, in one multiplication."""
        width, heads = self._shape.width, self._shape.heads
        names = [f"{prefix}{part}" for part in "qkv"]
        matrix = np.concatenate(
            [self._weights.matrix(f"{name}.w", rows=width, columns=width) for name in names]
        )
        bias = np.concatenate([self._weights.tensor(f"{name}.b") for name in names])
        projected = self._multiply(hidden, f"{prefix}qkv", matrix, bias)
        parts = [f"{prefix}{part}_part" for part in "qkv"]
        self._nodes.append(helper.make_node("Split", [projected], parts, axis=-1, num_outputs=3))
        by_head = self._constant(f"{prefix}by_head", np.array([0, 0, heads, width // heads], np.int64))
        orders = ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
        queries, keys, values = (
            self._node("Transpose", self._node("Reshape", part, by_head), perm=order)
            for part, order in zip(parts, orders, strict=True)
        )
        return queries, keys, values

    def _dense(self, given: str, name: str, inputs: int, outputs: int) -> str:
        matrix = self._weights.matrix(f"{name}.w", rows=outputs, columns=inputs)
        return self._multiply(given, name, matrix, self._weights.tensor(f"{name}.b"))

    def _multiply(self, given: str, name: str, matrix: ArrayLike, bias: ArrayLike) -> str:
        product = self._node("MatMul", given, self._constant(f"{name}.w", np.asarray(matrix).T))
        return self._node("Add", product, self._constant(f"{name}.b", bias))

    def _layer_norm(self, given: str, name: str) -> str:
        gain = self._constant(f"{name}.w", self._weights.tensor(f"{name}.w"))
        shift = self._constant(f"{name}.b", self._weights.tensor(f"{name}.b"))
        return self._node("LayerNormalization", given, gain, shift, axis=-1, epsilon=self._shape.epsilon)

    def _node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        output = f"{operator}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [output], output, **attributes))
        return output

    def _constant(self, name: str, value: ArrayLike) -> str:
        # np.ascontiguousarray would turn a scalar into shape [1] and change what broadcasting does.
        self._constants.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name
