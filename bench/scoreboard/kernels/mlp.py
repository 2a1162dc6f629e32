"""Three dense layers, the last one with softmax."""
import numpy as np

SIZES = {"tiny": (3, 4, 12, 8, 8), "S": (3, 8, 30000, 2000, 2000), "paper": (3, 8, 30000, 10000, 1000)}


def inputs(rng, C_in, N, S0, S1, S2):
    def draw(*shape):
        return rng.random(shape, dtype=np.float32) - np.float32(0.5)
    return {"x": draw(N, C_in), "w1": draw(C_in, S0), "b1": draw(S0), "w2": draw(S0, S1), "b2": draw(S1), "w3": draw(S1, S2), "b3": draw(S2)}


def softmax(x):
    shifted = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return shifted / np.sum(shifted, axis=-1, keepdims=True)


def mlp(x, w1, b1, w2, b2, w3, b3):
    first = np.maximum(x @ w1 + b1, 0)
    second = np.maximum(first @ w2 + b2, 0)
    return softmax(second @ w3 + b3)
