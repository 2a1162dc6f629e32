"""A pure algorithm and its schedule, which become an SDFG (after Tiramisu; docs/schedule.md has every command).

    from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init

    init("gemm")
    N = Constant("N")
    i, j, k = Var("i", 0, N), Var("j", 0, N), Var("k", 0, N)
    A, B = Input("A", [N, N]), Input("B", [N, N])
    C = Computation("C", [i, j], 0.0)
    total = Update("total", [i, j, k], C[i, j], "+", A[i, k] * B[k, j])
    total.tile(i, j, 32, 32, Var("i0"), Var("j0"), Var("i1"), Var("j1"))
    gemm = codegen([C])                # an SDFG
    gemm(A=a, B=b, C=c)

Commands record; `codegen` proves that every value is computed before it is read and still there when it is, and raises CompileError
(M001 to M011) with two instances otherwise.
"""
from . import _core
from .sdfg import SDFG

__all__ = ["ASYNC", "BLOCK", "Buffer", "Computation", "Constant", "Expr", "Function", "Input", "Layer", "SYNC", "Update", "Var", "assume", "barrier_at",
           "codegen", "init", "print_layer", "ranks", "receive", "repair", "root", "send"]

root = "root"
Layer = _core.ScheduleLayer


def _text(value):
    if isinstance(value, (Expr, str, bool, int, float)):
        return str(value)
    raise TypeError(f"{value!r} is no expression of sluice.schedule; use numbers, Var, Constant and subscripts of computations")


def _level(value):
    return value if isinstance(value, str) else value.name


class Expr:
    """An expression as text. Comparisons by methods of the text stay with Python: write predicates as text, `"i < j"`."""

    def __init__(self, text):
        self._text = text

    def __str__(self):
        return self._text

    __repr__ = __str__

    def __neg__(self):
        return Expr(f"(-{self})")


def _operator(symbol):
    def forward(self, other):
        return Expr(f"({self} {symbol} {_text(other)})")

    def backward(self, other):
        return Expr(f"({_text(other)} {symbol} {self})")

    return forward, backward


for _name, _symbol in (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "**")):
    _forward, _backward = _operator(_symbol)
    setattr(Expr, f"__{_name}__", _forward)
    setattr(Expr, f"__r{_name}__", _backward)


class Var(Expr):
    """An iterator, `lower <= name < upper`; without bounds the name of a level."""

    def __init__(self, name, lower=None, upper=None):
        super().__init__(name)
        self.name, self.lower, self.upper = name, lower, upper

    def _parts(self):
        if self.lower is None or self.upper is None:
            _core.refuse("M001", f"the iterator `{self.name}` has no bounds", "Write Var(name, lower, upper).")
        return self.name, _text(self.lower), _text(self.upper)


class Function:
    """Everything that `codegen` makes one SDFG of."""

    def __init__(self, name):
        self.name = name
        self._core = _core.ScheduleFunction(name)

    def codegen(self, outputs):
        return SDFG(self.name, _graph=self._core.build([output._core for output in outputs]))

    def repair(self, outputs):
        """Gives the nearest commands that make an illegal schedule legal, those that the refusal of `codegen` names; their text, or
        None if none was found."""
        return self._core.repair([output._core for output in outputs])

    def layer(self, number, outputs):
        """One of the four layers: 1 the algorithm, 2 computation management, 3 data management, 4 communication."""
        return self._core.layer(number, [output._core for output in outputs])


_current = None


def init(name):
    """Starts a function; what is defined from here on belongs to it."""
    global _current
    _current = Function(name)
    return _current


def _function():
    if _current is None:
        _core.refuse("M001", "there is no function", 'Start one with init("name").')
    return _current


def codegen(outputs):
    """The SDFG of the function: inputs, and the memory of the outputs, are its arguments."""
    return _function().codegen(outputs)


def repair(outputs):
    """`Function.repair` of the function."""
    return _function().repair(outputs)


def print_layer(number, outputs):
    """Prints a layer of the function, a text that `Layer.parse` reads back."""
    print(_function().layer(number, outputs), end="")


