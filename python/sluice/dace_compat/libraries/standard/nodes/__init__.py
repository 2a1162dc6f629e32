"""Nodes of the standard operations."""
from . import reduce
