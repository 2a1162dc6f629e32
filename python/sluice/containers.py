"""What a graph declares: containers, symbols and constants, by DaCe's methods."""
import math
import numbers

from . import _core, nodes
from .data import Array, Reference, Scalar, Stream, View, c_strides, create_datadescriptor
from .dtypes import AllocationLifetime, StorageType
from .kept import KeptDict, kept
from .memlet import Memlet
from .strict import refuse_others, strict


def _number_text(value):
    """Of a number of Python's or NumPy's."""
    return repr(value.item() if hasattr(value, "item") else value)


def _property(name, doc, default=None):
    def write(self, value):
        self._graph.set_container(self.name, name, value)

    def read(self):
        value = self._graph.get_container(self.name, name)
        if default is not None and self.kind != "Stream" and (value == 0 if isinstance(value, (int, _core.Expr)) else not value):
            return default(tuple(self.shape))
        return kept(value, lambda changed: write(self, dict(changed)))
    return property(read, write, doc=doc)


@strict("name")
class Descriptor:
    """A container of an SDFG: a handle, its properties live in the graph."""

    def __init__(self, graph, name):
        self._graph, self.name = graph, name

    kind = property(lambda self: self._graph.get_container(self.name, "kind"), doc="Array, Scalar, Stream, View, Reference, ...")
    dtype = _property("dtype", "Element type.")
    shape = _property("shape", "Sizes, symbolic.")
    strides = _property("strides", "Strides in elements, of C order where none were given.", c_strides)
    _transient = _property("transient", "")
    storage = _property("storage", "Where it lives: a member of StorageType or its name.")
    lifetime = _property("lifetime", "How long it lives: a member of AllocationLifetime or its name.")
    offset = _property("offset", "Added to every index.", lambda shape: (0,) * len(shape))
    total_size = _property("total_size", "Elements to allocate, those of the shape where nothing else was given.", math.prod)
    alignment = _property("alignment", "Alignment in bytes; 0: the default.")
    may_alias = _property("may_alias", "The pointer may overlap another argument's.")
    location = _property("location", "Where it lies, by kind of place: `{'gpu': '0'}`.")
    start_offset = _property("start_offset", "Elements between the base and element zero.")
    allow_conflicts = _property("allow_conflicts", "Conflicting writes are meant.")
    optional = _property("optional", "The argument may be missing; None: as its use says.")
    pool = _property("pool", "Allocated from a pool of memory.")
    buffer_size = _property("buffer_size", "Streams: capacity in elements; 0: unbounded.")

    @property
    def transient(self):
        """Allocated by the SDFG, not an argument: one that becomes transient leaves arg_names."""
        return self._transient

    @transient.setter
    def transient(self, value):
        self._transient = value
        if value and self.name in self._graph.arg_names:
            self._graph.arg_names = [name for name in self._graph.arg_names if name != self.name]

    def clone(self):
        """A description of its own, as sluice.data has them."""
        common = dict(transient=self.transient, storage=self.storage, lifetime=self.lifetime)
        if self.kind == "Scalar":
            return Scalar(self.dtype, **common)
        if self.kind == "Stream":
            return Stream(self.dtype, self.buffer_size, tuple(self.shape), **common)
        kind = {"Array": Array, "View": View, "Reference": Reference}.get(self.kind)
        if kind is None:
            raise TypeError(f"{self.name} is a {self.kind}, of which there is no description")
        own = {name: self._graph.get_container(self.name, name) or None for name in ("strides", "total_size", "offset")}
        return kind(self.dtype, tuple(self.shape), may_alias=self.may_alias, alignment=self.alignment, **own, **common)

    def __deepcopy__(self, memo):
        return self.clone()

    def __repr__(self):
        return f"<{self.kind} {self.name}: {self.dtype}[{', '.join(map(str, self.shape))}]>"


class Containers:
    """The declarations of an SDFG."""

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

    @property
    def constants_prop(self):
        """(description, value) of each constant by name."""
        return {name: (create_datadescriptor(value), value) for name, value in self.constants.items()}

    def signature_arglist(self, with_types=False, for_call=False):
        """Names of all arguments in the order of a call. Raises ValueError for with_types: generate_code() gives the header."""
        refuse_others("signature_arglist", {"with_types": with_types}, {"with_types": (False, "generate_code() gives the C header")})
        return list(self.arglist())

    def get_all_toplevel_symbols(self):
        """Names of the declared symbols."""
        return set(self.symbols)

    def _constant(self, name):
        import numpy as np
        dtype, shape, integers, pairs = self._graph.constant(name)
        values = integers or [complex(*pair) if "complex" in str(dtype) else pair[0] for pair in pairs]
        return np.array(values, dtype.as_numpy_dtype()).reshape(shape)[()]

    def add_datadesc_view(self, name, datadesc, find_new_name=False):
        """A view of the shape and type of a description."""
        return self.add_view(name, datadesc.shape, datadesc.dtype, datadesc.storage, getattr(datadesc, "strides", None),
                             find_new_name=find_new_name)[0]

    def add_datadesc_reference(self, name, datadesc, find_new_name=False):
        """A reference of the shape and type of a description."""
        return self.add_reference(name, datadesc.shape, datadesc.dtype, datadesc.storage, getattr(datadesc, "strides", None),
                                  find_new_name)[0]

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
        """This SDFG and those that it calls, outer ones first."""
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
        """Values for what the caller would pass: numbers for symbols, arrays for arguments that are only read (InputToConstant). The
        graph then has no such argument. Raises CompileError, and leaves the graph as it was: D022 where a name is no symbol or gets no
        number of its type, E007 where an array cannot be fixed; ValueError where it has another shape."""
        given = {str(name): value for name, value in symbols.items()}
        fixed = {name: value for name, value in given.items() if getattr(value, "ndim", 0) or isinstance(self.arrays.get(name), Scalar)}
        before = self._graph.copy()
        try:
            self._graph.specialize({name: _number_text(value) for name, value in given.items() if name not in fixed})
            for name, value in fixed.items():
                self._fix(name, value)
        except (_core.CompileError, ValueError):
            self._graph.assign(before)
            raise

    def _fix(self, name, value):
        container = self.arrays.get(name)
        if not isinstance(container, Scalar) and container and tuple(container.shape) != value.shape:
            raise ValueError(f"{name} has the shape {container.shape}, not {value.shape}")
        self.apply("InputToConstant", input=name, values=value if getattr(value, "ndim", 0) else [value])
