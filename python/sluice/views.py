"""Views of arguments that a program returns."""
import numpy as np


def view_of(base, part, places, shape, copy):
    """The elements of `base` that a returned array of this shape stands for; where base is no array `copy`, which has its elements, or
    one made here if there is none.

    part: "real", "imag" or "", of the elements. places: for each dimension of base where the view begins, and how far one step in
    each dimension of the view goes.
    """
    if not isinstance(base, np.ndarray):
        return view_of(np.asarray(base), part, places, shape, None).copy() if copy is None else copy
    base = getattr(base, part) if part else base
    if 0 in shape:
        return np.empty(shape, base.dtype) if copy is None else copy
    corner = base[tuple(slice(begin, begin + 1) for begin, _ in places)]
    strides = tuple(sum(steps[dim] * stride for (_, steps), stride in zip(places, base.strides)) for dim in range(len(shape)))
    if not part and base.shape == shape and not any(begin for begin, _ in places) and base.strides == strides:
        return base
    return np.lib.stride_tricks.as_strided(corner, shape, strides)
