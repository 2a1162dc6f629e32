"""DaCe's classes of library nodes: `Gemm("name", transA=True)` makes a node of the operation, which SDFGState.add_node puts into a state."""
import re

from sluice import _core, config
from sluice.nodes import LibraryNode

_names = {"pure": "native"}  # expansions whose names DaCe spells differently
_chosen = {}  # default_implementation by operation


class _Operation(type):
    def __instancecheck__(cls, value):
        return isinstance(value, LibraryNode) and value.operation.rpartition(".")[2] == cls._operation

    @property
    def default_implementation(cls):
        """The expansion of nodes that name none: the setting `expansions` of this process."""
        return _chosen.get(cls._operation)

    @default_implementation.setter
    def default_implementation(cls, value):
        _chosen[cls._operation] = value
        kept = [part for part in config.get("expansions").split(";") if part.strip() and part.partition(":")[0].strip() not in _chosen]
        config.set("expansions", "; ".join([*kept, *(f"{name}: {_names.get(one, one)}" for name, one in _chosen.items() if one)]))


def operation(name):
    """The class of an operation's nodes."""
    form = _core.describe_operation(name)["forms"][0]
    inputs, outputs = (re.findall(r"(\w+)(?:\[[^]]*\])?", side) for side in re.sub(r"\[[^]]*\]", "", form).split("->"))

    def make(self, label, location=None, **properties):
        LibraryNode.__init__(self, label, inputs=inputs, outputs=outputs, **properties)

    return _Operation(name, (LibraryNode,), {"__init__": make, "_operation": name, "__module__": __name__,
                                             "__doc__": f"A node of the operation {name}: {form}. Further arguments are its properties."})
