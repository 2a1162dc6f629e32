"""Cellular automata: Conway's Game of Life on a torus.

M. Gardner, The fantastic combinations of John Conway's new solitaire game "life", Scientific American, 1970.
"""
import numpy as np

import sluice


@sluice.program
def life(board, generations):
    for _ in range(generations):
        neighbours = np.zeros_like(board)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if dy != 0 or dx != 0:
                    neighbours += np.roll(board, (dy, dx), axis=(0, 1))
        board = ((neighbours == 3) | ((board == 1) & (neighbours == 2))).astype(np.uint8)
    return board


def inputs(size):
    n, generations = {"small": (24, 6), "large": (512, 30)}[size]
    return {"board": (np.random.default_rng(6).random((n, n)) < 0.3).astype(np.uint8), "generations": generations}


def picture(inputs, result):
    return result
