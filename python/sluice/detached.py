"""Blocks and nodes that are made on their own, as DaCe's are: each lies in a graph of its own until it is added to a region or state."""
import weakref

from . import _core


class Owner:
    """The graph of one block that is in no region yet, with the handles that point into it; or of one node or scope, with its handles.
    sdfg: where it will be added; may be None."""

    def __init__(self, sdfg=None):
        self.sdfg, self._graph, self.handles, self.nodes = sdfg, _core.Graph("detached"), [], []
        self._known = weakref.WeakValueDictionary()

    def move(self, owner, path, dropped):
        """The handles point into another owner; path stands for the first `dropped` numbers of theirs."""
        for handle in self.handles:
            settle(handle, owner, (*path, *handle._path[dropped:]))
        self.handles = []


def settle(handle, owner, path):
    """The handle names what lies at a path of an SDFG, or of a Owner, which knows it as long as somebody holds it."""
    handle._owner, handle._graph, handle._path = owner, owner._graph, tuple(path)
    owner._known[type(handle), handle._path] = handle
    handle.sdfg = owner.sdfg if isinstance(owner, Owner) else owner
    if isinstance(owner, Owner):
        owner.handles.append(handle)


def handle_at(cls, owner, path):
    """The handle of a class at a path: one object as long as somebody holds it."""
    found = owner._known.get((cls, tuple(path)))
    if found is None:
        found = cls.__new__(cls)
        settle(found, owner, path)
    return found


def _owner_of_its_own(block):
    if not isinstance(block._owner, Owner) or len(block._block_path) != 1:
        raise ValueError(f"{block.label} is in a region already")
    return block._owner


def attach(block, region, start):
    """Adds a block that was made on its own to a region."""
    owner = _owner_of_its_own(block)
    added = region._graph.take_block(region._path, owner._graph, block._block_path, start)
    owner.move(region._owner, (*region._path, added), 1)


def attach_branch(body, conditional, condition):
    """A region that was made on its own becomes a branch."""
    owner = _owner_of_its_own(body)
    at = conditional._graph.take_branch(conditional._path, condition, owner._graph, body._block_path)
    body._is_branch = True
    owner.move(conditional._owner, (*conditional._path, at), 2)


def copied(block):
    """A copy of a block on its own: (its owner, its path there)."""
    owner = Owner(block.sdfg)
    return owner, (owner._graph.take_block((), block._graph.copy(), block._block_path, True),)


def attach_nodes(node, state):
    """Adds a node that was made on its own to a state, an entry with its exit; nothing if it is there, as an exit whose entry was added."""
    owner = node.state._owner
    if not isinstance(owner, Owner) or not any(node is one for one in owner.nodes):
        if node.state == state:
            return
        raise ValueError(f"{node.label} is a node of {node.state.label}, not of {state.label}")
    numbers = [number for number, _ in owner._graph.nodes(node.state._path)]
    moved = dict(zip(numbers, state._graph.take_nodes(state._path, owner._graph, node.state._path, numbers)))
    for one in owner.nodes:
        one._name(state, moved[one.node_id])
    owner.nodes = []
