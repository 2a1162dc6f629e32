"""Transformations: the built-in ones by name, and classes that make a new one.

    from sluice.transformation import MapTiling
    sdfg.apply(MapTiling, where={"map": "gemm"}, tile_sizes=[32, 32])

A class with `pattern`, `can_apply` and `apply` is used as the built-in ones are, in every method of SDFG and in recipes, once it is
registered:

    @sluice.transformation.register
    class MakeSequential(Transformation):
        '''Runs a map in order.'''
        pattern = chain(map="MapEntry")
        conditions = {"S1": "the map is not sequential already"}

        def can_apply(self, site):
            if site.map.schedule == sluice.ScheduleType.Sequential:
                return refuse("S1", "it is sequential")

        def apply(self, site):
            site.map.schedule = sluice.ScheduleType.Sequential
"""
import ast
import importlib
import os

from . import _core
from ._absent_transformations import REASONS, stand_in
from .dace_options import without_accepted
from .matches import Match, apply_at, matches_of, name_of
from .nodes import MapEntry, Node
from .sdfg import SDFG
from .state import SDFGState
from .strict import refuse_others

_KINDS = {name: 1 << bit for bit, name in enumerate(
    ["AccessNode", "Tasklet", "MapEntry", "MapExit", "ConsumeEntry", "ConsumeExit", "NestedSDFG", "LibraryNode", "SDFGState",
     "LoopRegion", "ConditionalBlock", "BreakBlock", "ContinueBlock", "ReturnBlock", "ControlFlowRegion"])}


class Builtin:
    """A built-in transformation: its name, conditions and parameters; under a further name (LocalStorage), those of the first that it
    stands for."""

    def __init__(self, name):
        self.__name__ = name
        description = _core.describe_transformation(name)
        self.conditions, self.parameters, self.group = description["conditions"], description["parameters"], description["group"]
        lines = [description["summary"], "", "    " + description["drawing"], ""]
        lines += [f"{code}: {sentence}" for code, sentence in self.conditions.items()]
        lines += [f"{parameter}={default}: {about}" for parameter, (default, about) in self.parameters.items()]
        self.__doc__ = "\n".join(lines)

    def apply_to(self, sdfg, *nodes, options=None, verify=True, annotate=True, permissive=False, save=True, expr_index=0, **where):
        """Applies it to the place that has these nodes, given as handles; their names are free. Raises CompileError where it is refused. Returns
        what is new: the access node of a local storage, the entries of expanded maps, entry and exit of a collapsed one."""
        refuse_others(f"{self.__name__}.apply_to", {"verify": verify}, {"verify": (True, "conditions always hold; SDFG.apply takes unsafe_assume")})
        options, where = _options_first(options, nodes, where)
        state = next((node.state for node in where if isinstance(node, Node)), None)
        before = set(state.nodes()) if state else ()
        apply_at(sdfg, self, where, **(options or {}))
        return _new(self.__name__, state, before, where) if state else None

    def can_be_applied_to(self, sdfg, *nodes, options=None, permissive=False, expr_index=0, **where):
        """Whether it may be applied there."""
        options, where = _options_first(options, nodes, where)
        return any(match.refusal is None for match in matches_of(sdfg, self, where, options or {}))

    def __call__(self, **options):
        """The transformation with these parameters, to be handed to the methods of SDFG in its place."""
        return _WithOptions(self.__name__, options)

    def __repr__(self):
        return f"<transformation {self.__name__}>"


def _options_first(options, nodes, where):
    """Options and nodes of a call, in which DaCe's order has a dictionary of options first."""
    if nodes and isinstance(nodes[0], dict):
        options, nodes = nodes[0], nodes[1:]
    return options, [*nodes, *where.values()]


def _new(name, state, before, where):
    if name in ("InLocalStorage", "OutLocalStorage", "AccumulateTransient", "LocalStorage"):
        return next((node for node in state.data_nodes() if node not in before), None)
    left = [node for node in state.nodes() if isinstance(node, MapEntry) and (node not in before or node in where)]
    around = state.scope_dict()
    if name == "MapExpansion":
        return sorted(left, key=lambda entry: _depth(around, entry))
    return (left[0], state.exit_node(left[0])) if name == "MapCollapse" and left else None


def _depth(around, entry):
    return 0 if around[entry] is None else 1 + _depth(around, around[entry])


