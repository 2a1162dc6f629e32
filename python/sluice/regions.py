"""Control flow: interstate edges, loops and branches."""
from . import _core
from .state import SDFGState
from .strict import strict


def _text(code, absent=None):
    """Text of a condition or value given as text, number or symbolic expression."""
    return absent if code is None else str(code)


@strict("condition", "assignments")
class InterstateEdge:
    """A transition: taken if `condition` holds (Python text; "1" or None: always), then `assignments` (symbol to Python text) take
    effect together."""

    def __init__(self, condition=None, assignments=None):
        text = _text(condition, "1")
        self.condition = "" if text in ("1", "True") else text
        self.assignments = {str(name): str(value) for name, value in (assignments or {}).items()}

    def __repr__(self):
        return f"InterstateEdge({self.condition!r}, {self.assignments!r})"


@strict("src", "dst", "data")
class _Transition:
    def __init__(self, src, dst, data):
        self.src, self.dst, self.data = src, dst, data

    def __repr__(self):
        return f"<{self.src.label} -> {self.dst.label}: {self.data!r}>"


@strict("sdfg")
class ControlFlowRegion:
    """Blocks joined by interstate edges. The SDFG is one, and so are the bodies of loops and branches."""

    _graph = None
    _path = ()

    @property
    def _sdfg(self):
        return self

    # ---- what is there ----
    def _block(self, block_id, kind):
        path = (*self._path, block_id)
        if kind == "state":
            return SDFGState(self._sdfg, path)
        if kind == "loop":
            return LoopRegion._attached(self._sdfg, path)
        if kind == "conditional":
            return ConditionalBlock._attached(self._sdfg, path)
        return Block(self._sdfg, path, kind)

    def nodes(self):
        """The blocks: states, loops, conditionals, ..."""
        return [self._block(block_id, kind) for block_id, kind in self._graph.blocks(self._path)]

    def states(self):
        """The states, those inside loops and branches included."""
        found = []
        for block in self.nodes():
            if isinstance(block, SDFGState):
                found.append(block)
            elif isinstance(block, LoopRegion):
                found += block.states()
            elif isinstance(block, ConditionalBlock):
                found += [state for _, branch in block.branches for state in branch.states()]
        return found

    def all_states(self):
        """The same, under its newer name."""
        return self.states()

    def all_nodes_recursive(self):
        """Pairs (node, its parent): blocks with their regions, nodes with their states, those of called SDFGs included; outer ones
        first."""
        for block in self.nodes():
            yield block, self
            if isinstance(block, ConditionalBlock):
                for _, branch in block.branches:
                    yield from branch.all_nodes_recursive()
            elif hasattr(block, "all_nodes_recursive"):
                yield from block.all_nodes_recursive()

    def all_edges_recursive(self):
        """Pairs (edge, its parent): interstate edges with their regions, edges of states with these, those of called SDFGs included."""
        for edge in self.edges():
            yield edge, self
        for block in self.nodes():
            if isinstance(block, ConditionalBlock):
                for _, branch in block.branches:
                    yield from branch.all_edges_recursive()
            elif hasattr(block, "all_edges_recursive"):
                yield from block.all_edges_recursive()

    def edges(self):
        """The interstate edges."""
        blocks = {block._path[-1]: block for block in self.nodes()}
        return [_Transition(blocks[src], blocks[dst], InterstateEdge(condition, dict(assignments)))
                for _, src, dst, condition, assignments in self._graph.transitions(self._path)]

    @property
    def start_block(self):
        """The block where control enters."""
        start = self._graph.start(self._path)
        return None if start is None else self._block(start, dict(self._graph.blocks(self._path))[start])

    @start_block.setter
    def start_block(self, block):
        self._graph.set_start(self._path, block._path[-1])

    start_state = start_block

    # ---- blocks ----
    def add_state(self, label=None, is_start_block=False, *, is_start_state=False):
        """A new state; its label is made unique."""
        block = self._graph.add_block(self._path, "state", label or "state", is_start_block or is_start_state)
        return SDFGState(self._sdfg, (*self._path, block))

    def add_state_after(self, state, label=None, is_start_block=False, *, is_start_state=False, condition=None, assignments=None):
        """A new state after `state`, which gives it the edges that left `state`."""
        after = self.add_state(label, is_start_block, is_start_state=is_start_state)
        for edge_id, src, dst, text, given in self._graph.transitions(self._path):
            if src == state._path[-1]:
                self._graph.remove_transition(self._path, edge_id)
                self._graph.add_transition(self._path, after._path[-1], dst, text, given)
        self.add_edge(state, after, InterstateEdge(condition, assignments))
        return after

    def add_state_before(self, state, label=None, is_start_block=False, *, is_start_state=False, condition=None, assignments=None):
        """A new state before `state`, which gives it the edges that entered `state`."""
        was_start = self._graph.start(self._path) == state._path[-1]
        before = self.add_state(label, is_start_block or was_start, is_start_state=is_start_state)
        for edge_id, src, dst, text, given in self._graph.transitions(self._path):
            if dst == state._path[-1]:
                self._graph.remove_transition(self._path, edge_id)
                self._graph.add_transition(self._path, src, before._path[-1], text, given)
        self.add_edge(before, state, InterstateEdge(condition, assignments))
        return before

    def add_node(self, block, is_start_block=False, *, is_start_state=False):
        """Adds a LoopRegion or ConditionalBlock made on its own; it can be filled from then on."""
        block._attach(self, is_start_block or is_start_state)
        return block

    def _add_plain(self, kind, label, start):
        return Block(self._sdfg, (*self._path, self._graph.add_block(self._path, kind, label or kind, start)), kind)

    def add_break(self, label=None, is_start_block=False):
        """A block that leaves the loop around it."""
        return self._add_plain("break", label, is_start_block)

    def add_continue(self, label=None, is_start_block=False):
        """A block that goes on with the next iteration."""
        return self._add_plain("continue", label, is_start_block)

    def add_return(self, label=None, is_start_block=False):
        """A block that ends the SDFG."""
        return self._add_plain("return", label, is_start_block)

    def add_edge(self, src, dst, data=None):
        """An interstate edge between two blocks of this region."""
        data = data if data is not None else InterstateEdge()
        self._graph.add_transition(self._path, src._path[-1], dst._path[-1], data.condition, list(data.assignments.items()))
        return _Transition(src, dst, data)

    def add_loop(self, before_state, loop_state, after_state, loop_var, initialize_expr, condition_expr, increment_expr,
                 loop_end_state=None):
        """A loop of plain states around `loop_state` (to `loop_end_state`): returns the states before, at the guard and after. States
        given as None are made. Expressions are Python text; loop_var may be None for a while loop."""
        before_state = before_state if before_state is not None else self.add_state("before")
        after_state = after_state if after_state is not None else self.add_state("after")
        guard = self.add_state("guard")
        initial = {loop_var: initialize_expr} if loop_var else None
        step = {loop_var: increment_expr} if loop_var else None
        self.add_edge(before_state, guard, InterstateEdge(assignments=initial))
        self.add_edge(guard, loop_state, InterstateEdge(condition_expr))
        self.add_edge(loop_end_state or loop_state, guard, InterstateEdge(assignments=step))
        self.add_edge(guard, after_state, InterstateEdge(f"not ({condition_expr})"))
        return before_state, guard, after_state


