"""Reduce: a library node of that operation counts as one."""
from sluice.nodes import LibraryNode


class _Kind(type):
    def __instancecheck__(cls, value):
        return isinstance(value, LibraryNode) and value.operation.rpartition(".")[2] == "Reduce"


class Reduce(metaclass=_Kind):
    """Asked by isinstance; a node is added with SDFGState.add_reduce."""
    default_implementation = None
