"""Operations of BLAS."""
from . import nodes
from .nodes.einsum import Einsum