class _WithOptions(Builtin):
    """A built-in transformation with values for parameters, which are attributes as well."""

    def __init__(self, name, options):
        super().__init__(name)
        for option, value in without_accepted(name, options).items():
            setattr(self, option, value)

    def __setattr__(self, name, value):
        if name not in ("__name__", "__doc__", "conditions", "parameters", "group") and name not in self.parameters:
            raise TypeError(f"{self.__name__} has no parameter {name}" + (f": it has {', '.join(self.parameters)}" if self.parameters else ""))
        super().__setattr__(name, value)

    def _options(self):
        return {name: vars(self)[name] for name in self.parameters if name in vars(self)}


# What is written in Python: the module of dace_compat.transformation that has it.
_MODULES = {"LiftEinsum": "lift_einsum",
            **dict.fromkeys(["PatternNode", "PatternTransformation", "SingleStateTransformation", "MultiStateTransformation", "SubgraphTransformation",
                             "TransformationBase", "ExpandTransformation"], "pattern_transformation"),
            **dict.fromkeys(["SubgraphFusion", "CompositeFusion"], "subgraph_fusion")}


def __getattr__(name):
    if name in _MODULES:
        found = getattr(importlib.import_module(f"{__package__}.dace_compat.transformation.{_MODULES[name]}"), name)
        return Builtin(name) if isinstance(found, type) and issubclass(found, Transformation) else found
    if name in _core.transformations() or name in _core.other_names():
        return Builtin(name)
    if name in REASONS:
        return stand_in(name)
    if name == "__all__":
        return [one for one in __dir__() if not one.startswith("_")]
    raise AttributeError(f"there is no transformation named {name}")


def __dir__():
    return sorted([*globals(), *_MODULES, *_core.transformations(), *_core.other_names()])


def chain(**places):
    """The pattern `first -> second -> ...`: names with kinds, `chain(exit="MapExit", array="AccessNode")`."""
    names = list(places)
    return {"nodes": places, "edges": list(zip(names, names[1:]))}


def refuse(code, why, nodes=()):
    """What can_apply returns where a condition does not hold: its code, one sentence, the nodes concerned."""
    return code, why, [node.node_id for node in nodes]


class Site:
    """A match as a Python transformation sees it: `sdfg`, `state` (None in patterns of blocks), `options`, the nodes by name."""

    def __init__(self, graph, path, ids, options):
        self.sdfg = SDFG(None, _graph=graph)
        self.state = SDFGState._at(self.sdfg, path) if len(path) % 2 else None
        self.options = {name: _literal(text) for name, text in options.items()}
        self.ids = ids

    def __getattr__(self, name):
        ids = self.__dict__.get("ids", {})
        if name not in ids:
            raise AttributeError(name)
        return self.state._node(ids[name]) if self.state else ids[name]


def _literal(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return _core.Expr(text)


class Transformation:
    """Base of transformations written in Python. `pattern` is one pattern (`chain(...)`, or a dictionary with "nodes": name -> kind or
    tuple of kinds, and "edges": pairs of names) or a list of alternatives; `conditions` maps codes to sentences; `parameters` maps
    names to (default, help)."""
    pattern = None
    conditions = {}
    parameters = {}

    def can_apply(self, site):
        """None, or refuse(code, why, nodes). Must not change the site's graph: it is a copy."""

    def apply(self, site):
        """Edits site.sdfg. The result is propagated and verified; if it is invalid the program stays as it was (E003)."""
        raise NotImplementedError

    def _can_apply(self, graph, path, ids, options):
        return self.can_apply(Site(graph, path, ids, options))

    def _apply(self, graph, path, ids, options):
        self.apply(Site(graph, path, ids, options))


def _kinds(kinds):
    if hasattr(kinds, "kinds"):
        return kinds.kinds()
    return sum(_KINDS[name_of(kind)] for kind in (kinds if isinstance(kinds, (tuple, list)) else [kinds])), ""


def register(transformation):
    """Makes a class known under its name; use as a decorator. A name that is taken is replaced."""
    patterns = transformation.pattern if isinstance(transformation.pattern, list) else [transformation.pattern]
    tuples = []
    for pattern in patterns:
        names = list(pattern["nodes"])
        tuples.append(([(name, *_kinds(kinds)) for name, kinds in pattern["nodes"].items()],
                       [(names.index(a), names.index(b)) for a, b in pattern["edges"]]))
    summary = (transformation.__doc__ or transformation.__name__).strip().splitlines()[0]
    parameters = [(name, default, about) for name, (default, about) in transformation.parameters.items()]
    _core.add_transformation(transformation(), transformation.__name__, summary, tuples, transformation.conditions, parameters)
    return transformation


def load(library):
    """Adds the transformations of a shared library (docs/writing-transformations.md) and returns their names, sorted. SluiceError E009
    if it is none, E010 if it was compiled for another Sluice."""
    return _core.load_transformations(os.fspath(library))
