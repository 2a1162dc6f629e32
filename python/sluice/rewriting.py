"""Transformations of a graph, as DaCe's SDFG applies them, its recipe, and the pipelines."""
import pathlib

from . import _core, nodes
from .matches import Match, name_of, options_of, place_of_block


def expand_own(sdfg):
    """Expands library nodes of classes that were made as in DaCe (dace_compat.library); returns how many."""
    count = 0
    while own := nodes.OWN and [node for node, _ in sdfg.all_nodes_recursive() if type(node) in nodes.OWN.values()]:
        own[0].expand(own[0].state)
        count += 1
    return count


class Rewriting:
    """The transformations of an SDFG."""

    def matches(self, transformation, **options):
        """Every place where the transformation's pattern occurs, as transformation.Match: `refusal` says why it may not be applied.

        transformation: a name or a class of sluice.transformation; options: its parameters."""
        name = name_of(transformation)
        texts = options_of(transformation, options)
        return [Match(self, name, path, nodes, line, refusal, options)
                for path, nodes, line, refusal in self._graph.matches(name, texts)]

    def apply(self, transformation, where=None, *, unsafe_assume=(), **options):
        """Applies a transformation in one place. where: names of matched nodes, `{"map": "gemm"}`, with the state's path under "path" if
        several states fit; nothing if only one place fits. A Match may stand for both. unsafe_assume: codes of conditions that
        the caller vouches for. Raises CompileError: E004 no such place, E006 several, E007 refused; the graph is then unchanged."""
        name, texts = name_of(transformation), options_of(transformation, options)
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
        list with those of each; states: where to look. The conditions of a transformation always hold, also with permissive=True."""
        return self._apply_in(states, transformations, options, 1) if states is not None else self._apply_each(transformations, options, 1)

    def apply_transformations_repeated(self, transformations, options=None, validate=True, permissive=False, states=None,
                                       print_report=None, validate_all=False):
        """Applies the transformations wherever they may be until none may; returns how often."""
        if states is not None:
            return self._apply_in(states, transformations, options, 0)
        each = transformations if isinstance(transformations, (list, tuple)) else [transformations]
        texts = {option: text for one in each for option, text in options_of(one, options).items()}
        return self._graph.apply_repeated([name_of(one) for one in each], texts, 0)

    def apply_transformations_once_everywhere(self, transformations, options=None, validate=True, permissive=False, states=None,
                                              print_report=None, validate_all=False):
        """Applies each transformation to each place that admits it now, not to places that come of that; returns how often."""
        places = None if states is None else {place_of_block(state) for state in states}
        count = 0
        for each in transformations if isinstance(transformations, (list, tuple)) else [transformations]:
            for match in self.matches(each):
                if places is not None and match.path not in places:
                    continue
                try:
                    self.apply(match, **(options or {}))
                except _core.CompileError as error:
                    if error.code not in ("E004", "E006", "E007"):  # a place that an earlier one has changed, or that is refused
                        raise
                else:
                    count += 1
        return count

    def simplify(self, validate=True):
        """Applies what makes every program simpler (states and nested graphs joined, copies and single-point maps gone) until nothing
        of it applies; returns how often."""
        return self._graph.simplify()

    def auto_optimize(self, device=None, validate=True, symbols=None):
        """dace.transformation.auto.auto_optimize of this graph."""
        from .dace_compat.transformation.auto.auto_optimize import auto_optimize
        auto_optimize(self, *([] if device is None else [device]), symbols=symbols)

    def apply_gpu_transformations(self, states=None, validate=True, validate_all=False, permissive=False, **options):
        """GPUTransformSDFG: kernels and the copies around them, for the targets opencl and cuda; options: its parameters. Returns how often it
        was applied."""
        return self.apply_transformations("GPUTransformSDFG", options, states=states)

    def apply_fpga_transformations(self, states=None, validate=True, validate_all=False, permissive=False):
        """FPGATransformSDFG: kernels and the copies around them, for the targets hls-xilinx and hls-intel. Returns how often it was applied."""
        return self.apply_transformations("FPGATransformSDFG", states=states)

    def optimize(self, level):
        """Runs a pipeline: 0 does nothing; 1 simplifies; 2 takes the CPU's own decisions on top; 3 makes maps of loops, fuses maps and
        orders loops by memory as well; "decide" takes the decisions alone. Returns how often something was applied."""
        return self._graph.optimize(str(level))

    def expand_library_nodes(self, implementation=None, recursive=True, priorities=(), trace=None):
        """Expands every library node; returns how many steps that took. Each step is a line of the recipe, with the expansion that was
        chosen. implementation: the expansion for all nodes that have one of this name; recursive: what an expansion yields is expanded
        too; priorities: names of expansions, best first, before those of the setting `expansions` and the operations' own order;
        trace: a function, called with a line for each step that says what was chosen and by whose wish (`trace=print`)."""
        own = expand_own(self)
        count, steps = self._graph.expand_library_nodes(implementation or "", bool(recursive), list(priorities))
        for step in steps if trace else ():
            trace(step)
        return count + own

    def _apply_in(self, states, transformations, options, limit):
        """Applies transformations in some states: each up to `limit` times, 0: until none may be."""
        places = {place_of_block(state) for state in states}
        each = transformations if isinstance(transformations, (list, tuple)) else [transformations]
        given = options if isinstance(options, (list, tuple)) else [options] * len(each)
        count, left = 0, [limit] * len(each)
        while found := next(((at, match) for at, (one, parameters) in enumerate(zip(each, given)) if limit == 0 or left[at]
                             for match in self.matches(one, **(parameters or {})) if match.refusal is None and match.path in places), None):
            at, match = found
            match.apply()
            left[at] -= 1
            count += 1
        return count

    def _apply_each(self, transformations, options, limit):
        transformations = transformations if isinstance(transformations, (list, tuple)) else [transformations]
        if not isinstance(options, (list, tuple)):
            options = [options] * len(transformations)
        return sum(self._graph.apply_repeated([name_of(each)], options_of(each, given), limit) for each, given in zip(transformations, options))

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
