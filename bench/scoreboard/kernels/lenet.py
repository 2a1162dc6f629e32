"""LeNet-5: two convolutions with pooling, three dense layers."""
import numpy as np

SIZES = {"tiny": (1, 16, 16), "S": (4, 28, 28), "paper": (16, 256, 256)}


def inputs(rng, N, H, W):
    def draw(*shape):
        return rng.random(shape, dtype=np.float32) - np.float32(0.5)
    flat = ((H - 4) // 2 - 4) // 2 * (((W - 4) // 2 - 4) // 2) * 16
    return {"images": draw(N, H, W, 1), "conv1": draw(5, 5, 1, 6), "bias1": draw(6), "conv2": draw(5, 5, 6, 16), "bias2": draw(16),
            "dense1": draw(flat, 120), "bias3": draw(120), "dense2": draw(120, 84), "bias4": draw(84), "dense3": draw(84, 10), "bias5": draw(10)}


def convolve(images, weights):
    K = weights.shape[0]
    H = images.shape[1] - K + 1
    W = images.shape[2] - K + 1
    result = np.empty((images.shape[0], H, W, weights.shape[3]), dtype=np.float32)
    for i in range(H):
        for j in range(W):
            result[:, i, j, :] = np.sum(images[:, i:i + K, j:j + K, :, np.newaxis] * weights[np.newaxis, :, :, :], axis=(1, 2, 3))
    return result


def largest_of_four(x):
    result = np.empty((x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]), dtype=np.float32)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            result[:, i, j, :] = np.max(x[:, 2 * i:2 * i + 2, 2 * j:2 * j + 2, :], axis=(1, 2))
    return result


def lenet(images, conv1, bias1, conv2, bias2, dense1, bias3, dense2, bias4, dense3, bias5):
    first = largest_of_four(np.maximum(convolve(images, conv1) + bias1, 0))
    second = largest_of_four(np.maximum(convolve(first, conv2) + bias2, 0))
    flat = np.reshape(second, (images.shape[0], dense1.shape[0]))
    third = np.maximum(flat @ dense1 + bias3, 0)
    fourth = np.maximum(third @ dense2 + bias4, 0)
    return fourth @ dense3 + bias5
