"""Nodes of a state: handles that name a node of the graph; their properties live in the graph."""
import sys

from . import _core
from .code_block import code_property
from .kept import KeptDict, KeptList, kept
from .ports import port_in, port_out
from .strict import strict
from .subsets import range_property


def _class_above(module, name):
    """A class of a file that stands above this one."""
    return getattr(sys.modules[f"{__package__}.{module}"], name)


@strict("state", "node_id")
class Node:
    """A node. Two handles of one node are equal. Nodes are made by the add_ methods of a state, or on their own and then added with
    SDFGState.add_node."""

    @classmethod
    def _at(cls, state, node_id):
        node = state._known_nodes.get((cls, node_id))
        if node is None:
            node = cls.__new__(cls)
            node._name(state, node_id)
        return node

    def _name(self, state, node_id):
        vars(self).update(state=state, node_id=node_id)
        state._known_nodes[type(self), node_id] = self

    def _alone(self, make):
        """The node is what make(state) returns, in a state that holds nothing else."""
        made = make(_class_above("state", "SDFGState")("alone"))
        self._name_one(made.state, made.node_id)

    def _name_one(self, state, node_id):
        self._name(state, node_id)
        state._owner.nodes.append(self)

    def __deepcopy__(self, memo):
        state, graph = _class_above("state", "SDFGState")("alone"), self.state._graph.copy()
        node = self._at(state, state._graph.take_nodes(state._path, graph, self.state._path, [self.node_id])[0])
        state._owner.nodes.append(node)
        return node

    @property
    def _key(self):
        return self.state._graph, self.state._path, self.node_id

    def _get(self, name):
        return kept(self.state._graph.get_node(self.state._path, self.node_id, name), lambda changed: self._set(name, dict(changed)))

    def _set(self, name, value):
        self.state._graph.set_node(self.state._path, self.node_id, name, value)

    def __str__(self):
        """Text for people: the container, or the label with its range."""
        return self.state._graph.node_label(self.state._path, self.node_id)

    @property
    def label(self):
        """The container, or the label."""
        return str(self)

    @label.setter
    def label(self, value):
        self._set("label", value)

    def _connectors(self, into):
        graph, path = self.state._graph, self.state._path
        return KeptDict(graph.connectors(path, self.node_id, into), lambda changed: graph.set_connectors(path, self.node_id, into, dict(changed)))

    def _set_connectors(self, into, connectors):
        types = connectors if isinstance(connectors, dict) else dict.fromkeys(connectors)
        self.state._graph.set_connectors(self.state._path, self.node_id, into, types)

    in_connectors = property(lambda self: self._connectors(True), lambda self, value: self._set_connectors(True, value),
                             doc="Input connectors with their types; a void type is inferred. Changes reach the graph.")
    out_connectors = property(lambda self: self._connectors(False), lambda self, value: self._set_connectors(False, value),
                              doc="Output connectors with their types; a void type is inferred. Changes reach the graph.")

    def add_in_connector(self, name, dtype=None, force=False):
        """Adds an input connector; False if it is there already."""
        return self.state._graph.add_connector(self.state._path, self.node_id, name, True, dtype)

    def add_out_connector(self, name, dtype=None, force=False):
        """Adds an output connector; False if it is there already."""
        return self.state._graph.add_connector(self.state._path, self.node_id, name, False, dtype)

    def remove_in_connector(self, name):
        """Removes an input connector; False if there is none."""
        return self.in_connectors.pop(name, self) is not self

    def remove_out_connector(self, name):
        """Removes an output connector; False if there is none."""
        return self.out_connectors.pop(name, self) is not self

    def add_scope_connectors(self, name):
        """Adds the connectors IN_name and OUT_name."""
        self.add_in_connector(port_in(name))
        self.add_out_connector(port_out(name))

    def __eq__(self, other):
        return isinstance(other, Node) and self.node_id == other.node_id and self.state == other.state

    def __hash__(self):
        return hash((self.state, self.node_id))

    def __repr__(self):
        return f"<{type(self).__name__} {self}>"


def _property(name, doc):
    return property(lambda self: self._get(name), lambda self, value: self._set(name, value), doc=doc)


class AccessNode(Node):
    """A place where a container is read or written."""
    data = _property("data", "The container's name.")
    setzero = _property("setzero", "Start from zero where a conflict resolution writes.")
    instrument = _property("instrument", "What is recorded of the data: a member of DataInstrumentationType or its name.")

    def __init__(self, data, debuginfo=None):
        self._alone(lambda state: state.add_access(data))

    def desc(self, sdfg):
        """The container's descriptor."""
        return sdfg.arrays[self.data]