@strict("sdfg", "kind")
class Block:
    """A break, continue or return block."""

    def __init__(self, sdfg, path, kind):
        self.sdfg, self._graph, self._path, self.kind = sdfg, sdfg._graph, tuple(path), kind

    @property
    def label(self):
        """Name, unique in its region."""
        return self._graph.label(self._path)

    def __repr__(self):
        return f"<{self.kind} {self.label}>"


class _Body(ControlFlowRegion):
    def __init__(self, sdfg, path):
        self.sdfg, self._graph, self._path = sdfg, sdfg._graph, tuple(path)

    @property
    def _sdfg(self):
        return self.sdfg


class LoopRegion(_Body):
    """`initialize; while condition: body; update`. Made on its own, then added with add_node, then filled.

    label: name. condition_expr: Python text. loop_var: variable (empty: a while loop). initialize_expr, update_expr: Python
    assignments, `i = 0` and `i = i + 1`. inverted: the test comes at the end.
    """

    def __init__(self, label, condition_expr=None, loop_var=None, initialize_expr=None, update_expr=None, inverted=False):
        self._made = (label, _text(condition_expr, "True"), loop_var or "", _text(initialize_expr), _text(update_expr), inverted)
        self._graph = None

    @classmethod
    def _attached(cls, sdfg, path):
        region = cls.__new__(cls)
        region.sdfg, region._graph, region._block_path, region._path = sdfg, sdfg._graph, tuple(path), (*path, 0)
        return region

    def _attach(self, region, start):
        block = region._graph.add_loop(region._path, *self._made, start)
        self.sdfg, self._graph = region._sdfg, region._graph
        self._block_path = (*region._path, block)
        self._path = (*self._block_path, 0)

    @property
    def label(self):
        """Name, unique in its region."""
        return self._graph.label(self._block_path) if self._graph is not None else self._made[0]


@strict("sdfg")
class ConditionalBlock:
    """The first branch whose condition holds; the branch without one if none does. Added with add_node, then given branches."""

    def __init__(self, label):
        self._label = label
        self._graph = None

    @classmethod
    def _attached(cls, sdfg, path):
        block = cls("")
        block.sdfg, block._graph, block._path = sdfg, sdfg._graph, tuple(path)
        return block

    def _attach(self, region, start):
        block = region._graph.add_block(region._path, "conditional", self._label, start)
        self.sdfg, self._graph = region._sdfg, region._graph
        self._path = (*region._path, block)

    @property
    def label(self):
        """Name, unique in its region."""
        return self._graph.label(self._path) if self._graph is not None else self._label

    def add_branch(self, condition=None, branch=None):
        """A new branch; condition is Python text, None: else. Returns its region, to be filled."""
        if self._graph is None:
            raise ValueError("add the block to a region before its branches: sdfg.add_node(block)")
        return _Body(self.sdfg, (*self._path, self._graph.add_branch(self._path, _text(condition))))

    @property
    def branches(self):
        """(None, region) of each branch."""
        return [(None, _Body(self.sdfg, (*self._path, at))) for at in range(self._graph.branches(self._path))]