def assume(condition):
    """A condition on constants, as text, that holds whenever the function is called, which looks: `assume("B >= 2")`."""
    _function()._core.assume(condition)


ranks = Expr("comm_size")
"""In bounds of the iterators of messages: how many ranks there are."""


class Constant(Expr):
    """A positive integer that the caller passes, or that the shapes of arguments determine."""

    def __init__(self, name):
        super().__init__(name)
        _function()._core.constant(name)


class _Readable:
    def __getitem__(self, indices):
        indices = indices if isinstance(indices, tuple) else (indices,)
        read = Expr(f"{self.name}[{', '.join(map(_text, indices))}]")
        read.of, read.indices = self, [_text(index) for index in indices]
        return read

    def __call__(self, *indices):
        return self[indices]


class Input(_Readable):
    def __init__(self, name, sizes, dtype=float):
        self.name = name
        self._function = _function()
        self._function._core.input(name, [_text(size) for size in sizes], dtype)

    def host_to_device(self):
        """Copies the input to the device at the beginning. Once one copy is said, all are."""
        self._function._core.host_to_device(self.name)
        return Copy(self, to_device=True)

    def buffer(self):
        """Its memory."""
        return Buffer(self.name, [], _core_buffer=self._function._core.memory_of(self.name))

    def distribute(self, rows, halo=0):
        """Rank r is passed the elements from r * rows to (r + 1) * rows along the first dimension, with room for `halo` more, which the last
        rank is passed as well. Returns the input; messages name elements of it by indices in the rank's memory."""
        self._function._core.distribute(self.name, _text(rows), halo)
        return self

    def cache_shared_at(self, consumer, level):
        """`consumer` reads a copy, which each iteration of its loops down to `level` makes in memory of its block."""
        return _Cache(self._function._core.cache_at(self.name, consumer._core, _level(level), "shared"))

    def cache_local_at(self, consumer, level):
        """Likewise in memory of its thread."""
        return _Cache(self._function._core.cache_at(self.name, consumer._core, _level(level), "local"))

    def copy_at(self, consumer, level):
        """Likewise in memory of whoever runs these loops."""
        return _Cache(self._function._core.cache_at(self.name, consumer._core, _level(level), "default"))


class Operation:
    """A message between ranks, or a barrier: outside of all loops, where `before` and `after` say."""

    def __init__(self, core):
        self._core, self.name = core, core.name

    def _order(self, command, other, level):
        if _level(level) != root:
            _core.refuse("M004", f"`{self.name}` would run in a loop of `{other.name}`", "Order it at the level `root`.")
        getattr(self._core, command)(other._core)
        return self

    def before(self, other, level=root):
        return self._order("before", other, level)

    def after(self, other, level=root):
        return self._order("after", other, level)

    def distribute(self, iterator):
        """Each value of the message's iterator is the rank that runs it."""
        self._core.distribute(_level(iterator))
        return self


ASYNC, BLOCK, SYNC = "ASYNC", "BLOCK", "SYNC"


def _delivery(properties):
    properties = [properties] if isinstance(properties, str) else list(properties)
    if len(properties) != 1 or properties[0] not in (ASYNC, BLOCK, SYNC):
        _core.refuse("M004", f"{properties} says not how a message is delivered", "Give one of ASYNC, BLOCK and SYNC.")
    return properties[0]


def _rank(iterators):
    iterators = [iterators] if isinstance(iterators, Var) else list(iterators)
    if len(iterators) != 1:
        _core.refuse("M004", f"a message has {len(iterators)} iterators", "Give it one, which counts the ranks that run it.")
    return iterators[0]._parts()


def send(d, src, s, q, p):
    """The ranks of the iterator `d` send `s` contiguous elements, from the element `src` on, to the rank `q`. ASYNC: at once, until the
    end of the program; BLOCK: it may wait for its receive; SYNC: it waits until that has begun."""
    return Operation(_function()._core.send(_rank(d), _text(src), _text(s), _text(q), _delivery(p)))


