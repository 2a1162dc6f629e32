"""Bioinformatics: local alignment of two DNA sequences.

T. F. Smith and M. S. Waterman, Identification of common molecular subsequences, 1981: the score matrix, then the best alignment
traced back.
"""
import numpy as np

import sluice


@sluice.program
def smith_waterman(a, b, match, mismatch, gap):
    m, n = len(a), len(b)
    H = np.zeros((m + 1, n + 1), dtype=np.int64)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            score = match if a[i - 1] == b[j - 1] else mismatch
            H[i, j] = max(0, H[i - 1, j - 1] + score, H[i - 1, j] + gap, H[i, j - 1] + gap)
    i, j = np.unravel_index(np.argmax(H), H.shape)
    path = np.zeros((m + n, 2), dtype=np.int64)
    length = 0
    while H[i, j] > 0:
        path[length, 0], path[length, 1] = i, j
        length += 1
        if H[i, j] == H[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else mismatch):
            i, j = i - 1, j - 1
        elif H[i, j] == H[i - 1, j] + gap:
            i -= 1
        else:
            j -= 1
    return H, path[:length]


def inputs(size):
    n = {"small": 24, "large": 400}[size]
    rng = np.random.default_rng(9)
    a = rng.integers(0, 4, n)
    mutated = np.where(rng.random(n) < 0.15, rng.integers(0, 4, n), a)
    return {"a": a, "b": np.concatenate([mutated[n // 3:], rng.integers(0, 4, n // 4)]), "match": 2, "mismatch": -1, "gap": -2}


def picture(inputs, result):
    H, path = result
    image = H / H.max()
    image[path[:, 0], path[:, 1]] = 1.0
    return image
