"""DaCe's libraries of operations: `sluice.operation` has Sluice's."""
from . import blas, fft, linalg, standard
