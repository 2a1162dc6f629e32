"""Blocks and nodes that are made on their own, as DaCe's are: each lies in a graph of its own until it is added to a region or state."""
import weakref

from . import _core


class Home:
    """The graph of one block that is in no region yet, with the handles that point into it; or of one node or scope, with its handles.
    sdfg: where it will be added; may be None."""

    def __init__(self, sdfg=None):
        self.sdfg, self._graph, self.handles, self.nodes = sdfg, _core.Graph("detached"), [], []
        self._known = weakref.WeakValueDictionary()

    def move(self, home, path, dropped):
        """The handles point into another home; path stands for the first `dropped` numbers of theirs."""
        for handle in self.handles:
            settle(handle, home, (*path, *handle._path[dropped:]))
        self.handles = []


def settle(handle, home, path):
    """The handle names what lies at a path of an SDFG, or of a Home, which knows it as long as somebody holds it."""
    handle._home, handle._graph, handle._path = home, home._graph, tuple(path)
    home._known[type(handle), handle._path] = handle
    handle.sdfg = home.sdfg if isinstance(home, Home) else home
    if isinstance(home, Home):
        home.handles.append(handle)


def handle_at(cls, home, path):
    """The handle of a class at a path: one object as long as somebody holds it."""
    found = home._known.get((cls, tuple(path)))
    if found is None:
        found = cls.__new__(cls)
        settle(found, home, path)
    return found


def _own_home(block):
    if not isinstance(block._home, Home) or len(block._block_path) != 1:
        raise ValueError(f"{block.label} is in a region already")
    return block._home


def attach(block, region, start):
    """Adds a block that was made on its own to a region."""
    home = _own_home(block)
    added = region._graph.take_block(region._path, home._graph, block._block_path, start)
    home.move(region._home, (*region._path, added), 1)


def attach_branch(body, conditional, condition):
    """A region that was made on its own becomes a branch."""
    home = _own_home(body)
    at = conditional._graph.take_branch(conditional._path, condition, home._graph, body._block_path)
    body._is_branch = True
    home.move(conditional._home, (*conditional._path, at), 2)


def copied(block):
    """A copy of a block on its own: (its home, its path there)."""
    home = Home(block.sdfg)
    return home, (home._graph.take_block((), block._graph.copy(), block._block_path, True),)


def attach_nodes(node, state):
    """Adds a node that was made on its own to a state, an entry with its exit; nothing if it is there, as an exit whose entry was added."""
    home = node.state._home
    if not isinstance(home, Home) or not any(node is one for one in home.nodes):
        if node.state == state:
            return
        raise ValueError(f"{node.label} is in a state already")
    numbers = [number for number, _ in home._graph.nodes(node.state._path)]
    moved = dict(zip(numbers, state._graph.take_nodes(state._path, home._graph, node.state._path, numbers)))
    for one in home.nodes:
        one._name(state, moved[one.node_id])
    home.nodes = []
