"""The SDFG class: a graph built with DaCe's method names, saved, loaded, compiled and called."""
import hashlib
import json
import pathlib
import warnings
import weakref

from . import _core, nodes
from .containers import Containers
from .instrumentation import PARTS, wanted
from .memlet import Memlet  # noqa: F401  (the names of DaCe's module of this name)
from .pictures import CodeObject, embedded, open_page
from .regions import ConditionalBlock, ControlFlowRegion, InterstateEdge, LoopRegion  # noqa: F401
from .returned import numbers_as_arrays
from .rewriting import Rewriting, expand_own
from .safe_call import safe_call
from .state import SDFGState, element_property  # noqa: F401
from .strict import refuse_others


def _restored(*state):
    """The SDFG of what pickle kept."""
    graph = _core.graph_of_state(*state)
    return SDFG(graph.name, _graph=graph)


class PerformanceWarning(UserWarning):
    """A program that is compiled does what it should, but something in it costs time in every call. The text is the diagnostic."""


class RaceWarning(UserWarning):
    """Points of a map touch one element, one of them to write it, without an order: the program is valid, and what it gives depends on who comes
    first, whatever the data and sizes are. The text is the diagnostic."""


InvalidSDFGError = _core.CompileError  # DaCe's name for what validate() raises


_of_graphs = weakref.WeakValueDictionary()  # by the identity of the graph, which its SDFG keeps alive


class SDFG(Containers, Rewriting, ControlFlowRegion):
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
        self._known = weakref.WeakValueDictionary()
        _of_graphs[id(self._graph)] = self
        self._compiled = None
        self._of_dace = False  # calls give numbers as arrays of one element
        self._may_race = True  # False: its maps are those of a graph that was asked for races
        for constant, value in (constants or {}).items():
            self.add_constant(constant, value)

    @classmethod
    def _of(cls, graph):
        """The SDFG of a graph: one object as long as somebody holds it."""
        found = _of_graphs.get(id(graph))
        return found if found is not None and found._graph is graph else cls(graph.name, _graph=graph)

    _path = _element = _block_path = ()
    _owner = property(lambda self: self)

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

    @property
    def using_explicit_control_flow(self):
        """True: loops and branches are regions."""
        return True

    @using_explicit_control_flow.setter
    def using_explicit_control_flow(self, value):
        refuse_others("using_explicit_control_flow", {"value": value}, {"value": (True, "LoopLifting makes loops of states")})

    def generate_code(self, *, optimize=None, target="cpu"):
        """What compile() would hand to the C++ compiler: CodeObjects with the source, in which the kernels of a device stand, and the C header.
        optimize, target: as for compile()."""
        name, source, header = self._graph.generated("" if optimize is None else str(optimize), _core.chosen_target(target))
        return [CodeObject(name, source, "c" if target == "c99" else "cpp", "Frame", self), CodeObject(name, header, "h", "CallHeader", self)]

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

    propagate_memlets = propagate

    def fill_scope_connectors(self):
        """Adds the connectors that edges name to their nodes, in all states."""
        for state in self.states():
            state.fill_scope_connectors()

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
        0, which takes the graph at its word: plain loops of one thread. target: where it runs, "cpu", "c99", "opencl", "cuda", "hls-xilinx", "hls-intel", "opencl+hls-xilinx" or "mpi", or "gpu" or "fpga", which the settings choose (docs/targets.md). instrument: what is measured after that pipeline, as (how, parts, filter) of instrument_parts. Raises CompileError if the graph is not valid or the C++
        compiler fails; warns (RaceWarning) of maps that mean nothing definite."""
        level, target = "" if optimize is None else str(optimize), _core.chosen_target(target)
        graph = self._graph
        if nodes.OWN:
            expanded = SDFG(None, _graph=graph.copy())
            graph = expanded._graph if expand_own(expanded) else graph
        if output_file is not None:
            _core.emit(graph, str(output_file), level, target)
        compiled = _core.compile(graph, use_cache, parallel, str(cache), level, target, "", *(wanted(*instrument) if instrument else ()))
        for kind, texts in (PerformanceWarning, compiled.warnings), (RaceWarning, _core.racing_maps(graph) if self._may_race else ()):
            for text in texts:
                warnings.warn(text.rstrip(), kind, stacklevel=2)
        return compiled

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

    def is_instrumented(self):
        """Whether a part of it says what is measured."""
        parts = [self, *self.all_control_flow_regions(recursive=True), *(node for node, _ in self.all_nodes_recursive())]
        return any(getattr(part, "instrument", "No_Instrumentation") != "No_Instrumentation" for part in parts)

    def get_latest_report(self):
        """The Report of its calls since the graph was changed; None where nothing was measured."""
        try:
            return self._compiled[1].report() if self._compiled else None
        except _core.CompileError:
            return None

    def safe_call(self, *args, **kwargs):
        """The call in a process of its own, which a crash does not take along: RuntimeError then."""
        self.compile()
        return safe_call(self, *args, **kwargs)

    def __deepcopy__(self, memo):
        return SDFG(self.name, _graph=self._graph.copy())

    def __eq__(self, other):
        return isinstance(other, SDFG) and self._graph.equals(other._graph)

    __hash__ = object.__hash__

    def __repr__(self):
        return f"<SDFG {self.name}>"
