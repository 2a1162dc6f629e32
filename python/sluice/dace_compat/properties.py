"""DaCe's properties of nodes: classes of Sluice's graphs are not extended from Python."""
from sluice._absent import absent
from sluice.code_block import CodeBlock  # noqa: F401

_WHY = "nodes and descriptions have the properties of the graph (docs/spec.md)"


def make_properties(cls):
    """A class decorator of DaCe's. Raises NotImplementedError."""
    raise NotImplementedError(f"dace.properties.make_properties is not in Sluice: {_WHY}")


Property = absent("dace.properties.Property", _WHY)
