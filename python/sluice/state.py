"""States: acyclic dataflow, built with DaCe's method names."""
import functools
import re
import sys
import weakref

from . import _core, nodes
from .detached import Owner, attach_nodes, copied, handle_at, settle
from .dtypes import Language, ScheduleType
from .matches import apply_at
from .memlet import Memlet, wcr_text
from .ports import port_name
from .strict import strict
from .walking import StateQueries, renamed


def element_property(name, doc):
    """A property of the SDFG, a state or a loop, which lives in the graph."""
    return property(lambda self: self._graph.get_element(self._element, name),
                    lambda self, value: self._graph.set_element(self._element, name, value), doc=doc)


@strict("state", "edge_id", "src", "src_conn", "dst", "dst_conn")
class Edge:
    """An edge of a state: src, src_conn, dst, dst_conn and the memlet as `data`."""

    def __init__(self, state, edge_id):
        self.state = state
        self.edge_id = edge_id
        by_id = state._node
        src, self.src_conn, dst, self.dst_conn = state._graph.edge(state._path, edge_id)
        self.src, self.dst = by_id(src), by_id(dst)

    @property
    def data(self):
        """The memlet. What is set on it, the edge has; assign another to replace it."""
        memlet = Memlet(self.state._graph.memlet(self.state._path, self.edge_id))
        memlet._ends = getattr(self.src, "data", None), getattr(self.dst, "data", None)
        memlet._put_back = lambda changed: self.state._graph.set_memlet(self.state._path, self.edge_id, changed)
        return memlet

    @data.setter
    def data(self, memlet):
        self.state._graph.set_memlet(self.state._path, self.edge_id, memlet)

    def __eq__(self, other):
        return isinstance(other, Edge) and self.edge_id == other.edge_id and self.state == other.state

    def __hash__(self):
        return hash((self.state, self.edge_id))

    def __repr__(self):
        return f"<{self.src.label} -> {self.dst.label}: {self.data!r}>"


