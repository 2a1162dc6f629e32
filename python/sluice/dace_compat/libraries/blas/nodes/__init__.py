"""Nodes of BLAS's operations."""
from . import einsum
