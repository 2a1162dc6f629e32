"""Parts of graphs, as DaCe passes them on."""
from sluice.walking import SubgraphView  # noqa: F401


class NodeNotFoundError(Exception):
    """A node is not in the graph."""
