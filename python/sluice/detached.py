"""Blocks that are made on their own, as DaCe's are: each lies in a graph of its own until it is added to a region, and can be filled there."""
from . import _core


class Home:
    """The graph of one block that is in no region yet, with the handles that point into it. sdfg: where it will be added; may be None."""

    def __init__(self, sdfg):
        self.sdfg, self._graph, self.handles = sdfg, _core.Graph("detached"), []

    def move(self, home, path, dropped):
        """The handles point into another home; path stands for the first `dropped` numbers of theirs."""
        for handle in self.handles:
            settle(handle, home, (*path, *handle._path[dropped:]))
        self.handles = []


def settle(handle, home, path):
    """The handle names what lies at a path of an SDFG, or of a Home."""
    handle._home, handle._graph, handle._path = home, home._graph, tuple(path)
    handle.sdfg = home.sdfg if isinstance(home, Home) else home
    if isinstance(home, Home):
        home.handles.append(handle)


def _own_home(block):
    if not isinstance(block._home, Home) or len(block._block_path) != 1:
        raise ValueError(f"{block.label} is in a region already")
    return block._home


def attach(block, region, start):
    """Adds a block that was made on its own to a region."""
    home = _own_home(block)
    added = region._graph.take_block(region._path, home._graph, block._block_path[0], start)
    home.move(region._home, (*region._path, added), 1)


def attach_branch(body, conditional, condition):
    """A region that was made on its own becomes a branch."""
    home = _own_home(body)
    at = conditional._graph.take_branch(conditional._path, condition, home._graph, body._block_path[0])
    body._is_branch = True
    home.move(conditional._home, (*conditional._path, at), 2)
