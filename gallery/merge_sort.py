"""Computer science: bottom-up merge sort beside its count of inversions.

J. von Neumann, 1945 (D. E. Knuth, The Art of Computer Programming, volume 3, section 5.2.4).
"""
import numpy as np

import sluice


@sluice.program
def merge_sort(values):
    a = values.copy()
    n = len(a)
    b = np.empty_like(a)
    inversions = 0
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle = min(low + width, n)
            high = min(low + 2 * width, n)
            i, j = low, middle
            for k in range(low, high):
                if i < middle and (j >= high or a[i] <= a[j]):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
                    inversions += middle - i
        a, b = b, a
        width *= 2
    return a, inversions


def inputs(size):
    n = {"small": 50, "large": 20_000}[size]
    return {"values": np.random.default_rng(21).standard_normal(n)}
