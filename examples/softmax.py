"""softmax over the last axis, as in an attention layer (NPBench); returns a new array."""
import numpy as np

import sluice

B, H, S = sluice.symbol("B"), sluice.symbol("H"), sluice.symbol("S")


@sluice.program
def softmax(x: sluice.float32[B, H, S, S]):
    largest = np.max(x, axis=-1, keepdims=True)
    powers = np.exp(x - largest)
    total = np.sum(powers, axis=-1, keepdims=True)
    return powers / total


def inputs(size):
    b, h, s = {"small": (2, 3, 8), "large": (16, 16, 256)}[size]
    rng = np.random.default_rng(6)
    return {"x": rng.random((b, h, s, s), dtype=np.float32)}
