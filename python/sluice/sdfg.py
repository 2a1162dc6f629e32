"""The SDFG class: a graph built with DaCe's method names, saved, loaded, compiled and called."""
import hashlib
import json
import numbers
import pathlib

from . import _core, nodes
from .data import Array, Reference, Scalar, Stream, View, create_datadescriptor
from .dtypes import AllocationLifetime, StorageType
from .kept import KeptDict, kept
from .instrumentation import PARTS, wanted
from .matches import Match, name_of, text_of
from .memlet import Memlet
from .pictures import CodeObject, embedded, open_page
from .regions import ConditionalBlock, ControlFlowRegion, InterstateEdge, LoopRegion
from .returned import numbers_as_arrays
from .state import SDFGState, element_property
from .strict import refuse_others, strict


def _number_text(value):
    """Of a number of Python's or NumPy's."""
    return repr(value.item() if hasattr(value, "item") else value)


def _restored(*state):
    """The SDFG of what pickle kept."""
    graph = _core.graph_of_state(*state)
    return SDFG(graph.name, _graph=graph)


def _property(name, doc):
    def write(self, value):
        self._graph.set_container(self.name, name, value)
    return property(lambda self: kept(self._graph.get_container(self.name, name), lambda changed: write(self, dict(changed))), write, doc=doc)


@strict("name")
class Descriptor:
    """A container of an SDFG: a handle, its properties live in the graph."""

    def __init__(self, graph, name):
        self._graph, self.name = graph, name

    kind = property(lambda self: self._graph.get_container(self.name, "kind"), doc="Array, Scalar, Stream, View, Reference, ...")
    dtype = _property("dtype", "Element type.")
    shape = _property("shape", "Sizes, symbolic.")
    strides = _property("strides", "Strides in elements; empty: C order.")
    transient = _property("transient", "Allocated by the SDFG, not an argument.")
    storage = _property("storage", "Where it lives: a member of StorageType or its name.")
    lifetime = _property("lifetime", "How long it lives: a member of AllocationLifetime or its name.")
    offset = _property("offset", "Added to every index; empty: zeros.")
    total_size = _property("total_size", "Elements to allocate; 0: the product of the shape.")
    alignment = _property("alignment", "Alignment in bytes; 0: the default.")
    may_alias = _property("may_alias", "The pointer may overlap another argument's.")
    location = _property("location", "Where it lies, by kind of place: `{'gpu': '0'}`.")
    start_offset = _property("start_offset", "Elements between the base and element zero.")
    allow_conflicts = _property("allow_conflicts", "Conflicting writes are meant.")
    optional = _property("optional", "The argument may be missing; None: as its use says.")
    pool = _property("pool", "Allocated from a pool of memory.")
    buffer_size = _property("buffer_size", "Streams: capacity in elements; 0: unbounded.")

    def __repr__(self):
        return f"<{self.kind} {self.name}: {self.dtype}[{', '.join(map(str, self.shape))}]>"


InvalidSDFGError = _core.CompileError  # DaCe's name for what validate() raises


