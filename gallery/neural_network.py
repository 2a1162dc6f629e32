"""Machine learning: a two-layer network trained on two spirals.

Backpropagation (D. E. Rumelhart, G. E. Hinton and R. J. Williams, 1986), all points in each step.
"""
import numpy as np

import sluice


@sluice.program
def neural_network(X, y, W1, b1, W2, b2, rate, epochs):
    losses = np.zeros(epochs)
    parameters = [W1, b1, W2, b2]
    n = len(X)
    for epoch in range(epochs):
        hidden = np.tanh(X @ W1 + b1)
        scores = hidden @ W2 + b2
        scores -= scores.max(axis=1, keepdims=True)
        probability = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        losses[epoch] = -np.log(probability[np.arange(n), y]).mean()
        error = probability.copy()
        error[np.arange(n), y] -= 1
        error /= n
        back = (error @ W2.T) * (1 - hidden ** 2)
        gradients = [X.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
        for parameter, gradient in zip(parameters, gradients):
            parameter -= rate * gradient
    return losses


def inputs(size):
    n, hidden, epochs = {"small": (30, 8, 5), "large": (1500, 64, 60)}[size]
    rng = np.random.default_rng(24)
    angle = np.linspace(0.5, 7, n // 2)
    X = np.concatenate([turn * angle[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1) / 7 for turn in (1, -1)])
    return {"X": X + 0.02 * rng.standard_normal(X.shape), "y": np.arange(n) // (n // 2), "W1": 2 * rng.standard_normal((2, hidden)),
            "b1": rng.standard_normal(hidden), "W2": rng.standard_normal((hidden, 2)) / 8, "b2": np.zeros(2), "rate": 1.0, "epochs": epochs}


def picture(inputs, result):
    return {"loss": (np.arange(len(result)), result)}
