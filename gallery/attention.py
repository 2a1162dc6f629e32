"""Machine learning: causal multi-head self-attention.

A. Vaswani et al., Attention is all you need, 2017, in single precision.
"""
import numpy as np

import sluice


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@sluice.program
def attention(x, w_query, w_key, w_value, w_out, heads):
    length, width = x.shape
    size = width // heads
    q = (x @ w_query).reshape(length, heads, size).transpose(1, 0, 2)
    k = (x @ w_key).reshape(length, heads, size).transpose(1, 0, 2)
    v = (x @ w_value).reshape(length, heads, size).transpose(1, 0, 2)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(np.float32(size))
    mask = np.triu(np.ones((length, length), dtype=bool), k=1)
    scores = np.where(mask, np.float32(-1e9), scores)
    weights = softmax(scores)
    return (weights @ v).transpose(1, 0, 2).reshape(length, width) @ w_out, weights


def inputs(size):
    length, width, heads = {"small": (12, 16, 2), "large": (512, 256, 8)}[size]
    rng = np.random.default_rng(14)

    def weights(scale):
        return (scale * rng.standard_normal((width, width)) / np.sqrt(width)).astype(np.float32)

    return {"x": rng.standard_normal((length, width), dtype=np.float32), "w_query": weights(2), "w_key": weights(2), "w_value": weights(1),
            "w_out": weights(1), "heads": heads}


def picture(inputs, result):
    return np.log(result[1][0] + 1e-6)
