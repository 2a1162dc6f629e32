"""Machine learning: inference of a small convolution network on images of digits.

Convolution, ReLU and max pooling twice, then a dense layer and softmax, after LeNet (Y. LeCun et al., 1998).
"""
import numpy as np

import sluice


def conv2d(x, weights):
    k = weights.shape[0]
    n, h, w, _ = x.shape
    out = np.zeros((n, h - k + 1, w - k + 1, weights.shape[3]), dtype=x.dtype)
    for i in range(k):
        for j in range(k):
            out += x[:, i:i + h - k + 1, j:j + w - k + 1, :] @ weights[i, j]
    return out


def relu(x):
    return np.maximum(x, 0)


def maxpool(x):
    n, h, w, c = x.shape
    return x.reshape(n, h // 2, 2, w // 2, 2, c).max(axis=(2, 4))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@sluice.program
def convolution_net(images, conv1, bias1, conv2, bias2, dense, bias3):
    x = maxpool(relu(conv2d(images, conv1) + bias1))
    x = maxpool(relu(conv2d(x, conv2) + bias2))
    x = x.reshape(x.shape[0], -1)
    return softmax(x @ dense + bias3)


def inputs(size):
    n = {"small": 2, "large": 64}[size]
    rng = np.random.default_rng(13)

    def weights(*shape):
        return (rng.standard_normal(shape) / np.sqrt(np.prod(shape[:-1]))).astype(np.float32)

    return {"images": rng.random((n, 28, 28, 1), dtype=np.float32), "conv1": weights(5, 5, 1, 6), "bias1": weights(6),
            "conv2": weights(5, 5, 6, 16), "bias2": weights(16), "dense": weights(256, 10), "bias3": weights(10)}


def picture(inputs, result):
    return {f"image {i}": (np.arange(10), result[i], "line") for i in range(2)}
