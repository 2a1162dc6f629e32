"""Frequencies of a discrete Fourier transform, and their order."""


def fftfreq(n, d=1.0):
    """The frequencies of a transform of n samples at distance d."""
    i = np.arange(n)
    return np.where(i < (n + 1) // 2, i, i - n) / (n * d)


def rfftfreq(n, d=1.0):
    """The frequencies of a transform of n real samples at distance d."""
    return np.arange(n // 2 + 1) / (n * d)


def fftshift(x: array_like, axes=None):
    """Frequency 0 in the middle."""
    out = x
    if axes is None:
        for d in np._each(x.ndim):
            out = np.roll(out, x.shape[d] // 2, d)
        return out
    if np.ndim(axes) == 0:
        return np.roll(x, x.shape[axes] // 2, axes)
    for i in np._each(len(axes)):
        out = np.roll(out, x.shape[axes[i]] // 2, axes[i])
    return out


def ifftshift(x: array_like, axes=None):
    """What fftshift moves, back at its place."""
    out = x
    if axes is None:
        for d in np._each(x.ndim):
            out = np.roll(out, -(x.shape[d] // 2), d)
        return out
    if np.ndim(axes) == 0:
        return np.roll(x, -(x.shape[axes] // 2), axes)
    for i in np._each(len(axes)):
        out = np.roll(out, -(x.shape[axes[i]] // 2), axes[i])
    return out