class SDFG(ControlFlowRegion):
    """A stateful dataflow multigraph.

        sdfg = sluice.SDFG("axpy")
        sdfg.add_array("x", [N], sluice.float64)
        state = sdfg.add_state()
        ...
        sdfg(x=array, N=100)

    Shapes are ints, symbols, expressions or texts (`"2*N + 1"`). Methods raise CompileError where the graph is not valid or a text
    does not parse, ValueError where a name is taken.
    """

    def __init__(self, name, constants=None, *, _graph=None):
        self._graph = _graph if _graph is not None else _core.Graph(name)
        self._compiled = None
        self._of_dace = False  # calls give numbers as arrays of one element
        for constant, value in (constants or {}).items():
            self.add_constant(constant, value)

    @property
    def _path(self):
        return ()

    @property
    def _element(self):
        return ()

    instrument = element_property("instrument", "What is measured: a member of InstrumentationType or its name.")
    openmp_sections = element_property("openmp_sections", "Independent parts of a state run at the same time.")

    # ---- names ----
    @property
    def name(self):
        """Name of the program and of its library."""
        return self._graph.name

    @name.setter
    def name(self, value):
        self._graph.name = value

    label = name

    @property
    def arrays(self):
        """Containers by name. Descriptions that are put in become containers, names that are taken out leave the graph."""
        return KeptDict({name: Descriptor(self._graph, name) for name in self._graph.containers()}, self._keep_arrays)

    def _keep_arrays(self, changed):
        for name in set(self._graph.containers()).difference(changed):
            self._graph.remove_container(name)
        for name, description in changed.items():
            if not (isinstance(description, Descriptor) and description._graph is self._graph and description.name == name):
                if name in self._graph.containers():
                    self._graph.remove_container(name)
                self.add_datadesc(name, description)

    @property
    def symbols(self):
        """Declared symbols with their types."""
        return KeptDict(self._graph.symbols(), self._keep_symbols)

    def _keep_symbols(self, changed):
        for name in set(self._graph.symbols()).difference(changed):
            self._graph.remove_symbol(name)
        for name, dtype in changed.items():
            self._graph.add_symbol(name, dtype)

    @property
    def free_symbols(self):
        """Symbols that the caller must give a value."""
        return set(self._graph.free_symbols())

    @property
    def arg_names(self):
        """Names of the leading positional arguments."""
        return self._graph.arg_names

    @arg_names.setter
    def arg_names(self, names):
        self._graph.arg_names = list(names)

    def arglist(self):
        """All arguments in the order of the call: containers as descriptors, symbols as their types."""
        arrays, symbols = self.arrays, self.symbols
        return {name: arrays.get(name, symbols.get(name)) for name in self._graph.arguments()}

    # ---- containers ----
    def _add(self, kind, name, dtype, shape, find_new_name, **properties):
        for extents in (shape, *(properties.get(one) for one in ("strides", "offset", "total_size"))):
            for extent in extents if isinstance(extents, (list, tuple)) else [extents]:
                self._declare(extent)
        name = self._graph.add_container(kind, name, dtype, shape, find_new_name, properties)
        return name, Descriptor(self._graph, name)

    def _declare(self, extent):
        """Symbols in shapes are declared with their types on first use."""
        if isinstance(extent, str):
            extent = _core.Expr(extent)
        if not isinstance(extent, _core.Expr):
            return
        for symbol in extent.free_symbols:
            if symbol not in self._graph.symbols() and symbol not in self._graph.containers():
                self._graph.add_symbol(symbol, extent.dtype if str(extent) == symbol else "int64")

    def add_array(self, name, shape, dtype, storage=StorageType.Default, location=None, transient=False, strides=None, offset=None,
                  lifetime=AllocationLifetime.Scope, debuginfo=None, allow_conflicts=False, total_size=None, find_new_name=False,
                  alignment=0, may_alias=False):
        """An array; returns its name and descriptor. strides: in elements; C order by default."""
        return self._add("Array", name, dtype, shape, find_new_name, storage=storage, location=location, transient=transient,
                         strides=strides, offset=offset, lifetime=lifetime, allow_conflicts=allow_conflicts, total_size=total_size,
                         alignment=alignment, may_alias=may_alias)

    def add_transient(self, name, shape, dtype, storage=StorageType.Default, location=None, strides=None, offset=None,
                      lifetime=AllocationLifetime.Scope, debuginfo=None, allow_conflicts=False, total_size=None, find_new_name=False,
                      alignment=0, may_alias=False):
        """An array that the SDFG allocates."""
        return self.add_array(name, shape, dtype, storage, location, True, strides, offset, lifetime, debuginfo, allow_conflicts,
                              total_size, find_new_name, alignment, may_alias)

    def add_scalar(self, name, dtype, storage=StorageType.Default, transient=False, lifetime=AllocationLifetime.Scope,
                   debuginfo=None, find_new_name=False):
        """One element."""
        return self._add("Scalar", name, dtype, (), find_new_name, storage=storage, transient=transient, lifetime=lifetime)

    def add_stream(self, name, dtype, buffer_size=0, shape=(1,), storage=StorageType.Default, transient=True, offset=None,
                   lifetime=AllocationLifetime.Scope, debuginfo=None, find_new_name=False):
        """A queue, or an array of queues. buffer_size: capacity in elements; 0: unbounded."""
        return self._add("Stream", name, dtype, shape, find_new_name, buffer_size=buffer_size, storage=storage, transient=transient,
                         offset=offset, lifetime=lifetime)

    def add_view(self, name, shape, dtype, storage=StorageType.Default, strides=None, offset=None,
                 lifetime=AllocationLifetime.Scope, debuginfo=None, allow_conflicts=False, total_size=None, find_new_name=False,
                 alignment=0, may_alias=False):
        """A view of another container, to which an edge in a state joins it."""
        return self._add("View", name, dtype, shape, find_new_name, storage=storage, strides=strides, offset=offset, lifetime=lifetime,
                         total_size=total_size, alignment=alignment, may_alias=may_alias)

    def add_reference(self, name, shape, dtype, storage=StorageType.Default, strides=None, find_new_name=False):
        """A pointer that a `set` connector binds at run time."""
        return self._add("Reference", name, dtype, shape, find_new_name, storage=storage, strides=strides)

    def add_symbol(self, name, stype=None, find_new_name=False):
        """Declares a symbol, int64 by default; returns its name."""
        if find_new_name:
            name = self._graph.fresh_name(name)
        self._graph.add_symbol(name, stype if stype is not None else "int64")
        return name

    def add_constant(self, name, value, dtype=None):
        """A compile-time constant: a number or a NumPy array."""
        import numpy as np
        self._graph.add_constant(name, value if isinstance(value, np.ndarray) else np.asarray(value)[()])

    def remove_data(self, name, validate=True):
        """Removes a container. Raises ValueError where an access node uses it (validate)."""
        if validate and any(node.data == name for state in self.states() for node in state.data_nodes()):
            raise ValueError(f"{name} cannot be removed: an access node uses it")
        self._graph.remove_container(name)

    def remove_symbol(self, name):
        """Removes the declaration of a symbol."""
        self._graph.remove_symbol(name)

    @property
    def constants(self):
        """Compile-time constants by name: numbers and NumPy arrays."""
        return {name: self._constant(name) for name in self._graph.constants()}

    def _constant(self, name):
        import numpy as np
        dtype, shape, integers, pairs = self._graph.constant(name)
        values = integers or [complex(*pair) if "complex" in str(dtype) else pair[0] for pair in pairs]
        return np.array(values, dtype.as_numpy_dtype()).reshape(shape)[()]

    def add_datadesc_view(self, name, datadesc, find_new_name=False):
        """A view of the shape and type of a description."""
        return self.add_view(name, datadesc.shape, datadesc.dtype, datadesc.storage, getattr(datadesc, "strides", None), find_new_name=find_new_name)[0]

    def add_datadesc_reference(self, name, datadesc, find_new_name=False):
        """A reference of the shape and type of a description."""
        return self.add_reference(name, datadesc.shape, datadesc.dtype, datadesc.storage, getattr(datadesc, "strides", None), find_new_name)[0]

    def temp_data_name(self):
        """A free name for a container."""
        return self._graph.fresh_name("tmp")

    def add_datadesc(self, name, datadesc, find_new_name=False):
        """A container as a description (sluice.data) or a type, `float64[N]`, says it; returns its name."""
        if isinstance(datadesc, (_core.ArrayType, _core.typeclass)):
            datadesc = create_datadescriptor(datadesc)
        if isinstance(datadesc, Scalar):
            return self.add_scalar(name, datadesc.dtype, datadesc.storage, datadesc.transient, datadesc.lifetime,
                                   find_new_name=find_new_name)[0]
        if isinstance(datadesc, Stream):
            return self.add_stream(name, datadesc.dtype, datadesc.buffer_size, datadesc.shape, datadesc.storage, datadesc.transient,
                                   lifetime=datadesc.lifetime, find_new_name=find_new_name)[0]
        if isinstance(datadesc, (View, Reference)):
            add = self.add_view if isinstance(datadesc, View) else self.add_reference
            return add(name, datadesc.shape, datadesc.dtype, datadesc.storage, strides=datadesc.strides, find_new_name=find_new_name)[0]
        if not isinstance(datadesc, Array):
            raise TypeError(f"{type(datadesc).__name__} is no description of data: use a class of sluice.data")
        return self.add_array(name, datadesc.shape, datadesc.dtype, datadesc.storage, transient=datadesc.transient,
                              strides=datadesc.strides, offset=datadesc.offset, lifetime=datadesc.lifetime, total_size=datadesc.total_size,
                              find_new_name=find_new_name, alignment=datadesc.alignment, may_alias=datadesc.may_alias)[0]

    def add_temp_transient(self, shape, dtype, **properties):
        """An array that the SDFG allocates, under a new name; returns its name and descriptor."""
        return self.add_transient("tmp", shape, dtype, find_new_name=True, **properties)

    def add_temp_transient_like(self, descriptor, dtype=None):
        """The same in the shape, type and storage of another container."""
        return self.add_temp_transient(descriptor.shape, dtype or descriptor.dtype, storage=descriptor.storage)

    def make_array_memlet(self, array):
        """The memlet of a whole container."""
        return Memlet.from_array(array, self.arrays[array])

    def data(self, name):
        """The descriptor of a container. Raises KeyError where there is none."""
        return self.arrays[name]

    def transients(self):
        """The containers that the SDFG allocates, by name."""
        return {name: one for name, one in self.arrays.items() if one.transient}

    def shared_transients(self):
        """Names of the containers that the SDFG allocates and more than one state uses, or a transition reads."""
        used = {}
        for state in self.states():
            for name in state.all_transients():
                used[name] = used.get(name, 0) + 1
        read = set().union(*(edge.data.free_symbols for edge in self.all_interstate_edges()))
        return [name for name, count in used.items() if count > 1 or name in read]

    def is_name_used(self, name):
        """Whether a container, symbol or constant has the name."""
        return name in self._graph.containers() or name in self._graph.symbols() or name in self._graph.constants()

    def is_name_free(self, name):
        """Whether none has."""
        return not self.is_name_used(name)

    def find_new_symbol(self, name):
        """The name, or one like it that is free."""
        return self._graph.fresh_name(name) if self.is_name_used(name) else name

    find_new_constant = find_new_symbol

    def all_sdfgs_recursive(self):
        """This SDFG and those that it calls, outer ones first. Called ones are copies: edits of them stay with the copy."""
        yield self
        for node, _ in self.all_nodes_recursive():
            if isinstance(node, nodes.NestedSDFG):
                yield node.sdfg

    def arrays_recursive(self):
        """(SDFG, name, descriptor) of every container of this SDFG and of those that it calls."""
        for sdfg in self.all_sdfgs_recursive():
            for name, descriptor in sdfg.arrays.items():
                yield sdfg, name, descriptor

    def set_global_code(self, code, location="frame"):
        """C++ at file scope of the generated code."""
        self._graph.set_code("global", code, location or "frame")

    def set_init_code(self, code, location="frame"):
        """C++ that runs when the program is initialised."""
        self._graph.set_code("init", code, location or "frame")

    def set_exit_code(self, code, location="frame"):
        """C++ that runs when the program is finalised."""
        self._graph.set_code("exit", code, location or "frame")

    def append_global_code(self, code, location="frame"):
        """More C++ at file scope of the generated code."""
        self._graph.add_code("global", code, location or "frame")

    def append_init_code(self, code, location="frame"):
        """More C++ that runs when the program is initialised."""
        self._graph.add_code("init", code, location or "frame")

    def append_exit_code(self, code, location="frame"):
        """More C++ that runs when the program is finalised."""
        self._graph.add_code("exit", code, location or "frame")

    # ---- other names and values ----
    def replace(self, name, new_name):
        """Another name for a container, a symbol, a constant or a loop's variable, wherever it is meant. Raises CompileError D021 where
        there is no such name, or the other is in use."""
        self.replace_dict({name: new_name})

    def replace_dict(self, repldict, symrepl=None, replace_in_graph=True, replace_keys=True):
        """The same for several names at once, which may change places. A number in place of a name: see specialize()."""
        refuse_others("replace_dict", {"symrepl": symrepl, "replace_in_graph": replace_in_graph, "replace_keys": replace_keys},
                      {"symrepl": (None, "repldict says it"), "replace_in_graph": (True, "a name has one meaning in a graph"),
                       "replace_keys": (True, "a name has one meaning in a graph")})
        names = {str(name): new for name, new in repldict.items() if str(name) != str(new)}
        values = {name: new for name, new in names.items() if isinstance(new, numbers.Number)}
        graph = self._graph.copy()  # all or nothing
        between = {}
        for name in names.keys() - values.keys():
            between[name] = graph.fresh_name(f"renamed_{name}")
            graph.rename(name, between[name])
        for name, passing in between.items():
            graph.rename(passing, str(names[name]))
        graph.specialize({name: _number_text(value) for name, value in values.items()})
        self._graph.assign(graph)

    def specialize(self, symbols):
        """Numbers for symbols that the caller would pass: the graph then has no such argument. Raises CompileError D022 where one is no
        symbol of the caller's, or gets no number of its type."""
        self._graph.specialize({str(name): _number_text(value) for name, value in symbols.items()})

    def hash_sdfg(self, jsondict=None):
        """SHA-256 of what the graph says: its name, numbers of nodes, places in sources and what was applied do not count. jsondict: that of another graph,
        from to_json()."""
        if jsondict is not None:
            return SDFG.from_json(jsondict).hash_sdfg()
        graph = _core.graph_from_json(self._graph.to_bytes(False, "dollar"))  # without the numbers of what was removed
        graph.name = "sdfg"
        return hashlib.sha256(graph.text().encode()).hexdigest()

    # ---- looking at it ----
    def svg(self):
        """The picture as SVG text, laid out by Graphviz. Raises CompileError C007 where `dot` is not installed."""
        return self._graph.drawing("svg").decode()

    def html(self):
        """A page of its own with zoom, closable scopes, search and details; it needs neither Graphviz nor a network."""
        return self._graph.drawing("html").decode()

    def view(self, filename=None, verbose=False):
        """Opens the page of html() in the browser, or shows it below the cell of a notebook; returns the file. filename: where to write
        it, else a temporary file. verbose: print where it is."""
        return open_page(self.html(), self.name, filename, verbose)

    def _repr_html_(self):
        return embedded(self)

    def generate_code(self):
        """What compile() would hand to the C++ compiler: CodeObjects with the source and the C header."""
        name, source, header = self._graph.generated("")
        return [CodeObject(name, source, "cpp", "Frame", self), CodeObject(name, header, "h", "CallHeader", self)]

    # ---- out and in ----
    def __reduce__(self):
        return _restored, self._graph.state()

    def validate(self):
        """Raises CompileError with the first violation of the invariants of docs/spec.md."""
        self._graph.validate()

    def is_valid(self):
        """Whether validate() passes."""
        try:
            self.validate()
        except _core.CompileError:
            return False
        return True

    def text(self):
        """The short textual form, which from_file reads as well."""
        return self._graph.text()

    def to_json(self, dialect="dollar"):
        """The graph in the .sdfg format as a dict. dialect: "dollar" (DaCe 2.0.0a4 and later) or "legacy"."""
        return json.loads(self._graph.to_json(False, dialect))

    @staticmethod
    def from_json(source):
        """The SDFG of a dict or a text in the .sdfg format. Raises CompileError where it is malformed."""
        text = source if isinstance(source, str) else json.dumps(source)
        graph = _core.graph_from_json(text.encode())
        return SDFG(graph.name, _graph=graph)

    @staticmethod
    def from_text(text):
        """The SDFG of a textual graph."""
        graph = _core.graph_from_text(text)
        return SDFG(graph.name, _graph=graph)

    def save(self, filename, use_pickle=False, hash=None, exception=None, compress=None, dialect="dollar"):
        """Writes a .sdfg file (.sdfgz, or compress=True: gzipped; .txt: the textual form). The old file stays if writing fails."""
        refuse_others("save", {"use_pickle": use_pickle, "hash": hash or None},
                      {"use_pickle": (False, "files are JSON or text"), "hash": (None, "files hold no hash")})
        path = pathlib.Path(filename)
        compressed = path.suffix == ".sdfgz" if compress is None else compress
        data = self.text().encode() if path.suffix == ".txt" else self._graph.to_bytes(compressed, dialect)
        temporary = path.with_name(path.name + ".part")
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise

    @staticmethod
    def from_file(filename):
        """The SDFG of a .sdfg, .sdfgz or textual file. Raises CompileError where it cannot be read."""
        graph = _core.read_graphs(str(filename))[0]
        return SDFG(graph.name, _graph=graph)

    def propagate(self):
        """Recomputes all outer memlets from the inner ones."""
        self._graph.propagate()

    def fill_scope_connectors(self):
        """Adds the connectors that edges name to their nodes, in all states."""
        for state in self.states():
            state.fill_scope_connectors()

    # ---- transformations ----
    def matches(self, transformation, **options):
        """Every place where the transformation's pattern occurs, as transformation.Match: `refusal` says why it may not be applied.

        transformation: a name or a class of sluice.transformation; options: its parameters."""
        name = name_of(transformation)
        texts = {option: text_of(value) for option, value in options.items()}
        return [Match(self, name, path, nodes, line, refusal, options)
                for path, nodes, line, refusal in self._graph.matches(name, texts)]

    def apply(self, transformation, where=None, *, unsafe_assume=(), **options):
        """Applies a transformation in one place. where: names of matched nodes, `{"map": "gemm"}`, with the state's path under "path" if
        several states fit; nothing if only one place fits. A Match may stand for both. unsafe_assume: codes of conditions that
        the caller vouches for. Raises CompileError: E004 no such place, E006 several, E007 refused; the graph is then unchanged."""
        name, texts = name_of(transformation), {option: text_of(value) for option, value in options.items()}
        if isinstance(transformation, Match):
            name, path, nodes = transformation.transformation, transformation.path, transformation.nodes
        else:
            nodes = dict(where or {})
            fitting = [match for match in self.matches(name)
                       if all(match.nodes.get(key) == value for key, value in nodes.items() if key != "path")]
            paths = {match.path for match in fitting}
            path = nodes.pop("path", paths.pop() if len(paths) == 1 else "")
        self._graph.apply(name, path, nodes, texts, list(unsafe_assume))

    def apply_transformations(self, transformations, options=None, validate=True, permissive=False, states=None, print_report=None, validate_all=False):
        """Applies each transformation to the first place that admits it; returns how many were applied. options: parameters, or a
        list with those of each. The conditions of a transformation always hold: permissive and states are refused."""
        self._refuse_permissive("apply_transformations", permissive, states)
        return self._apply_each(transformations, options, 1)

    def apply_transformations_repeated(self, transformations, options=None, validate=True, permissive=False, states=None,
                                       print_report=None, validate_all=False):
        """Applies the transformations wherever they may be until none may; returns how often."""
        self._refuse_permissive("apply_transformations_repeated", permissive, states)
        names = [name_of(each) for each in (transformations if isinstance(transformations, (list, tuple)) else [transformations])]
        texts = {option: text_of(value) for option, value in (options or {}).items()}
        return self._graph.apply_repeated(names, texts, 0)

    def apply_transformations_once_everywhere(self, transformations, options=None, validate=True, permissive=False, states=None,
                                              print_report=None, validate_all=False):
        """Applies each transformation to each place that admits it now, not to places that come of that; returns how often."""
        self._refuse_permissive("apply_transformations_once_everywhere", permissive, states)
        count = 0
        for name in [name_of(each) for each in (transformations if isinstance(transformations, (list, tuple)) else [transformations])]:
            for match in self.matches(name):
                try:
                    self.apply(match, **(options or {}))
                except _core.CompileError as error:
                    if error.code not in ("E004", "E006", "E007"):  # a place that an earlier one has changed, or that is refused
                        raise
                else:
                    count += 1
        return count

    @staticmethod
    def _refuse_permissive(function, permissive, states):
        refuse_others(function, {"permissive": permissive, "states": states},
                      {"permissive": (False, "apply() takes unsafe_assume, the codes of conditions that you vouch for"),
                       "states": (None, "apply() takes the path of one state")})

    def simplify(self, validate=True):
        """Applies what makes every program simpler (states and nested graphs joined, copies and single-point maps gone) until nothing
        of it applies; returns how often."""
        return self._graph.simplify()

    def auto_optimize(self, device=None, validate=True, symbols=None):
        """dace.transformation.auto.auto_optimize of this graph."""
        from .dace_compat.transformation.auto.auto_optimize import auto_optimize
        auto_optimize(self, *([] if device is None else [device]), symbols=symbols)

    def optimize(self, level):
        """Runs a pipeline: 0 does nothing; 1 simplifies; 2 takes the CPU's own decisions on top; 3 makes maps of loops, fuses maps and
        orders loops by memory as well; "decide" takes the decisions alone. Returns how often something was applied."""
        return self._graph.optimize(str(level))

    def expand_library_nodes(self, implementation=None, recursive=True, priorities=(), trace=None):
        """Expands every library node; returns how many steps that took. Each step is a line of the recipe, with the expansion that was
        chosen. implementation: the expansion for all nodes that have one of this name; recursive: what an expansion yields is expanded
        too; priorities: names of expansions, best first, before those of the setting `expansions` and the operations' own order;
        trace: a function, called with a line for each step that says what was chosen and by whose wish (`trace=print`)."""
        count, steps = self._graph.expand_library_nodes(implementation or "", bool(recursive), list(priorities))
        for step in steps if trace else ():
            trace(step)
        return count

    def _apply_each(self, transformations, options, limit):
        transformations = transformations if isinstance(transformations, (list, tuple)) else [transformations]
        if not isinstance(options, (list, tuple)):
            options = [options] * len(transformations)
        return sum(self._graph.apply_repeated([name_of(each)], {option: text_of(value) for option, value in (given or {}).items()}, limit)
                   for each, given in zip(transformations, options))

    @property
    def recipe(self):
        """What was applied to this graph since it was made, one line each."""
        return self._graph.recipe()

    @property
    def transformation_history(self):
        """The same as a list: what was applied, in order, each as a line of a recipe."""
        return self.recipe.splitlines()

    def undo(self):
        """Takes back the last application since the graph was last edited by hand; False if there is none. Its line leaves the recipe."""
        return self._graph.undo()

    def save_recipe(self, filename):
        """Writes the recipe to a file."""
        pathlib.Path(filename).write_text(self.recipe)

    def replay(self, recipe):
        """Applies a recipe: its text, or the path of a file. Raises CompileError naming the first line that does not fit; the
        graph is then unchanged."""
        if isinstance(recipe, pathlib.Path) or "@" not in recipe:
            self._graph.replay(pathlib.Path(recipe).read_text(), str(recipe))
        else:
            self._graph.replay(recipe, "")

    # ---- running ----
    def instrument_parts(self, how="Timer", parts=PARTS, filter="*"):
        """Sets the property `instrument` of all parts of these kinds ("program", "state", "map", "tasklet") whose label fits the filter
        (`*`: any text), nested graphs included; returns how many. how: a member of InstrumentationType or its name; "No_Instrumentation"
        takes it back. What compile() returns then has report(). Raises ValueError for other words."""
        return _core.instrument(self._graph, *wanted(how, parts, filter))

    def compile(self, output_file=None, validate=True, *, use_cache=True, parallel=True, cache="", optimize=None, target="cpu", instrument=None):
        """The compiled program; the graph stays as it is. output_file: a folder that also receives library, header and source.
        use_cache: reuse the library of an equal graph. optimize: the pipeline that a copy goes through first, 0 to 3 or "decide" (see
        optimize()); None: the setting of that name, else "decide", which keeps its shape. What is then still open is decided, but for
        0, which takes the graph at its word: plain loops of one thread. target: where it runs, "cpu", "c99", "opencl", "cuda", "hls-xilinx", "hls-intel" or "mpi", or "gpu" or "fpga", which the settings choose (docs/targets.md). instrument: what is measured after that pipeline, as (how, parts, filter) of instrument_parts. Raises CompileError if the graph is not valid or the C++
        compiler fails."""
        level, target = "" if optimize is None else str(optimize), _core.chosen_target(target)
        if output_file is not None:
            _core.emit(self._graph, str(output_file), level, target)
        return _core.compile(self._graph, use_cache, parallel, str(cache), level, target, "", *(wanted(*instrument) if instrument else ()))

    def __call__(self, *args, **kwargs):
        """Compiles if the graph has changed since the last call, and runs."""
        version, compiled = self._compiled or (None, None)
        if version != self._graph.version:
            compiled = self.compile()
            self._compiled = (self._graph.version, compiled)
        try:
            result = compiled(*args, **kwargs)
        except ValueError as error:
            if not self._of_dace or getattr(error, "code", None) != "A001":
                raise
            from .repairs import vectors_of_columns
            given = vectors_of_columns({name: len(one.shape) for name, one in self.arrays.items()}, {**dict(zip(self.arg_names, args)), **kwargs})
            if given is None:
                raise
            result = compiled(**given)
        return numbers_as_arrays(result) if self._of_dace else result

    def __deepcopy__(self, memo):
        return SDFG(self.name, _graph=self._graph.copy())

    def __eq__(self, other):
        return isinstance(other, SDFG) and self._graph.equals(other._graph)

    __hash__ = object.__hash__

    def __repr__(self):
        return f"<SDFG {self.name}>"
