"""Control flow: interstate edges, loops and branches."""
import ast

from .code_block import CodeBlock, code_property
from .detached import Owner, attach, attach_branch, copied, handle_at, settle
from .dtypes import int64
from .kept import KeptDict, kept
from .memlet import Memlet
from .state import SDFGState, element_property
from .strict import strict
from .walking import RegionQueries, names_in, renamed


def _text(code, absent=None):
    """Text of a condition or value given as text, number or symbolic expression."""
    return absent if code is None else str(code)


@strict("assignments")
class InterstateEdge:
    """A transition: taken if `condition` holds (Python text; "1" or None: always), then `assignments` (symbol to Python text) take
    effect together."""

    def __init__(self, condition=None, assignments=None):
        text = _text(condition, "1")
        self.condition = "" if text in ("1", "True") else text
        self.assignments = {str(name): str(value) for name, value in (assignments or {}).items()}

    @property
    def condition(self):
        """Python text, empty: always."""
        return self._condition

    @condition.setter
    def condition(self, value):
        self._condition = CodeBlock(_text(value, ""))

    def is_unconditional(self):
        """Whether it is always taken."""
        return str(self.condition) in ("", "1", "True")

    def read_symbols(self):
        """Names that the condition and the assigned values read."""
        return names_in(self.condition).union(*(names_in(value) for value in self.assignments.values()))

    def used_symbols(self, all_symbols=False, union_lhs_symbols=False):
        """The same without names that it assigns and does not read first; union_lhs_symbols: with all that it assigns."""
        read = self.read_symbols()
        return read | set(self.assignments) if union_lhs_symbols else read

    free_symbols = property(used_symbols, doc="What used_symbols() gives.")

    def used_arrays(self, arrays, union_lhs_symbols=False):
        """Those of used_symbols() that are containers."""
        return self.used_symbols(union_lhs_symbols=union_lhs_symbols).intersection(arrays)

    def used_sdfg_symbols(self, arrays, union_lhs_symbols=False):
        """Those of used_symbols() that are no containers."""
        return self.used_symbols(union_lhs_symbols=union_lhs_symbols).difference(arrays)

    def new_symbols(self, sdfg, symbols):
        """What it assigns, with the types that the SDFG declares; int64 where it declares none."""
        declared = sdfg.symbols
        return {name: declared.get(name, int64) for name in self.assignments}

    def get_read_memlets(self, arrays):
        """Memlets of what the condition and the assigned values read of these containers."""
        found = []
        for text in filter(None, (str(self.condition), *self.assignments.values())):
            for one in ast.walk(ast.parse(text, mode="eval")):
                if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name) and one.value.id in arrays:
                    found.append(Memlet(data=one.value.id, subset=ast.unparse(one.slice).strip("()")))
            subscripted = {memlet.data for memlet in found}
            found += [Memlet(data=name, subset="0") for name in sorted(names_in(text).intersection(arrays) - subscripted)]
        return found

    def replace(self, name, new_name, replace_keys=True):
        """Another name, or an expression, for one that it reads; replace_keys: for one that it assigns as well."""
        self.replace_dict({name: new_name}, replace_keys)

    def replace_dict(self, repl, replace_keys=True):
        """The same for several names at once."""
        repl = {str(name): str(new) for name, new in repl.items()}
        if str(self.condition):
            self.condition = renamed(self.condition, repl)
        self.assignments = {repl.get(name, name) if replace_keys else name: renamed(value, repl) for name, value in self.assignments.items()}

    def __repr__(self):
        return f"InterstateEdge({self.condition!r}, {self.assignments!r})"


def _block_id(block):
    """Its number in the region around it."""
    return block._block_path[-1]


