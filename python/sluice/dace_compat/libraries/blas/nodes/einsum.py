"""Einsum: the product of its inputs, in the order of their connectors, as `einsum_str` says."""
from ..._operations import operation

Einsum = operation("Einsum")
