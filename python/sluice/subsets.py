"""Subsets as DaCe writes them: `Range([(0, N - 1, 1)])` has inclusive ends, its text `0:N` exclusive ones, as the graph's.

What is asked of sizes holds for positive symbols; what is not known of them counts as no.
"""
from functools import reduce

from . import _core


def _expression(value):
    return value if isinstance(value, _core.Expr) else _core.Expr(str(value))


def _holds(condition):
    """Whether it is known to."""
    try:
        return bool(condition)
    except TypeError:
        return False


def _extremum(name, a, b):
    first = _holds(a <= b), _holds(b <= a)
    if any(first):
        return a if first[name == "max"] else b
    return _core.Expr(f"{name}({a}, {b})")


class Range:
    """A box: (begin, end inclusive, step) for each dimension, with the size of tiles as a fourth where there are any. Equal to the text
    of the graph that means the same. Methods change it in place where DaCe's do."""

    _put_back = None  # of a memlet's or a map's: puts what is changed back into the graph

    def __init__(self, ranges):
        parts = [self._bounds(part) for part in ranges]
        self.ranges, self.tile_sizes = [part[:3] for part in parts], [part[3] for part in parts]

    @staticmethod
    def _bounds(part):
        if len(part) not in (3, 4):
            raise ValueError(f"a range is (begin, end, step), end inclusive, or has a tile size as well: {part!r}")
        return tuple(_expression(one) for one in (*part, 1)[:4])

    @staticmethod
    def from_string(text):
        """Of `0:N, 2:M:2, i`."""
        return Range([(begin, end + 1 if _holds(step < 0) else end - 1, step, tile)
                      for begin, end, step, tile in _core.parse_subset(text.strip("[] "))])

    @staticmethod
    def from_indices(indices):
        """One point."""
        return Range([(index, index, 1) for index in getattr(indices, "indices", indices)])

    @staticmethod
    def from_array(array):
        """The whole of a container."""
        return Range([(0, extent - 1, 1) for extent in map(_expression, array.shape)])

    # ---- sizes and corners ----
    def _sizes(self, extent):
        sizes = []
        for (begin, end, step), tile in zip(self.ranges, self.tile_sizes):
            count = end - begin + (-1 if _holds(step < 0) else 1)
            sizes.append(tile * (extent(count, step)))
        return sizes

    def size(self):
        """Elements in each dimension."""
        return self._sizes(lambda count, step: -(-count // step))

    def bounding_box_size(self):
        """Extents of the box around it."""
        return self._sizes(lambda count, step: -count if _holds(step < 0) else count)

    def num_elements(self):
        """Elements in all."""
        return reduce(lambda a, b: a * b, self.size(), _core.Expr(1))

    def num_elements_exact(self):
        """Elements of the box around it."""
        return reduce(lambda a, b: a * b, self.bounding_box_size(), _core.Expr(1))

    def min_element(self):
        """Where it begins in each dimension."""
        return [begin for begin, _, _ in self.ranges]

    def max_element(self):
        """Where it ends, inclusive."""
        return [end for _, end, _ in self.ranges]

    min_element_approx, max_element_approx = min_element, max_element

    def strides(self):
        """Its steps."""
        return [step for _, _, step in self.ranges]

    def absolute_strides(self, global_shape):
        """Its steps in elements of memory, for the strides of a container."""
        return [step * stride for step, stride in zip(self.strides(), global_shape)]

    def coord_at(self, i):
        """The index of its i-th element."""
        if len(i) != len(self.ranges):
            raise ValueError(f"{self} has {len(self.ranges)} dimensions, not {len(i)}")
        return tuple(begin + at * step for at, (begin, _, step) in zip(i, self.ranges))

    def at(self, i, strides):
        """Where its i-th element lies in memory, for the strides of a container."""
        return sum((at * stride for at, stride in zip(self.coord_at(i), strides)), _core.Expr(0))

    def dims(self):
        """Number of dimensions."""
        return len(self.ranges)

    def data_dims(self):
        """Number of dimensions with more than one element."""
        return sum(begin != end for begin, end, _ in self.ranges) + sum(tile != 1 for tile in self.tile_sizes)

    def ndrange(self):
        """Its (begin, end inclusive, step)."""
        return list(self.ranges)

    @property
    def free_symbols(self):
        """Names in it."""
        return self.get_free_symbols_by_indices(range(len(self.ranges)))

    def get_free_symbols_by_indices(self, indices):
        """Names in some of its dimensions."""
        return set().union(*(bound.free_symbols for at in indices for bound in self.ranges[at]))

    # ---- two subsets ----
    def covers(self, other):
        """Whether its bounding box is known to hold the other's."""
        if isinstance(other, SubsetUnion):
            return all(self.covers(one) for one in other.subset_list)
        self._same_rank(other)
        return all(_holds(low <= other_low) and _holds(other_high <= high) for low, high, other_low, other_high
                   in zip(self.min_element(), self.max_element(), other.min_element(), other.max_element()))

    def covers_precise(self, other):
        """Whether each element of the other is known to be one of its own."""
        if isinstance(other, SubsetUnion):
            return all(self.covers_precise(one) for one in other.subset_list)
        self._same_rank(other)
        return _core.subset_covers(str(self), str(other)) or self.covers(other) and all(
            (step == other_step or other_step % step == 0) and (begin - other_begin) % step == 0
            for (begin, _, step), (other_begin, _, other_step) in zip(self.ranges, other.ranges))

    def intersects(self, other):
        """Whether the two share an element; None where that is not known."""
        disjoint = _core.subset_disjoint(str(self), str(other))
        return None if disjoint is None else not disjoint

    def _same_rank(self, other):
        if self.dims() != other.dims():
            raise ValueError(f"{self} and {other} have different numbers of dimensions")

    def compose(self, other):
        """The elements that `other`, which counts within this one, picks. Its dimensions may leave out those with one element."""
        outer = [at for at, (begin, end, _) in enumerate(self.ranges) if begin != end]
        if other.dims() == len(outer):
            picked = dict(zip(outer, other.ranges))
        elif other.dims() == self.dims():
            picked = {at: other.ranges[at] for at in outer}
        elif all(part == (0, 0, 1) for part in other.ranges):
            return Range([(*part, tile) for part, tile in zip(self.ranges, self.tile_sizes)])
        else:
            raise ValueError(f"{other} does not have the dimensions of {self}")
        result = []
        for at, ((begin, end, step), tile) in enumerate(zip(self.ranges, self.tile_sizes)):
            if at in picked:
                low, high, inner = picked[at]
                begin, end, step = begin + step * low, begin + step * high, step * inner
            result.append((begin, end, step, tile))
        return Range(result)

    # ---- changes ----
    def _set(self, ranges, tile_sizes):
        self.ranges, self.tile_sizes = ranges, tile_sizes
        if self._put_back is not None:
            self._put_back(self)

    def offset_new(self, other, negative, indices=None, offset_end=True):
        """A copy that is moved; see offset()."""
        moved = Range([(*part, tile) for part, tile in zip(self.ranges, self.tile_sizes)])
        moved.offset(other, negative, indices, offset_end)
        return moved

    def offset(self, other, negative, indices=None, offset_end=True):
        """Moves it by where another subset begins, by a list or by one number; `indices`: only these dimensions; offset_end: ends as well."""
        if other is None:
            return
        by = other.min_element() if hasattr(other, "min_element") else other if isinstance(other, (list, tuple)) else [other] * len(self.ranges)
        ranges = list(self.ranges)
        for at in range(len(ranges)) if indices is None else indices:
            begin, end, step = ranges[at]
            shift = -_expression(by[at]) if negative else _expression(by[at])
            ranges[at] = (begin + shift, end + shift if offset_end else end, step)
        self._set(ranges, self.tile_sizes)

    def reorder(self, order):
        """Permutes its dimensions."""
        self._set([self.ranges[at] for at in order], [self.tile_sizes[at] for at in order])

    def pop(self, dimensions):
        """Removes dimensions; one element is left if there is none."""
        kept = [at for at in range(len(self.ranges)) if at not in dimensions]
        one = [(*[_core.Expr(0)] * 2, _core.Expr(1))]
        self._set([self.ranges[at] for at in kept] or one, [self.tile_sizes[at] for at in kept] or [_core.Expr(1)])

    def squeeze(self, ignore_indices=None, offset=True):
        """Removes dimensions of one element but those of `ignore_indices`, moves the others to 0 (offset), and returns those that are left."""
        ignored = set(ignore_indices or ())
        kept = [at for at, size in enumerate(self.size()) if at in ignored or size != 1]
        self.pop(set(range(len(self.ranges))).difference(kept))
        if offset and kept:
            self.offset(self, True, [place for place, at in enumerate(kept) if at not in ignored])
        return kept

    def unsqueeze(self, axes):
        """Puts dimensions `0:1` in; returns where they stand."""
        ranges, tiles, places = list(self.ranges), list(self.tile_sizes), []
        for axis in sorted(axes):
            ranges.insert(axis, Range._bounds((0, 0, 1))[:3])
            tiles.insert(axis, _core.Expr(1))
            places.append(max(axis, places[-1] + 1) if places and places[-1] >= axis else axis)
        self._set(ranges, tiles)
        return places

    def replace(self, repl_dict):
        """Other expressions for names."""
        self._set([tuple(bound.subs(repl_dict) for bound in part) for part in self.ranges], [tile.subs(repl_dict) for tile in self.tile_sizes])

    # ---- as a list and as a text ----
    def __len__(self):
        return len(self.ranges)

    def __iter__(self):
        return iter(self.ranges)

    def __getitem__(self, at):
        return self.ranges[at]

    def __setitem__(self, at, value):
        ranges, tiles = list(self.ranges), list(self.tile_sizes)
        places = range(len(ranges))[at] if isinstance(at, slice) else [range(len(ranges))[at]]
        for place, part in zip(places, value if isinstance(at, slice) else [value]):
            part = self._bounds(part)
            ranges[place], tiles[place] = part[:3], part[3]
        self._set(ranges, tiles)

    def __add__(self, other):
        return Range([(*part, tile) for one in (self, other) for part, tile in zip(one.ranges, one.tile_sizes)])

    def __eq__(self, other):
        if isinstance(other, str):
            other = Range.from_string(other)
        return isinstance(other, Range) and self.ranges == other.ranges and self.tile_sizes == other.tile_sizes

    def __hash__(self):
        return hash(tuple(self.ranges))

    def __deepcopy__(self, memo):
        return self.offset_new(None, False)

    @staticmethod
    def dim_to_string(part, tile=1):
        """The text of one dimension, with an exclusive end."""
        begin, end, step = part
        if begin == end and step == 1 and tile == 1:
            return str(begin)
        further = [str(one) for one in ([step, tile] if tile != 1 else [step] if step != 1 else [])]
        return ":".join([str(begin), str(end + (-1 if _holds(step < 0) else 1)), *further])

    def string_list(self):
        """The text of each dimension."""
        return [self.dim_to_string(part, tile) for part, tile in zip(self.ranges, self.tile_sizes)]

    def __str__(self):
        return ", ".join(self.string_list())

    def pystr(self):
        """The text of its tuples, with inclusive ends."""
        return "[" + ", ".join("(" + ", ".join(map(str, part)) + ")" for part in self.ranges) + "]"

    def __repr__(self):
        return f"{type(self).__name__} ({self})"


def range_property(plain):
    """The same property with its text as a Range, whose changes reach the graph."""
    def read(self):
        text = plain.fget(self)
        if text is None:
            return None
        box = Range.from_string(text)
        box._put_back = lambda changed: plain.fset(self, changed)
        return box
    return property(read, plain.fset, doc=plain.__doc__)


class Indices(Range):
    """One point."""

    def __init__(self, indices):
        if not isinstance(indices, (list, tuple, Range)):
            raise TypeError(f"a collection of indices is expected, not {indices!r}")
        super().__init__([(index, index, 1) for index in indices])

    @property
    def indices(self):
        """The index in each dimension."""
        return self.min_element()


class SubsetUnion:
    """Several subsets."""

    def __init__(self, subset):
        self.subset_list = list(getattr(subset, "subset_list", subset if isinstance(subset, (list, tuple)) else [subset]))

    def covers(self, other):
        """Whether one of them is known to."""
        return any(one.covers(other) for one in self.subset_list)

    def covers_precise(self, other):
        """Whether one of them is known to."""
        return any(one.covers_precise(other) for one in self.subset_list)

    def union(self, other):
        """Takes another one, or several, in."""
        self.subset_list += SubsetUnion(other).subset_list

    def dims(self):
        """Number of dimensions."""
        return self.subset_list[0].dims() if self.subset_list else 0

    @property
    def free_symbols(self):
        """Names in them."""
        return set().union(*(one.free_symbols for one in self.subset_list))

    def replace(self, repl_dict):
        """Other expressions for names."""
        for one in self.subset_list:
            one.replace(repl_dict)

    def __str__(self):
        return " ".join(map(str, self.subset_list))


def bounding_box_union(subset_a, subset_b):
    """The smallest box around two subsets. Raises ValueError where their dimensions differ."""
    subset_a._same_rank(subset_b)
    return Range([(_extremum("min", low, other_low), _extremum("max", high, other_high), 1) for low, other_low, high, other_high
                  in zip(subset_a.min_element(), subset_b.min_element(), subset_a.max_element(), subset_b.max_element())])


def union(subset_a, subset_b):
    """A subset that holds both; one of them where the other is None."""
    if subset_a is None or subset_b is None:
        return subset_a if subset_b is None else subset_b
    if isinstance(subset_a, SubsetUnion) or isinstance(subset_b, SubsetUnion):
        return list_union(subset_a, subset_b)
    return bounding_box_union(subset_a, subset_b)


def list_union(subset_a, subset_b):
    """The two as a SubsetUnion."""
    both = SubsetUnion(subset_a)
    both.union(subset_b)
    return both


def intersects(subset_a, subset_b):
    """Whether two subsets share an element; None where that is not known."""
    return False if subset_a is None or subset_b is None else subset_a.intersects(subset_b)