class _EdgeOfGraph(InterstateEdge):
    """The transition of an edge: what is set on it, the graph has."""

    def __init__(self, region, edge_id, condition, assignments):
        self._region = None
        super().__init__(condition, assignments)
        self._region, self._id = region, edge_id
        self.assignments = self.assignments

    @property
    def _key(self):
        return id(self._region._graph), self._region._path, self._id

    def _keep(self, _=None):
        if self._region is not None:
            values = [(str(name), str(value)) for name, value in self.assignments.items()]
            self._region._graph.set_transition(self._region._path, self._id, _text(self.condition, "1"), values)

    def __setattr__(self, name, value):
        if name == "assignments" and self._region is not None:
            value = KeptDict(value or {}, self._keep)
        super().__setattr__(name, value)
        if name in ("condition", "assignments"):
            self._keep()


@strict("src", "dst")
class _Transition:
    def __init__(self, src, dst, data):
        self.src, self.dst, self._data = src, dst, data

    def __eq__(self, other):
        return isinstance(other, _Transition) and self._data._key == other._data._key

    def __hash__(self):
        return hash(self._data._key)

    @property
    def data(self):
        """The InterstateEdge; what is set on it, the graph has. Assign another to replace it."""
        return self._data

    @data.setter
    def data(self, value):
        self._data.condition, self._data.assignments = value.condition, value.assignments

    def __repr__(self):
        return f"<{self.src.label} -> {self.dst.label}: {self.data!r}>"