class Tasklet(Node):
    """Computation over its connectors."""
    name = _property("label", "The label.")
    code = code_property(_property("code", "The source text, in the tasklet's language."))
    language = _property("language", "Language of the code: a member of Language or its name.")
    code_global = code_property(_property("code_global", "C++ at file scope."))
    code_init = code_property(_property("code_init", "C++ that runs when the program is initialised."))
    code_exit = code_property(_property("code_exit", "C++ that runs when the program is finalised."))
    state_fields = _property("state_fields", "C++ declarations that live as long as the program.")
    side_effects = _property("side_effects", "Whether it does more than write its outputs; None: as its code says.")
    ignored_symbols = _property("ignored_symbols", "Names in its code that are no symbols of the graph.")
    environments = _property("environments", "Names of the environments that its code needs.")
    instrument = _property("instrument", "What is measured: a member of InstrumentationType or its name.")

    def __init__(self, label, inputs=None, outputs=None, code="", language="Python", **properties):
        self._alone(lambda state: state.add_tasklet(label, inputs, outputs, code, language, **properties))


class _Scope(Node):
    """The pair of nodes around a scope."""

    @property
    def _entry(self):
        return self.state._graph.entry_of(self.state._path, self.node_id)

    def _get(self, name):
        return kept(self.state._graph.get_node(self.state._path, self._entry, name), lambda changed: self._set(name, dict(changed)))

    def _set(self, name, value):
        self.state._graph.set_node(self.state._path, self._entry, name, value)

    def __deepcopy__(self, memo):
        raise TypeError("an entry and its exit are one scope, which is copied with its graph")

    label = name = _property("label", "The label, without the range.")
    schedule = _property("schedule", "How the scope runs: a member of ScheduleType or its name.")
    instrument = _property("instrument", "What is measured: a member of InstrumentationType or its name.")


class _MapScope(_Scope):
    """The properties of a map."""
    params = property(lambda self: KeptList(self._get("params"), lambda changed: self._set("params", list(changed))),
                      lambda self, value: self._set("params", [str(name) for name in value]), doc="Names of the parameters.")
    range = range_property(_property("range", "The box of the parameters."))
    collapse = _property("collapse", "Leading dimensions that share one parallel loop.")
    unroll = _property("unroll", "Print the iterations one after the other.")
    omp_num_threads = _property("omp_num_threads", "Number of threads; 0: all.")
    omp_schedule = _property("omp_schedule", "OpenMP schedule.")
    omp_chunk_size = _property("omp_chunk_size", "OpenMP chunk size; 0: the default.")
    omp_if = _property("omp_if", "A team is started only where this holds, as text; None: always.")
    private_updates = _property("private_updates", "Containers of which each thread updates a copy of its own.")
    simd = _property("simd", "Whether the innermost loop runs in vector lanes.")
    nosync = _property("nosync", "The team does not wait at the end.")
    unroll_factor = _property("unroll_factor", "Iterations that are printed one after the other; 0: all, where `unroll` is set.")
    gpu_block_size = _property("gpu_block_size", "Threads of a block; None: the default.")


    @property
    def map(self):
        """The scope's properties; entry and exit share them."""
        return Map._at(self.state, self._entry)


class Map(_MapScope):
    """The properties of a map, and on its own a map without nodes: `MapEntry(map)` and `MapExit(map)` are its nodes."""

    def __init__(self, label, params, ndrange, schedule="Default", unroll=False, collapse=1, fence_instrumentation=False, debuginfo=None):
        self._alone(lambda state: state.add_map(label, dict(zip(map(str, params), map(":".join, _bounds(ndrange)))), schedule, unroll)[0])
        self.collapse = collapse


def _bounds(ndrange):
    return [(str(begin), str(end + 1), str(step)) for begin, end, step in ndrange]


class MapEntry(_MapScope):
    """Opens a map scope."""

    def __init__(self, map):
        self._name_one(map.state, map._entry)


class MapExit(_MapScope):
    """Closes a map scope."""

    def __init__(self, map):
        self._name_one(map.state, map.state.exit_node(MapEntry._at(map.state, map._entry)).node_id)


class _ConsumeScope(_Scope):
    """The properties of a consume scope."""
    pe_index = _property("pe_index", "Name of the processing element's index.")
    num_pes = _property("num_pes", "Number of processing elements.")
    condition = _property("condition", "Stop condition; None: until the stream is quiescent.")
    chunksize = _property("chunksize", "Elements popped at a time.")

    @property
    def consume(self):
        """The scope's properties; entry and exit share them."""
        return Consume._at(self.state, self._entry)