def receive(d, dst, s, q, p, sent):
    """The ranks of `d` receive from the rank `q` what the send `sent` sends. ASYNC: until the first reader; SYNC, BLOCK: at once."""
    return Operation(_function()._core.receive(_rank(d), _text(dst), _text(s), _text(q), _delivery(p), sent._core))


def barrier_at(computation, level=root):
    """All ranks meet before the computation."""
    return Operation(_function()._core.barrier_at(computation._core, _level(level)))


class Copy:
    """A copy between host and device. Copies to the device run at the beginning, those back at the end: orders are checked only."""

    def __init__(self, of, to_device):
        self.of, self.to_device = of, to_device

    def _order(self, is_before, level):
        if _level(level) != root or is_before != self.to_device:
            when = "before all loops" if self.to_device else "behind all loops"
            _core.refuse("M005", f"the copy of `{self.of.name}` runs {when}", "Take the order away.")
        return self

    def before(self, other, level=root):
        return self._order(True, level)

    def after(self, other, level=root):
        return self._order(False, level)


class Buffer:
    """Memory that computations are stored in. `C.buffer()` is that of a computation."""

    def __init__(self, name, sizes, dtype=float, _core_buffer=None):
        self._core = _core_buffer or _function()._core.buffer(name, [_text(size) for size in sizes], dtype)
        self.name = name

    def set_size(self, sizes):
        self._core.set_size([_text(size) for size in sizes])
        return self

    def tag_gpu_global(self):
        self._core.tag_gpu("global")
        return self

    def tag_gpu_shared(self):
        """Memory of a block of the device, whose loops allocate it."""
        self._core.tag_gpu("shared")
        return self

    def tag_gpu_local(self):
        """Memory of a thread of the device, whose loops allocate it."""
        self._core.tag_gpu("local")
        return self

    def tag_gpu_constant(self):
        """The memory of constants of the device: of an input, whose size is known, `x.buffer().tag_gpu_constant()`."""
        self._core.tag_gpu_constant()
        return self

    def allocate_at(self, computation, level):
        """New memory in each iteration of the loops of `computation` down to `level`."""
        self._core.allocate_at(computation._core, _level(level))
        return self


