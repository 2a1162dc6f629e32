"""Memlets: what moves along an edge."""
import ast
import inspect
import textwrap

from . import _core
from .strict import strict
from .subsets import range_property
from .walking import MemletTree, names_of_subset


def wcr_text(wcr):
    """The text of a write-conflict resolution given as text or as a lambda (whose source is looked up)."""
    if wcr is None or isinstance(wcr, str):
        return wcr
    source = textwrap.dedent(inspect.getsource(wcr)).strip()
    for start in range(len(source)):
        if not source.startswith("lambda", start):
            continue
        for end in range(len(source), start, -1):
            try:
                tree = ast.parse(source[start:end], mode="eval")
            except SyntaxError:
                continue
            if isinstance(tree.body, ast.Lambda) and len(tree.body.args.args) == 2:
                return ast.unparse(tree)
    raise ValueError("the source of the lambda was not found; pass it as text, for example 'lambda a, b: a + b'")


def _property(name, doc):
    return property(lambda self: self.get(name), lambda self, value: self.set(name, value), doc=doc)


@strict()
class Memlet(_core.MemletValue):
    """Data movement: `Memlet("A[i, 0:N]")`, `Memlet("A[0:5] -> [3:8]")`, `Memlet(data="A", subset="i", wcr="lambda a, b: a + b")`.

    expr: container and subset, maybe with the subset at the other end; ranges are begin:end:step, end exclusive.
    volume: elements moved in one execution; by default the size of the subset. dynamic: how many move depends on data.
    wcr: write-conflict resolution, a lambda of the old and the new value. wcr_nonatomic: no two writes conflict.
    Without arguments it only orders its two nodes. Raises CompileError if a text does not parse.
    """

    def __init__(self, expr=None, data=None, subset=None, other_subset=None, volume=None, dynamic=None, wcr=None,
                 wcr_nonatomic=False, allow_oob=False, debuginfo=None):
        if isinstance(expr, _core.MemletValue):
            super().__init__(None)
            self.assign(expr)
        else:
            super().__init__(expr)
        if data is not None:
            self.data = data
        if subset is not None:
            self.subset = subset
            self.volume = self.num_elements()
        if other_subset is not None:
            self.other_subset = other_subset
        if volume is not None:
            self.dynamic = bool(dynamic) or volume == -1
            self.volume = 0 if volume == -1 else volume
        if dynamic is not None:
            self.dynamic = dynamic
        if wcr is not None:
            self.wcr = wcr
        self.wcr_nonatomic = wcr_nonatomic
        self.allow_oob = allow_oob

    @staticmethod
    def simple(data, subset_str, wcr_str=None, other_subset_str=None, wcr_conflict=True, num_accesses=None, dynamic=False, debuginfo=None):
        """DaCe's older spelling."""
        return Memlet(data=getattr(data, "data", data), subset=subset_str, wcr=wcr_str, other_subset=other_subset_str,
                      wcr_nonatomic=not wcr_conflict, volume=num_accesses, dynamic=dynamic or None)

    @staticmethod
    def from_array(name, descriptor, wcr=None):
        """The whole container."""
        return Memlet(data=name, subset=[(0, extent) for extent in descriptor.shape], wcr=wcr)

    _put_back = None  # of an edge's memlet: puts what is changed back into the graph

    def set(self, name, value):
        """Sets a property by its name in the graph."""
        super().set(name, value)
        if self._put_back is not None:
            self._put_back(self)

    data = _property("data", "The container.")
    subset = range_property(_property("subset", "What moves; None: the whole container."))
    other_subset = range_property(_property("other_subset", "Where it lies at the other end."))
    volume = _property("volume", "Elements moved in one execution.")
    num_accesses = volume
    dynamic = _property("dynamic", "Whether the volume depends on data.")
    wcr_nonatomic = _property("wcr_nonatomic", "The user vouches that no two writes conflict.")
    allow_oob = _property("allow_oob", "The subset may leave the container.")
    is_data_src = _property("is_data_src", "Copies between two nodes of one container: `subset` is the source side; None: derived.")
    schedule = _property("schedule", "Copies: CPU_Multicore lets a team share those of at least `omp_min_elements` elements.")
    omp_min_elements = _property("omp_min_elements", "Copies: elements from which on a team shares them.")
    prefetch = range_property(_property("prefetch", "An element that a later iteration of a tasklet reads, to bring near; None: none."))

    _ends = None, None  # of an edge's memlet: the containers at its source and at its destination

    def _is_source(self):
        return self.is_data_src if self.is_data_src is not None else self._ends[1] != self.data or self._ends[0] == self.data

    @property
    def src_subset(self):
        """What lies at the source of its edge; None where it says nothing of that."""
        return self.subset if self._is_source() else self.other_subset

    @property
    def dst_subset(self):
        """The same of the destination."""
        return self.other_subset if self._is_source() else self.subset

    @property
    def free_symbols(self):
        """Names in its subsets."""
        return names_of_subset(self.subset) | names_of_subset(self.other_subset)

    def used_symbols(self, all_symbols=True, edge=None):
        """The same as a method."""
        return self.free_symbols

    def get_free_symbols_by_indices(self, indices_src, indices_dst):
        """Names in some dimensions of what lies at the source, and of what lies at the destination."""
        both = (self.src_subset, indices_src), (self.dst_subset, indices_dst)
        return set().union(*(box.get_free_symbols_by_indices(indices) for box, indices in both if box is not None))

    def bounding_box_size(self):
        """Extents of the box around what moves."""
        return self.subset.bounding_box_size() if self.subset is not None else []

    def get_src_subset(self, edge, state):
        """What lies at the source of its edge."""
        return edge.data.src_subset

    def get_dst_subset(self, edge, state):
        """What lies at the destination of its edge."""
        return edge.data.dst_subset

    def get_stride(self, sdfg, map, dim=-1):
        """Steps in memory from one element of a dimension to the next."""
        descriptor = sdfg.arrays[self.data]
        return self.subset.absolute_strides(descriptor.strides)[dim]

    def replace(self, repl_dict):
        """Other expressions for names in its subsets."""
        for box in filter(None, (self.subset, self.other_subset)):
            box.replace(repl_dict)

    @staticmethod
    def from_memlet(memlet):
        """Another memlet that says the same."""
        return Memlet(memlet)

    @property
    def wcr(self):
        """Text of the write-conflict resolution."""
        return self.get("wcr")

    @wcr.setter
    def wcr(self, value):
        self.set("wcr", wcr_text(value))

    def __reduce__(self):
        return _restored, ({name: self.get(name) for name in _core.properties()["Memlet"]},)

    __hash__ = object.__hash__


def _restored(values):
    """The memlet of what pickle kept."""
    memlet = Memlet()
    for name, value in values.items():
        memlet.set(name, value)
    return memlet


EmptyMemlet = Memlet