@strict("sdfg")
class ControlFlowRegion(RegionQueries):
    """Blocks joined by interstate edges. The SDFG is one, and so are the bodies of loops and branches."""

    _kind = "ControlFlowRegion"
    _is_branch = False

    def __new__(cls, *args, **kwargs):
        return super().__new__(_Body if cls is ControlFlowRegion else cls)

    def __init__(self, label="region", sdfg=None, parent=None):
        """A group of blocks, made on its own, to be added with add_node. sdfg is the one that it is added to."""
        owner = Owner(sdfg)
        settle(self, owner, (self._make(owner._graph, label), 0))

    @classmethod
    def _at(cls, owner, path, is_branch=False):
        region = handle_at(cls, owner, path)
        region._is_branch = is_branch
        return region

    @property
    def _block_path(self):
        return self._path if self._is_branch else self._path[:-1]

    def _make(self, graph, label):
        block = graph.add_block((), "region", label, True)
        graph.set_element((block,), "kind", self._kind)
        return block

    @property
    def label(self):
        """Name, unique in its region."""
        return self._graph.label(self._path[:-1]) if self._graph is not None else self._made

    @label.setter
    def label(self, value):
        self._graph.set_label(self._path[:-1], value)

    def __repr__(self):
        return f"<region {self.label}>"

    @property
    def _sdfg(self):
        return self.__dict__.get("sdfg", self)

    # ---- what is there ----
    def _block(self, block_id, kind):
        path = (*self._path, block_id)
        if kind == "state":
            return SDFGState._at(self._owner, path)
        if kind == "loop":
            return LoopRegion._at(self._owner, (*path, 0))
        if kind == "region":
            return _REGIONS[self._graph.get_element(path, "kind")]._at(self._owner, (*path, 0))
        return _BLOCKS[kind]._at(self._owner, path)

    def _block_of(self, block_id):
        return self._block(block_id, dict(self._graph.blocks(self._path))[block_id])

    def nodes(self):
        """The blocks: states, loops, conditionals, ..."""
        return [self._block(block_id, kind) for block_id, kind in self._graph.blocks(self._path)]

    def states(self):
        """The states, those inside loops and branches included."""
        found = []
        for block in self.nodes():
            if isinstance(block, SDFGState):
                found.append(block)
            elif isinstance(block, ControlFlowRegion):
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
        blocks = {_block_id(block): block for block in self.nodes()}
        return [_Transition(blocks[src], blocks[dst], _EdgeOfGraph(self, edge_id, condition, dict(assignments)))
                for edge_id, src, dst, condition, assignments in self._graph.transitions(self._path)]

    def number_of_nodes(self):
        """Number of blocks."""
        return len(self._graph.blocks(self._path))

    def number_of_edges(self):
        """Number of interstate edges."""
        return len(self._graph.transitions(self._path))

    def source_nodes(self):
        """Blocks that no edge enters."""
        entered = {dst for _, _, dst, _, _ in self._graph.transitions(self._path)}
        return [block for block in self.nodes() if _block_id(block) not in entered]

    def sink_nodes(self):
        """Blocks that no edge leaves."""
        left = {src for _, src, _, _, _ in self._graph.transitions(self._path)}
        return [block for block in self.nodes() if _block_id(block) not in left]

    @property
    def start_block(self):
        """The block where control enters."""
        start = self._graph.start(self._path)
        return None if start is None else self._block_of(start)

    @start_block.setter
    def start_block(self, block):
        self._graph.set_start(self._path, _block_id(block))

    start_state = start_block

    # ---- blocks ----
    def add_state(self, label=None, is_start_block=False, *, is_start_state=False):
        """A new state; its label is made unique."""
        block = self._graph.add_block(self._path, "state", label or "state", is_start_block or is_start_state)
        return SDFGState._at(self._owner, (*self._path, block))

    def add_state_after(self, state, label=None, is_start_block=False, *, is_start_state=False, condition=None, assignments=None):
        """A new state after `state`, which gives it the edges that left `state`."""
        after = self.add_state(label, is_start_block, is_start_state=is_start_state)
        for edge_id, src, dst, text, given in self._graph.transitions(self._path):
            if src == _block_id(state):
                self._graph.remove_transition(self._path, edge_id)
                self._graph.add_transition(self._path, _block_id(after), dst, text, given)
        self.add_edge(state, after, InterstateEdge(condition, assignments))
        return after

    def add_state_before(self, state, label=None, is_start_block=False, *, is_start_state=False, condition=None, assignments=None):
        """A new state before `state`, which gives it the edges that entered `state`."""
        was_start = self._graph.start(self._path) == _block_id(state)
        before = self.add_state(label, is_start_block or was_start, is_start_state=is_start_state)
        for edge_id, src, dst, text, given in self._graph.transitions(self._path):
            if dst == _block_id(state):
                self._graph.remove_transition(self._path, edge_id)
                self._graph.add_transition(self._path, src, _block_id(before), text, given)
        self.add_edge(before, state, InterstateEdge(condition, assignments))
        return before

    def add_node(self, block, is_start_block=False, ensure_unique_name=False, *, is_start_state=False):
        """Adds a state, loop, conditional or another block that was made on its own, with what is in it. Its label is made unique."""
        attach(block, self, is_start_block or is_start_state)
        return block

    def _add_plain(self, kind, label, start):
        return self.add_node(_BLOCKS[kind](label or kind), start)

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
        edge_id = self._graph.add_transition(self._path, _block_id(src), _block_id(dst), data.condition, list(data.assignments.items()))
        return _Transition(src, dst, _EdgeOfGraph(self, edge_id, data.condition, data.assignments))

    def remove_node(self, block):
        """Removes a block with its edges."""
        self._graph.remove_block(self._path, _block_id(block))

    def remove_edge(self, edge):
        """Removes an interstate edge."""
        self._graph.remove_transition(self._path, edge.data._id)

    def node_id(self, block):
        """The place of a block in nodes()."""
        return self.nodes().index(block)

    def node(self, at):
        """The block at a place of nodes()."""
        return self.nodes()[at]

    state = node

    def add_loop(self, before_state=None, loop_state=None, after_state=None, loop_var=None, initialize_expr=None, condition_expr=None,
                 increment_expr=None, loop_end_state=None, label=None):
        """A loop of plain states around `loop_state` (to `loop_end_state`): returns the states before, at the guard and after. States
        given as None are made; label: what the guard's begins with. Expressions are Python text; loop_var may be None for a while loop."""
        loop_state = loop_state if loop_state is not None else self.add_state("loop_body")
        before_state = before_state if before_state is not None else self.add_state("before")
        after_state = after_state if after_state is not None else self.add_state("after")
        guard = self.add_state(f"{label}_guard" if label else "guard")
        initial = {loop_var: initialize_expr} if loop_var else None
        step = {loop_var: increment_expr} if loop_var else None
        self.add_edge(before_state, guard, InterstateEdge(assignments=initial))
        self.add_edge(guard, loop_state, InterstateEdge(condition_expr))
        self.add_edge(loop_end_state or loop_state, guard, InterstateEdge(assignments=step))
        self.add_edge(guard, after_state, InterstateEdge(f"not ({condition_expr})"))
        return before_state, guard, after_state

    add_loop_state_machine = add_loop