class _Scheduled:
    """The commands. Each returns the computation."""

    def store_in(self, buffer, indices=()):
        """`store_in(buffer)`, `store_in(buffer, indices)`; `store_in(indices)`: in memory of its own."""
        if isinstance(buffer, Buffer):
            self._core.store_in(buffer.name, [_text(index) for index in indices])
        else:
            self._core.store_in([_text(index) for index in buffer])
        return self

    def prefetch(self, source, level, distance):
        """Brings near what the iteration of `level` that is `distance` later reads of `source`, an input or a computation."""
        self._core.prefetch(source.name, _level(level), distance)
        return self

    def gpu(self, *levels):
        """The first half of these levels are blocks of a device, the others the threads of a block."""
        self._core.gpu([_level(level) for level in levels])
        return self

    def tile_gpu(self, i, j, size_i, size_j, i0=None, j0=None, i1=None, j1=None):
        names = [_level(given) if given is not None else f"{_level(of)}_{part}"
                 for given, of, part in ((i0, i, "block"), (j0, j, "block"), (i1, i, "thread"), (j1, j, "thread"))]
        return self.tile(i, j, size_i, size_j, *names).gpu(*names)

    def cache_shared_at(self, consumer, level):
        """What the loops of `consumer` down to `level` read of it is kept in memory of the block."""
        return _Cache(self._core.cache_shared_at(consumer._core, _level(level)))

    def cache_local_at(self, consumer, level):
        return _Cache(self._core.cache_local_at(consumer._core, _level(level)))

    def copy_at(self, consumer, level):
        """`consumer` reads a copy, which each iteration of its loops down to `level` makes in memory of its own."""
        return _Cache(self._core.copy_at(consumer._core, _level(level)))

    def device_to_host(self):
        """Results are copied back at the end. Once one copy is said, all are."""
        self._core.device_to_host()
        return Copy(self, to_device=False)

    @property
    def levels(self):
        return self._core.levels

    def split(self, level, size, outer, inner):
        self._core.split(_level(level), size if isinstance(size, int) else _text(size), _level(outer), _level(inner))
        return self

    def tile(self, i, j, size_i, size_j, i0, j0, i1, j1):
        self._core.tile(_level(i), _level(j), size_i, size_j, _level(i0), _level(j0), _level(i1), _level(j1))
        return self

    def interchange(self, i, j):
        self._core.interchange(_level(i), _level(j))
        return self

    def shift(self, i, by):
        self._core.shift(_level(i), by)
        return self

    def skew(self, i, j, factor, ni, nj):
        self._core.skew(_level(i), _level(j), factor, _level(ni), _level(nj))
        return self

    def reverse(self, i, renamed):
        self._core.reverse(_level(i), _level(renamed))
        return self

    def set_schedule(self, times):
        self._core.set_schedule(times)
        return self

    def after(self, other, level=root):
        self._core.after(other._core, _level(level))
        return self

    def before(self, other, level=root):
        other.after(self, level)
        return self

    def then(self, other, level=root):
        other.after(self, level)
        return other

    def fuse_after(self, level, other):
        """`after` with the arguments of Tiramisu's public code."""
        return self.after(other, level)

    def between(self, first, first_level, second, second_level):
        self._core.between(first._core, _level(first_level), second._core, _level(second_level))
        return self

    def compute_at(self, consumer, level):
        """Runs in the loops of `consumer` down to `level`: each iteration computes the points that it reads."""
        self._core.compute_at(consumer._core, _level(level))
        return self

    def store_at(self, consumer, level):
        self._core.store_at(consumer._core, _level(level))
        return self

    def inline(self):
        self._core.inline()
        return self

    def infer_bounds(self):
        self._core.infer_bounds()
        return self

    def unroll(self, level, factor, outer="", inner=""):
        self._core.unroll(_level(level), factor, _level(outer), _level(inner))
        return self

    def vectorize(self, level, lanes, outer="", inner=""):
        self._core.vectorize(_level(level), lanes, _level(outer), _level(inner))
        return self

    def set_expression(self, value):
        self._core.set_expression(_text(value))
        return self

    def add_predicate(self, condition):
        self._core.add_predicate(_text(condition))
        return self

    def buffer(self):
        core = self._core.buffer()
        return Buffer(core.name, (), _core_buffer=core)

    def parallelize(self, level):
        self._core.parallelize(_level(level))
        return self

    def distribute(self, level):
        """Each iteration of the outermost level runs on the rank of its number, in memory of that rank."""
        self._core.distribute(_level(level))
        return self


class Computation(_Scheduled, _Readable):
    """`Computation(name, vars, value)`, or `Computation(domain, value)` over a set in isl's notation. Without a value it gets one by
    `C[i, j] = value`."""

    def __init__(self, name, vars, value=None, dtype=float, predicate=""):
        function = _function()._core
        if value is None:
            self._core = function.computation_over(name, _text(vars), dtype)
        else:
            self._core = function.computation(name, [var._parts() for var in vars], _text(value), _text(predicate), dtype)
        self.name = self._core.name

    def __setitem__(self, indices, value):
        """`C[i, j] = value`: its expression, in its own iterators."""
        indices = indices if isinstance(indices, tuple) else (indices,)
        if [_text(index) for index in indices] != self._core.iterators:
            _core.refuse("M001", f"`{self.name}` is defined at {', '.join(map(_text, indices))}",
                         f"Define it at its iterators, {', '.join(self._core.iterators)}.")
        self.set_expression(value)


class Update(_Scheduled):
    """`Update(name, vars, C[i, j], "+", value)` combines values with those of C, in any order: by +, *, min or max."""

    def __init__(self, name, vars, target, operation, value, predicate=""):
        self.name = name
        self._core = _function()._core.update(name, [var._parts() for var in vars], target.of._core, target.indices, operation,
                                              _text(value), _text(predicate))


class _Cache(_Scheduled, _Readable):
    """The computation that makes a cache."""

    def __init__(self, core):
        self._core, self.name = core, core.name
