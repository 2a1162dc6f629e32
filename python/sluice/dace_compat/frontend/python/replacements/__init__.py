"""DaCe's definitions of NumPy's functions: Sluice has its own, which programs replace with `@sluice.replaces`."""
from sluice._absent import members

__getattr__ = members(__name__, "write another definition of a function as a program, with @sluice.replaces", private=True)
