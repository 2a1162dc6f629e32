"""round(x, n) of Python's numbers: of the exact decimal number, halves to the even digit."""


def _round_real(x, n):
    """The float that is nearest to the rounded decimal number. x * 10**n is computed as the sum of a rounded product and its error
    (Dekker, 1971), so that only exact halves count as such."""
    digits = int(n)
    assert digits >= -18 and digits <= 18, NotImplementedError("round to more than 18 digits")
    scale = float(10 ** abs(digits))
    size = abs(float(x))
    small = size if size < 4503599627370496.0 else 0.0
    product = small * scale
    x_high = 134217729.0 * small - (134217729.0 * small - small)
    s_high = 134217729.0 * scale - (134217729.0 * scale - scale)
    x_low = small - x_high
    s_low = scale - s_high
    error = x_low * s_low - (((product - x_high * s_high) - x_low * s_high) - x_high * s_low)
    nearest = np.rint(product)
    rest = product - nearest
    above = 1.0 if rest == 0.5 and error > 0.0 else 0.0
    below = 1.0 if rest == -0.5 and error < 0.0 else 0.0
    fine = (nearest + above - below) / scale
    part = np.fmod(size, scale)
    half = scale * 0.5
    odd = np.fmod(size, 2.0 * scale) >= scale
    up = part > half or (part == half and odd)
    coarse = size + (scale - part) if up else size - part
    unchanged = not (size < 1e300) or (digits >= 0 and (small != size or product >= 9007199254740992.0))
    rounded = coarse if digits < 0 else fine
    return float(x) if unchanged else float(np.copysign(rounded, float(x)))


def _round_integer(x, n):
    """A multiple of a power of ten where n is negative."""
    digits = int(n)
    assert digits >= -18, NotImplementedError("round to more than 18 digits")
    scale = 10 ** max(0 - digits, 0)
    base = x // scale
    part = x - base * scale
    up = 2 * part > scale or (2 * part == scale and base % 2 == 1)
    many = base + 1 if up else base
    assert abs(many) <= 9223372036854775807 // scale, OverflowError("an integer of Python's does not fit into 64 bits")
    return x if digits >= 0 else many * scale
