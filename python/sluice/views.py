"""Views of arguments that a program returns."""
import numpy as np


def view_of(base, part, places, copy):
    """The elements of `base` that a returned array stands for; `copy`, which has its shape and elements, where base is no array.

    part: "real", "imag" or "", of the elements. places: for each dimension of base where the view begins, and how far one step in
    each dimension of the view goes.
    """
    if not isinstance(base, np.ndarray) or copy.size == 0:
        return copy
    base = getattr(base, part) if part else base
    corner = base[tuple(slice(begin, begin + 1) for begin, _ in places)]
    strides = [sum(steps[dim] * stride for (_, steps), stride in zip(places, base.strides)) for dim in range(copy.ndim)]
    if not part and base.shape == copy.shape and not any(begin for begin, _ in places) and base.strides == tuple(strides):
        return base
    return np.lib.stride_tricks.as_strided(corner, copy.shape, strides)
