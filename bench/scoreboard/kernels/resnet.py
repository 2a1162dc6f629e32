"""A bottleneck block of ResNet-50: three convolutions, each normalised over the batch, and the input added."""
import numpy as np

SIZES = {"tiny": (2, 6, 6, 4, 2), "S": (8, 14, 14, 32, 8), "paper": (8, 56, 56, 256, 64)}


def inputs(rng, N, W, H, C1, C2):
    def draw(*shape):
        return rng.random(shape, dtype=np.float32)
    return {"x": draw(N, H, W, C1), "conv1": draw(1, 1, C1, C2), "conv2": draw(3, 3, C2, C2), "conv3": draw(1, 1, C2, C1)}


def convolve(images, weights):
    K = weights.shape[0]
    H = images.shape[1] - K + 1
    W = images.shape[2] - K + 1
    result = np.empty((images.shape[0], H, W, weights.shape[3]), dtype=np.float32)
    for i in range(H):
        for j in range(W):
            result[:, i, j, :] = np.sum(images[:, i:i + K, j:j + K, :, np.newaxis] * weights[np.newaxis, :, :, :], axis=(1, 2, 3))
    return result


def normalised(x):
    mean = np.mean(x, axis=0, keepdims=True)
    deviation = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(deviation + np.float32(1e-5))


def resnet(x, conv1, conv2, conv3):
    padded = np.zeros((x.shape[0], x.shape[1] + 2, x.shape[2] + 2, conv1.shape[3]), dtype=np.float32)
    padded[:, 1:-1, 1:-1, :] = convolve(x, conv1)
    first = np.maximum(normalised(padded), 0)
    second = np.maximum(normalised(convolve(first, conv2)), 0)
    third = normalised(convolve(second, conv3))
    return np.maximum(third + x, 0)
