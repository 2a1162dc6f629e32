"""Engineering: a Poisson problem on triangles with linear finite elements.

Stiffness matrices of all triangles at once, assembled by np.add.at, boundary nodes held at zero, solved directly (J. Alberty,
C. Carstensen and S. A. Funken, Remarks around 50 lines of Matlab, 1999).
"""
import numpy as np

import sluice


@sluice.program
def finite_elements(nodes, triangles, boundary, load):
    n = len(nodes)
    p = nodes[triangles]
    d1, d2 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
    area = 0.5 * (d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0])
    b = p[:, [1, 2, 0], 1] - p[:, [2, 0, 1], 1]
    c = p[:, [2, 0, 1], 0] - p[:, [1, 2, 0], 0]
    local = (b[:, :, None] * b[:, None, :] + c[:, :, None] * c[:, None, :]) / (4 * area[:, None, None])
    K = np.zeros((n, n))
    rows = np.repeat(triangles, 3, axis=1)
    columns = np.tile(triangles, (1, 3))
    np.add.at(K, (rows.ravel(), columns.ravel()), local.ravel())
    f = np.zeros(n)
    np.add.at(f, triangles.ravel(), np.repeat(load * area / 3, 3))
    K[boundary, :] = 0.0
    K[boundary, boundary] = 1.0
    f[boundary] = 0.0
    return np.linalg.solve(K, f)


def inputs(size):
    m = {"small": 6, "large": 26}[size]
    y, x = np.mgrid[0:1:m * 1j, 0:1:m * 1j]
    node = np.arange(m * m).reshape(m, m)
    a, b, c, d = (part.ravel() for part in (node[:-1, :-1], node[:-1, 1:], node[1:, 1:], node[1:, :-1]))
    boundary = np.unique(np.concatenate([node[0], node[-1], node[:, 0], node[:, -1]]))
    return {"nodes": np.stack([x.ravel(), y.ravel()], axis=1), "triangles": np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]),
            "boundary": boundary, "load": 1.0}


def picture(inputs, result):
    m = int(np.sqrt(len(result)))
    return result.reshape(m, m)
