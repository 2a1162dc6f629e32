"""DaCe's optimizers: what may be applied to a graph."""
from sluice import transformation


class Optimizer:
    """Finds the places where transformations may be applied."""

    def __init__(self, sdfg, inplace=False):
        self.sdfg = sdfg if inplace else type(sdfg)(sdfg.name, _graph=sdfg._graph.copy())

    def get_pattern_matches(self, permissive=False, states=None, patterns=None, sdfg=None, options=None):
        """The matches that may be applied, of these transformations or of all built-in ones; match.apply() applies one."""
        graph = sdfg if sdfg is not None else self.sdfg
        names = patterns if patterns is not None else transformation._core.transformations()
        given = options if isinstance(options, list) else [options] * len(names)
        for name, parameters in zip(names, given):
            yield from (match for match in graph.matches(name, **(parameters or {})) if match.refusal is None)

    def optimize(self):
        """The graph as it is: what is to be applied is said by the caller."""
        return self.sdfg


SDFGOptimizer = Optimizer
