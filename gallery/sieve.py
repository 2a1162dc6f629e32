"""Number theory: prime numbers and the gaps between them.

The sieve of Eratosthenes.
"""
import numpy as np

import sluice


@sluice.program
def sieve(limit):
    prime = np.ones(limit + 1, dtype=bool)
    prime[:2] = False
    for p in range(2, int(limit ** 0.5) + 1):
        if prime[p]:
            prime[p * p::p] = False
    primes = np.nonzero(prime)[0]
    gaps = np.diff(primes)
    return primes, gaps.max()


def inputs(size):
    return {"limit": {"small": 200, "large": 2_000_000}[size]}


def picture(inputs, result):
    gaps = np.diff(result[0])[:400]
    return {"gap after the k-th prime": (np.arange(len(gaps)), gaps, "points")}
