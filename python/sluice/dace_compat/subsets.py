"""Subsets as DaCe writes them: `Range([(0, N - 1, 1)])` has inclusive ends. The graph's own are texts, `0:N`, with exclusive ones."""
from sluice import _core


def _expression(value):
    return value if isinstance(value, _core.Expr) else _core.Expr(str(value))


class Range:
    """A box: (begin, end inclusive, step) for each dimension. Equal to the text of the graph that means the same."""

    def __init__(self, ranges):
        self.ranges = [tuple(_expression(one) for one in (*part, 1)[:3]) for part in ranges]

    @staticmethod
    def from_string(text):
        """Of `0:N, 2:M:2, i`."""
        ranges = []
        for part in text.strip("[] ").split(","):
            bounds = [one.strip() for one in part.split(":")]
            if len(bounds) == 1:
                ranges.append((bounds[0], bounds[0], 1))
            else:
                ranges.append((bounds[0], _expression(bounds[1]) - 1, bounds[2] if len(bounds) > 2 else 1))
        return Range(ranges)

    def size(self):
        """Points in each dimension."""
        return [(end - begin + step) // step for begin, end, step in self.ranges]

    def dims(self):
        """Number of dimensions."""
        return len(self.ranges)

    def __len__(self):
        return len(self.ranges)

    def __iter__(self):
        return iter(self.ranges)

    def __getitem__(self, at):
        return self.ranges[at]

    def __eq__(self, other):
        if isinstance(other, str):
            other = Range.from_string(other)
        return isinstance(other, Range) and [tuple(map(str, one)) for one in self.ranges] == [tuple(map(str, one)) for one in other.ranges]

    __hash__ = None

    def __str__(self):
        return ", ".join(f"{begin}:{end + 1}" + (f":{step}" if str(step) != "1" else "") for begin, end, step in self.ranges)

    def __repr__(self):
        return f"Range({self})"


class Indices(Range):
    """One point."""

    def __init__(self, indices):
        super().__init__([(index, index, 1) for index in indices])