class _Handle:
    """Two handles of one block are equal."""

    @property
    def _place(self):
        return id(self._graph), self._block_path

    def __eq__(self, other):
        return self is other or (type(self) is type(other) and self._place == other._place)

    def __hash__(self):
        return hash(self._place)

    def __deepcopy__(self, memo):
        owner, path = copied(self)
        return self._at(owner, path if self._path == self._block_path else (*path, 0))


class _Plain(_Handle):
    """A block that is no region."""

    @classmethod
    def _at(cls, owner, path):
        return handle_at(cls, owner, path)

    _block_path = property(lambda self: self._path)

    @property
    def label(self):
        """Name, unique in its region."""
        return self._graph.label(self._path)

    @label.setter
    def label(self, value):
        self._graph.set_label(self._path, value)


@strict("sdfg")
class Block(_Plain):
    """A break, continue or return block: made on its own, then added with add_node."""
    kind = ""

    def __init__(self, label=None, sdfg=None, parent=None):
        owner = Owner(sdfg)
        settle(self, owner, (owner._graph.add_block((), self.kind, label or self.kind, True),))

    def __repr__(self):
        return f"<{self.kind} {self.label}>"


class BreakBlock(Block):
    """Leaves the loop around it."""
    kind = "break"


class ContinueBlock(Block):
    """Goes on with the next iteration."""
    kind = "continue"


class ReturnBlock(Block):
    """Ends the SDFG."""
    kind = "return"




class _Body(_Handle, ControlFlowRegion):
    pass


class LoopRegion(_Body):
    """`initialize; while condition: body; update`. Made on its own, then added with add_node.

    label: name. condition_expr: Python text. loop_var: variable (empty: a while loop). initialize_expr, update_expr: Python
    assignments, `i = 0` and `i = i + 1`. inverted: the test comes at the end.
    """

    def __init__(self, label, condition_expr=None, loop_var=None, initialize_expr=None, update_expr=None, inverted=False, sdfg=None,
                 update_before_condition=True, unroll=False, unroll_factor=0):
        self._given = (_text(condition_expr, "True"), loop_var or "", _text(initialize_expr), _text(update_expr), inverted)
        super().__init__(label, sdfg)
        self.update_before_condition, self.unroll, self.unroll_factor = update_before_condition, unroll, unroll_factor

    def _make(self, graph, label):
        return graph.add_loop((), label, *self._given, True)

    @property
    def _element(self):
        return self._block_path

    loop_variable = element_property("loop_variable", "The variable; empty: a while loop.")
    loop_condition = code_property(element_property("loop_condition", "Python text; the loop goes on while it holds."))
    init_statement = code_property(element_property("init_statement", "Python assignment, `i = 0`; None: none."))
    update_statement = code_property(element_property("update_statement", "Python assignment, `i = i + 1`; None: none."))
    inverted = element_property("inverted", "The test comes at the end.")
    update_before_condition = element_property("update_before_condition", "With `inverted`: the update comes before the test.")
    unroll = element_property("unroll", "Print the iterations one after the other.")
    unroll_factor = element_property("unroll_factor", "Iterations that are printed one after the other; 0: all, where `unroll` is set.")
    schedule = element_property("schedule", "CPU_Persistent: one team of threads runs the whole loop.")

    def _has(self, kind):
        def blocks(region):
            for block in region.nodes():
                yield block
                for inner in block.nodes() if isinstance(block, ConditionalBlock) else [block] if isinstance(block, ControlFlowRegion) else []:
                    if not isinstance(inner, LoopRegion):
                        yield from blocks(inner)
        return any(isinstance(block, kind) for block in blocks(self))

    has_break = property(lambda self: self._has(BreakBlock), doc="Whether a block inside leaves the loop.")
    has_continue = property(lambda self: self._has(ContinueBlock), doc="Whether a block inside goes on with the next iteration.")
    has_return = property(lambda self: any(isinstance(block, ReturnBlock) for block in self.all_control_flow_blocks()),
                          doc="Whether a block inside ends the SDFG.")