@strict("sdfg")
class SDFGState(StateQueries):
    """A state of an SDFG: a handle, made by add_state, or on its own and then added with add_node. Methods raise CompileError where a text
    does not parse."""

    def __init__(self, label="state", sdfg=None):
        owner = Owner(sdfg)
        settle(self, owner, (owner._graph.add_block((), "state", label or "state", True),))

    @classmethod
    def _at(cls, owner, path):
        return handle_at(cls, owner, path)

    def __deepcopy__(self, memo):
        return self._at(*copied(self))

    @functools.cached_property
    def _known_nodes(self):
        """Handles of its nodes, as long as somebody holds them."""
        return weakref.WeakValueDictionary()

    _block_path = property(lambda self: self._path)
    parent = property(lambda self: self.sdfg, doc="The SDFG around.")

    def __eq__(self, other):
        return isinstance(other, SDFGState) and self._graph is other._graph and self._path == other._path

    def __hash__(self):
        return hash((id(self._graph), self._path))

    def __repr__(self):
        return f"<state {self.label}>"

    @property
    def _element(self):
        return self._path

    @property
    def label(self):
        """Name, unique in its region."""
        return self._graph.label(self._path)

    @label.setter
    def label(self, value):
        self._graph.set_label(self._path, value)

    name = label
    nosync = element_property("nosync", "Nobody waits at the end of the state.")
    schedule = element_property("schedule", "CPU_Multicore: parts that only bounded streams join run at the same time.")
    instrument = element_property("instrument", "What is measured: a member of InstrumentationType or its name.")

    # ---- what is there ----
    def _node(self, node_id):
        return nodes.node_of(self, node_id, self._graph.node_kind(self._path, node_id))

    def nodes(self):
        """All nodes."""
        return [nodes.node_of(self, node_id, kind) for node_id, kind in self._graph.nodes(self._path)]

    def edges(self):
        """All edges."""
        return [Edge(self, edge_id) for edge_id in self._graph.edges(self._path)]

    def source_nodes(self):
        """Nodes without edges into them."""
        entered = {edge.dst for edge in self.edges()}
        return [node for node in self.nodes() if node not in entered]

    def sink_nodes(self):
        """Nodes without edges out of them."""
        left = {edge.src for edge in self.edges()}
        return [node for node in self.nodes() if node not in left]

    def data_nodes(self):
        """All access nodes."""
        return [node for node in self.nodes() if isinstance(node, nodes.AccessNode)]

    def number_of_nodes(self):
        """Number of nodes."""
        return len(self._graph.nodes(self._path))

    def number_of_edges(self):
        """Number of edges."""
        return len(self._graph.edges(self._path))

    def is_empty(self):
        """Whether the state has no nodes."""
        return self.number_of_nodes() == 0

    def all_nodes_recursive(self):
        """Pairs (node, state) of this state and of the SDFGs that it calls, outer ones first."""
        for node in self.nodes():
            yield node, self
            if isinstance(node, nodes.NestedSDFG):
                yield from node.sdfg.all_nodes_recursive()

    def all_edges_recursive(self):
        """Pairs (edge, state) of this state and of the SDFGs that it calls, outer ones first."""
        for edge in self.edges():
            yield edge, self
        for node in self.nodes():
            if isinstance(node, nodes.NestedSDFG):
                yield from node.sdfg.all_edges_recursive()

    def entry_node_of(self, exit_node):
        """The entry that an exit closes."""
        return self._node(self._graph.entry_of(self._path, exit_node.node_id))

    def remove_node(self, node):
        """Removes a node with its edges."""
        self._graph.remove_node(self._path, node.node_id)

    def remove_edge(self, edge):
        """Removes an edge."""
        self._graph.remove_edge(self._path, edge.edge_id)

    def remove_nodes_from(self, nodes):
        """Removes nodes with their edges."""
        for node in list(nodes):
            self.remove_node(node)

    def remove_edge_and_connectors(self, edge):
        """Removes an edge and the connectors at its ends that no other edge uses."""
        self.remove_edge(edge)
        if edge.src_conn and not self.out_edges_by_connector(edge.src, edge.src_conn):
            edge.src.remove_out_connector(edge.src_conn)
        if edge.dst_conn and not self.in_edges_by_connector(edge.dst, edge.dst_conn):
            edge.dst.remove_in_connector(edge.dst_conn)

    def remove_memlet_path(self, edge, remove_orphans=True):
        """Removes an edge with the edges that carry the same data through scopes, and, remove_orphans, access nodes that nothing joins then."""
        for one in self.memlet_path(edge):
            self.remove_edge_and_connectors(one)
            for end in (one.src, one.dst):
                if remove_orphans and isinstance(end, nodes.AccessNode) and not self.all_edges(end):
                    self.remove_node(end)

    def node_id(self, node):
        """The place of a node in nodes()."""
        return self.nodes().index(node)

    def node(self, at):
        """The node at a place of nodes()."""
        return self.nodes()[at]

    def replace(self, name, new_name):
        """Another name, or an expression, for a symbol or container wherever this state names it."""
        self.replace_dict({name: new_name})

    def replace_dict(self, repl, symrepl=None):
        """The same for several names at once. Raises ValueError where code in another language than Python has one of them."""
        repl = {str(name): str(new) for name, new in (symrepl or repl).items()}
        for node in self.nodes():
            if isinstance(node, nodes.AccessNode):
                node.data = repl.get(node.data, node.data)
            elif isinstance(node, nodes.MapEntry):
                node.range.replace(repl)
            elif isinstance(node, nodes.NestedSDFG):
                node.symbol_mapping = {name: _core.Expr(value).subs(repl) for name, value in node.symbol_mapping.items()}
            elif isinstance(node, nodes.Tasklet):
                given = {name: new for name, new in repl.items() if name not in node.in_connectors and name not in node.out_connectors}
                if node.language == "Python":
                    node.code = renamed(node.code, given)
                elif found := [name for name in given if re.search(rf"\b{re.escape(name)}\b", node.code)]:
                    raise ValueError(f"the code of {node.label} is not Python: replace {found[0]} in it by hand")
        for edge in self.edges():
            memlet = edge.data
            if memlet.data is not None:
                memlet.data = repl.get(memlet.data, memlet.data)
                for box in filter(None, (memlet.subset, memlet.other_subset)):
                    box.replace(repl)
                memlet.volume = memlet.volume.subs(repl)

    def expand_library_node(self, node, implementation=None, **options):
        """Expands one library node by the expansion of this name; returns the name. options: of expansions of users' classes. Raises ValueError
        for a node of another state."""
        if node.state != self:
            raise ValueError(f"{node.label} is not in this state")
        if type(node) in nodes.OWN.values():
            return node.expand(self, implementation, **options)
        if implementation is not None:
            node.implementation = implementation
        chosen = node.implementation
        apply_at(self.sdfg, "ExpandLibraryNode", [node])
        return chosen

    # ---- containers with an access node, as DaCe's states make them ----
    def add_array(self, name, shape, dtype, **properties):
        """SDFG.add_array, and an access node of the array."""
        return self.add_access(self.sdfg.add_array(name, shape, dtype, **properties)[0])

    def add_transient(self, name, shape, dtype, **properties):
        """SDFG.add_transient, and an access node of the array."""
        return self.add_access(self.sdfg.add_transient(name, shape, dtype, **properties)[0])

    def add_scalar(self, name, dtype, **properties):
        """SDFG.add_scalar, and an access node of it."""
        return self.add_access(self.sdfg.add_scalar(name, dtype, **properties)[0])

    def add_stream(self, name, dtype, buffer_size=0, **properties):
        """SDFG.add_stream, and an access node of it."""
        return self.add_access(self.sdfg.add_stream(name, dtype, buffer_size, **properties)[0])

    # ---- nodes ----
    def add_access(self, data):
        """An access node of a container, given by name or descriptor."""
        return nodes.AccessNode._at(self, self._graph.add_access(self._path, getattr(data, "name", data)))

    def add_read(self, data):
        """An access node that is read."""
        return self.add_access(data)

    def add_write(self, data):
        """An access node that is written."""
        return self.add_access(data)

    def add_tasklet(self, name, inputs, outputs, code, language=Language.Python, *, code_global=None, code_init=None, code_exit=None,
                    side_effects=None, debuginfo=None, **properties):
        """A tasklet. inputs, outputs: connector names, or a dict of names to types (None: inferred). code: Python, or C++ with
        language=Language.CPP. Raises CompileError if Python code does not parse."""
        properties.update({name: value for name, value in
                           dict(code_global=code_global, code_init=code_init, code_exit=code_exit, side_effects=side_effects).items()
                           if value is not None})
        node = self._graph.add_tasklet(self._path, name, inputs or {}, outputs or {}, code, language, properties)
        return nodes.Tasklet._at(self, node)

    def add_map(self, name, ndrange, schedule=ScheduleType.Default, unroll=False, debuginfo=None):
        """A map scope over `{"i": "0:N"}`; returns its entry and exit. Ranges: begin:end:step, end exclusive."""
        ndrange = ndrange if isinstance(ndrange, dict) else dict([ndrange] if isinstance(ndrange[0], str) else ndrange)
        entry, exit_ = self._graph.add_map(self._path, name, ndrange, schedule)
        entry_node = nodes.MapEntry._at(self, entry)
        if unroll:
            entry_node.unroll = True
        return entry_node, nodes.MapExit._at(self, exit_)

    def add_consume(self, name, elements, condition=None, schedule=ScheduleType.Default, chunksize=1, debuginfo=None):
        """A consume scope; elements: (name of the processing element's index, number of them). Returns entry and exit."""
        entry, exit_ = self._graph.add_consume(self._path, name, elements[0], elements[1], condition)
        entry_node = nodes.ConsumeEntry._at(self, entry)
        entry_node.schedule = schedule
        entry_node.chunksize = chunksize
        return entry_node, nodes.ConsumeExit._at(self, exit_)

    def add_nested_sdfg(self, sdfg, *args, inputs=None, outputs=None, symbol_mapping=None, name=None, parent=None, schedule=None,
                        location=None, debuginfo=None):
        """A call of `sdfg`; what is edited in it later, the call has. Then inputs and outputs: its container names, or a dict of these to
        types. symbol_mapping: inner symbol to outer expression; symbols that are not named map to those of the same name. DaCe's older
        order has the SDFG around before the inputs."""
        if args and (args[0] is None or hasattr(args[0], "_graph")):
            args = args[1:]
        given = dict(zip(("inputs", "outputs", "symbol_mapping", "name"), args))
        inputs, outputs = given.get("inputs", inputs), given.get("outputs", outputs)
        symbol_mapping, name = given.get("symbol_mapping", symbol_mapping), given.get("name", name)
        if inputs is None or outputs is None:
            raise TypeError("add_nested_sdfg(sdfg, inputs, outputs, symbol_mapping)")
        mapping = {symbol: symbol for symbol in sdfg.free_symbols}
        mapping.update({str(inner): outer for inner, outer in (symbol_mapping or {}).items()})
        node = nodes.NestedSDFG._at(self, self._graph.add_nested(self._path, name or sdfg.name, sdfg._graph, sorted(inputs), sorted(outputs), mapping))
        for connectors, into in ((inputs, True), (outputs, False)):
            if isinstance(connectors, dict):
                node._set_connectors(into, connectors)
        return node

    def add_reduce(self, wcr, axes, identity=None, schedule=ScheduleType.Default, debuginfo=None):
        """A reduction over `axes` (None: all) by a lambda; `identity` starts the result (None: what is there already)."""
        axes = None if axes is None else [axes] if isinstance(axes, int) else list(axes)
        node = self._graph.add_library(self._path, "Reduce", "dace.libraries.standard.nodes.reduce.Reduce", "reduce", ["_in"], ["_out"],
                                       {"wcr": wcr_text(wcr), "axes": axes, "identity": identity})
        result = nodes.LibraryNode._at(self, node)
        result.schedule = schedule
        return result

    def add_node(self, node):
        """A node that was made on its own; the entry of a scope brings its exit. It can be connected from then on."""
        attach_nodes(node, self)

    def add_nodes_from(self, nodes):
        """The same for several nodes."""
        for node in nodes:
            self.add_node(node)

    def add_library_node(self, operation, inputs, outputs, label=None, implementation=None, **properties):
        """A node of an operation: its name or its class (operation.py). inputs, outputs: names of the connectors."""
        name = operation if isinstance(operation, str) else operation.__name__
        classpath = _core.describe_operation(name)["classpath"]
        node = nodes.LibraryNode._at(self, self._graph.add_library(self._path, name, classpath, label or name, list(inputs), list(outputs),
                                                               properties))
        if implementation is not None:
            node.implementation = implementation
        return node

    # ---- edges ----
    def add_edge(self, src, src_connector, dst, dst_connector, memlet):
        """An edge between connectors. None: no connector, but of a library node the only one that it has. Connectors that are missing on
        tasklets are not added; those of access nodes, `views` and `set`, are. A node that was made on its own is added. Raises ValueError
        for nodes of another state."""
        self._take(src, dst)
        if not memlet.is_empty():
            src_connector = src_connector or _only(src, "out_connectors")
            dst_connector = dst_connector or _only(dst, "in_connectors")
        if src_connector and isinstance(src, nodes.AccessNode):
            src.add_out_connector(src_connector)
        if dst_connector and isinstance(dst, nodes.AccessNode):
            dst.add_in_connector(dst_connector)
        return Edge(self, self._graph.add_edge(self._path, src.node_id, src_connector, dst.node_id, dst_connector, memlet))

    def _take(self, *ends):
        """Nodes that were made on their own are nodes of the state from here on."""
        for node in ends:
            if node.state != self:
                attach_nodes(node, self)

    def add_nedge(self, src, dst, memlet=None):
        """An edge without connectors; without a memlet it only orders the nodes."""
        return self.add_edge(src, None, dst, None, memlet if memlet is not None else Memlet())

    def add_edge_pair(self, scope, internal, external, internal_memlet, external_memlet=None, internal_connector=None,
                      scope_connector=None):
        """Two edges that meet at a scope node: outer, then inner for an entry, inner, then outer for an exit. Returns (outer, inner).
        The subset of the outer memlet follows from the inner one by propagation; of external_memlet only the container counts, and
        ValueError is raised where it is not that of the inner one. Raises NotImplementedError where the port's name is given."""
        if scope_connector is not None:
            raise NotImplementedError("add_edge_pair finds the port itself: leave scope_connector out, or use add_edge twice")
        if external_memlet is not None and external_memlet.data != internal_memlet.data:
            raise ValueError(f"the memlets of a pair are of one container, not of {external_memlet.data} and {internal_memlet.data}")
        before = {edge.edge_id for edge in self.edges()}
        if isinstance(scope, nodes.EntryNode):
            self.add_memlet_path(external, scope, internal, memlet=internal_memlet, dst_conn=internal_connector)
        else:
            self.add_memlet_path(internal, scope, external, memlet=internal_memlet, src_conn=internal_connector)
        new = [edge for edge in self.edges() if edge.edge_id not in before]
        outer = next((edge for edge in new if external in (edge.src, edge.dst)), None)
        inner = next((edge for edge in new if internal in (edge.src, edge.dst)), None)
        return outer, inner

    def add_memlet_path(self, *path_nodes, memlet=None, src_conn=None, dst_conn=None, propagate=True):
        """Edges along a path of nodes through scopes, with connectors on the scope nodes made as needed. `memlet` is the innermost
        one; the outer ones follow by propagation. Nodes that were made on their own are added; raises ValueError for those of another
        state."""
        self._take(*path_nodes)
        self._graph.add_memlet_path(self._path, [node.node_id for node in path_nodes], src_conn, dst_conn,
                                    memlet if memlet is not None else Memlet())
        for scope, connector in ((path_nodes[0], src_conn), (path_nodes[-1], dst_conn)):
            if (port := port_name(connector)) and isinstance(scope, (*nodes.EntryNode, *nodes.ExitNode)):
                scope.add_scope_connectors(port)

    def add_mapped_tasklet(self, name, map_ranges, inputs, code, outputs, schedule=ScheduleType.Default, unroll_map=False,
                           language=Language.Python, external_edges=False, input_nodes=None, output_nodes=None, propagate=True,
                           code_global="", code_init="", code_exit="", debuginfo=None, **properties):
        """A tasklet in a map. inputs, outputs: connector to memlet. external_edges: connect access nodes outside as well,
        `input_nodes`/`output_nodes` (container to node, or nodes) where given. Returns tasklet, entry and exit."""
        entry, exit_ = self.add_map(name, map_ranges, schedule, unroll_map)
        code_parts = {k: v for k, v in dict(code_global=code_global, code_init=code_init, code_exit=code_exit).items() if v}
        tasklet = self.add_tasklet(name, list(inputs), list(outputs), code, language, **code_parts, **properties)
        outside = external_edges or bool(input_nodes) or bool(output_nodes)
        self._connect(entry, tasklet, inputs, _by_data(input_nodes), outside, reading=True)
        self._connect(exit_, tasklet, outputs, _by_data(output_nodes), outside, reading=False)
        return tasklet, entry, exit_

    def _connect(self, scope, tasklet, memlets, outer, outside, reading):
        if not memlets:
            self.add_nedge(scope, tasklet) if reading else self.add_nedge(tasklet, scope)
        for connector, memlet in memlets.items():
            memlet = memlet if isinstance(memlet, _core.MemletValue) else Memlet(memlet)
            data = memlet.get("data")
            if not outside:
                ends = (scope, tasklet) if reading else (tasklet, scope)
                self.add_edge(ends[0], None if reading else connector, ends[1], connector if reading else None, memlet)
                continue
            if data not in outer:
                outer[data] = self.add_access(data)
            path = (outer[data], scope, tasklet) if reading else (tasklet, scope, outer[data])
            self.add_memlet_path(*path, memlet=memlet, **({"dst_conn": connector} if reading else {"src_conn": connector}))

    def add_simple_tasklet(self, name, map_ranges, inputs, code, outputs, **properties):
        """add_mapped_tasklet with access nodes around it."""
        return self.add_mapped_tasklet(name, map_ranges, inputs, code, outputs, external_edges=True, **properties)

    def fill_scope_connectors(self):
        """Adds the connectors that edges name to their nodes."""
        self._graph.fill_connectors(self._path)


def _only(node, connectors):
    """The connector of a library node that has one on this side."""
    names = list(getattr(node, connectors)) if isinstance(node, nodes.LibraryNode) else []
    return names[0] if len(names) == 1 else None


def _by_data(given):
    """Access nodes by container, from a dict or a collection of nodes."""
    if not given:
        return {}
    return dict(given) if isinstance(given, dict) else {node.data: node for node in given}


def __getattr__(name):
    """DaCe keeps the kinds of regions beside the state: those of regions.py, which stands above this file."""
    if name in ("AbstractControlFlowRegion", "Block", "BreakBlock", "ConditionalBlock", "ContinueBlock", "ControlFlowBlock", "ControlFlowRegion",
                "FunctionCallRegion", "InterstateEdge", "LoopRegion", "NamedRegion", "ReturnBlock", "UnstructuredControlFlow"):
        return getattr(sys.modules[f"{__package__}.regions"], name)
    raise AttributeError(f"module {__name__} has no attribute {name}")
