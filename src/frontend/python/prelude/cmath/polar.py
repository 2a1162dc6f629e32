"""Polar coordinates of complex numbers, and what asks about them."""


def phase(z):
    w = complex(z)
    return math.atan2(w.imag, w.real)


def polar(z):
    w = complex(z)
    return math.hypot(w.real, w.imag), math.atan2(w.imag, w.real)


def rect(r, phi):
    return complex(r * math.cos(phi), r * math.sin(phi))


def isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    assert rel_tol >= 0 and abs_tol >= 0, "tolerances must be non-negative"
    first = complex(a)
    second = complex(b)
    apart = abs(first - second)
    return bool(first == second or (np.isfinite(apart) and (apart <= rel_tol * max(abs(first), abs(second)) or apart <= abs_tol)))