class NamedRegion(_Body):
    """Blocks under a name, `with dace.named(...)`."""
    _kind = "NamedRegion"


class FunctionCallRegion(NamedRegion):
    """The blocks of a call; `arguments`: what each parameter is."""
    _kind = "FunctionCallRegion"
    arguments = property(lambda self: kept(self._graph.get_element(self._block_path, "arguments"), self._set_arguments),
                         lambda self, value: self._set_arguments(value), doc="Texts by the names of parameters.")

    def __init__(self, label="call", arguments=None, sdfg=None):
        super().__init__(label, sdfg)
        self._set_arguments(arguments or {})

    def _set_arguments(self, value):
        self._graph.set_element(self._block_path, "arguments", {str(name): str(text) for name, text in value.items()})


class UnstructuredControlFlow(NamedRegion):
    """Blocks whose edges no loop or branch describes."""
    _kind = "UnstructuredControlFlow"


@strict("sdfg")
class ConditionalBlock(_Plain):
    """The first branch whose condition holds; the branch without one if none does. Made on its own, then added with add_node."""

    def __init__(self, label, sdfg=None, parent=None):
        owner = Owner(sdfg)
        settle(self, owner, (owner._graph.add_block((), "conditional", label, True),))

    def add_branch(self, condition=None, branch=None):
        """A new branch; condition is Python text, None: else. Returns its region: `branch`, made on its own, or a new one."""
        branch = branch if branch is not None else ControlFlowRegion("branch")
        attach_branch(branch, self, _text(condition))
        return branch

    @property
    def branches(self):
        """(condition, region) of each branch: Python text; None: else."""
        conditions = [self._graph.branch_condition(self._path, at) for at in range(self._graph.branches(self._path))]
        return [(text if text is None else CodeBlock(text), _Body._at(self._owner, (*self._path, at), True)) for at, text in enumerate(conditions)]

    def set_branch_condition(self, at, condition):
        """Another condition for the branch of this number: Python text; None: else."""
        self._graph.set_branch_condition(self._path, at, _text(condition))

    def remove_branch(self, branch):
        """Removes a branch, given by its region."""
        self._graph.remove_branch(self._path, branch._path[-1])

    def nodes(self):
        """The regions of its branches."""
        return [branch for _, branch in self.branches]

    sub_regions = nodes

    def edges(self):
        """None: one branch is taken."""
        return []

    def number_of_nodes(self):
        """Number of branches."""
        return self._graph.branches(self._path)


def region_at(sdfg, path):
    """The region of a path: pairs of a block and a branch."""
    region = sdfg
    for block, branch in zip(path[::2], path[1::2]):
        found = region._block_of(block)
        region = found.branches[branch][1] if isinstance(found, ConditionalBlock) else found
    return region


_BLOCKS = {"conditional": ConditionalBlock, **{kind.kind: kind for kind in (BreakBlock, ContinueBlock, ReturnBlock)}}
_REGIONS = {"ControlFlowRegion": _Body, **{kind._kind: kind for kind in (NamedRegion, FunctionCallRegion, UnstructuredControlFlow)}}
AbstractControlFlowRegion = (ControlFlowRegion, ConditionalBlock)
ControlFlowBlock = (SDFGState, Block, *AbstractControlFlowRegion)
