"""A transformation of one's own: maps with few iterations run on the calling thread, where starting others costs more than it gains.

    python small_maps.py
"""
import numpy as np

import sluice
from sluice.transformation import Transformation, chain, refuse, register


@register
class SmallMapsSequential(Transformation):
    """Runs a map in order if it is known to have at most `limit` iterations."""
    pattern = chain(map="MapEntry")
    conditions = {"M1": "the map is not sequential already",
                  "M2": "the number of its iterations is known and at most `limit`"}
    parameters = {"limit": (64, "Most iterations of a map that becomes sequential.")}

    def can_apply(self, site):
        if site.map.schedule == sluice.ScheduleType.Sequential:
            return refuse("M1", "the map is sequential", [site.map])
        iterations = self.iterations(site.map)
        if iterations is None or iterations > site.options["limit"]:
            count = "not a known number of" if iterations is None else iterations
            return refuse("M2", f"the map has {count} iterations", [site.map])

    def apply(self, site):
        site.map.schedule = sluice.ScheduleType.Sequential

    @staticmethod
    def iterations(entry):
        """The product of the extents, or None where one is symbolic."""
        total = 1
        for extent in str(entry.range).split(","):
            bounds = [part.strip() for part in extent.split(":")]
            if len(bounds) != 2 or not all(bound.isdigit() for bound in bounds):
                return None
            total *= int(bounds[1]) - int(bounds[0])
        return total


N = sluice.symbol("N")


@sluice.program
def two_sizes(x: sluice.float64[N, N], y: sluice.float64[N, N], v: sluice.float64[3, 3], w: sluice.float64[3, 3]):
    y[:] = x + 1
    w[:] = 2 * v


def main():
    sdfg = two_sizes.to_sdfg()
    for match in sdfg.matches(SmallMapsSequential):
        print(match.line, "is refused:" if match.refusal else "applies")
        if match.refusal:
            print("   ", match.refusal.splitlines()[0])
    assert sdfg.apply_transformations_repeated(SmallMapsSequential) == 1
    print("recipe:", sdfg.recipe.strip())
    x, v = np.random.default_rng(0).random((100, 100)), np.ones((3, 3))
    y, w = np.zeros_like(x), np.zeros_like(v)
    sdfg(x=x, y=y, v=v, w=w, N=100)
    assert (y == x + 1).all() and (w == 2 * v).all()
    print("the results are NumPy's")


if __name__ == "__main__":
    main()