class Consume(_ConsumeScope):
    """The properties of a consume scope, and on its own one without nodes: `ConsumeEntry(consume)` and `ConsumeExit(consume)` are its nodes."""

    def __init__(self, label, pe_tuple, condition=None, schedule="Default", chunksize=1, debuginfo=None):
        self._alone(lambda state: state.add_consume(label, pe_tuple, condition, schedule, chunksize)[0])


class ConsumeEntry(_ConsumeScope):
    """Opens a consume scope."""
    map, __init__ = _ConsumeScope.consume, MapEntry.__init__


class ConsumeExit(_ConsumeScope):
    """Closes a consume scope."""
    map, __init__ = _ConsumeScope.consume, MapExit.__init__


class NestedSDFG(Node):
    """A call of another SDFG, held by value."""
    symbol_mapping = _property("symbol_mapping", "Inner symbol to outer expression.")
    no_inline = _property("no_inline", "Keep the call.")
    unique_name = _property("unique_name", "Name of the function that it becomes; calls of one name share one.")
    instrument = _property("instrument", "What is measured: a member of InstrumentationType or its name.")

    def __init__(self, label, sdfg, inputs, outputs, symbol_mapping=None, location=None, debuginfo=None):
        self._alone(lambda state: state.add_nested_sdfg(sdfg, inputs, outputs, symbol_mapping, label))

    @property
    def sdfg(self):
        """The inner SDFG: edits of it reach the graph. Assign another to replace it."""
        return _class_above("sdfg", "SDFG")._of(self.state._graph.nested_graph(self.state._path, self.node_id))

    @sdfg.setter
    def sdfg(self, value):
        self.state._graph.set_nested_graph(self.state._path, self.node_id, value._graph)


class LibraryNode(Node):
    """An operation by name."""
    name = _property("label", "The label.")
    operation = property(lambda self: self.state._graph.library_operation(self.state._path, self.node_id), doc="The operation's name.")
    implementation = _property("implementation", "Expansion to use; None: the library's default.")
    schedule = _property("schedule", "How the operation runs.")
    _operation = None  # of the nodes of a class

    def __init__(self, name, *, inputs=(), outputs=(), schedule=None, location=None, **properties):
        own = {key: properties.pop(key) for key in ("implementation",) if key in properties}
        classpath = f"{type(self).__module__}.{type(self).__qualname__}"
        if OWN.get(classpath) is type(self):
            self._alone(lambda state: LibraryNode._at(state, state._graph.add_library(
                state._path, type(self).__name__, classpath, name, list(inputs), list(outputs), properties)))
        else:
            self._alone(lambda state: state.add_library_node(self._operation or type(self), inputs, outputs, name, **properties))
        for key, value in ({**own, "schedule": schedule} if schedule is not None else own).items():
            setattr(self, key, value)

    @property
    def properties(self):
        """The properties of the operation, by name; each is an attribute of the node as well, `node.alpha = 2`."""
        return self.state._graph.library_properties(self.state._path, self.node_id)

    def __getattr__(self, name):
        if not name.startswith("_") and name not in ("state", "node_id"):
            properties = self.properties
            if name in properties:
                return properties[name]
        raise AttributeError(f"{type(self).__name__} has no property `{name}`", name=name, obj=self)

    def __setattr__(self, name, value):
        if not name.startswith("_") and not hasattr(type(self), name) and name not in ("state", "node_id") and \
                (self._operation or name in self.properties):
            self.state._graph.set_library_property(self.state._path, self.node_id, name, value)
        else:
            super().__setattr__(name, value)


_CLASSES = {"access": AccessNode, "tasklet": Tasklet, "map_entry": MapEntry, "map_exit": MapExit, "consume_entry": ConsumeEntry,
            "consume_exit": ConsumeExit, "nested": NestedSDFG, "nested_sdfg": NestedSDFG, "library": LibraryNode,
            "library_node": LibraryNode}
CodeNode = (Tasklet, NestedSDFG, LibraryNode)
EntryNode = (MapEntry, ConsumeEntry)
ExitNode = (MapExit, ConsumeExit)


OWN = {}  # classes of library nodes that users have made as in DaCe, by class path


def node_of(state, node_id, kind):
    """The handle of a node by its kind's name."""
    if OWN and kind in ("library", "library_node"):
        own = OWN.get(state._graph.library_classpath(state._path, node_id))
        if own is not None:
            return own._at(state, node_id)
    return _CLASSES[kind]._at(state, node_id)
