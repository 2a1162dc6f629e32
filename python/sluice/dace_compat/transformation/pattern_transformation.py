"""DaCe's classes of transformations, used as they are written: the first use of one registers it with the engine.

    class Sequential(SingleStateTransformation):
        entry = PatternNode(nodes.MapEntry)

        @classmethod
        def expressions(cls):
            return [sdutil.node_path_graph(cls.entry)]

        def can_be_applied(self, graph, expr_index, sdfg, permissive=False):
            return self.entry.map.schedule != ScheduleType.Sequential

        def apply(self, graph, sdfg):
            self.entry.map.schedule = ScheduleType.Sequential

Both methods get a copy of the graph that holds the match; what apply() does to it is propagated, verified and kept.
"""
from sluice import _core, regions, state
from sluice import nodes as _nodes
from sluice.transformation import _KINDS, Builtin, Site, Transformation, refuse, register
from sluice.walking import SubgraphView

from ..properties import properties_of


class PatternNode:
    """A place of a pattern: a class of nodes, or of blocks."""

    def __init__(self, nodeclass):
        self.node, self.name = nodeclass, None

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        return self if instance is None else instance._found[self.name]

    def kinds(self):
        """Kinds of nodes as a bit mask, and the operation of a class of library nodes."""
        classes = self.node if isinstance(self.node, tuple) else (self.node,)
        known = {name: getattr(_nodes, name, None) or getattr(regions, name, None) for name in _KINDS}
        mask = sum(_KINDS[name] for name, one in known.items() if any(_is_kind(one, asked) for asked in classes))
        operation = getattr(self.node, "_operation", None) or ""
        return (_KINDS["LibraryNode"] if operation else mask), operation


def _is_kind(one, asked):
    if asked in (_nodes.Node, state.SDFGState):
        return issubclass(one, asked)
    return isinstance(asked, type) and issubclass(one, asked)


class TransformationBase:
    """Base of all: options are Properties, or attributes of the class in `__properties__`."""

    def __init__(self, **options):
        self._found = {}
        for name, value in options.items():
            if name not in properties_of(type(self)):
                raise TypeError(f"{type(self).__name__} has no option {name}")
            setattr(self, name, value)

    @classmethod
    def register(cls, **_):
        """Makes the class known under its name, as its first use does."""
        cls._recipe_name()
        return cls


class PatternTransformation(TransformationBase):
    """A pattern, the question whether a match may be rewritten, and the edit."""

    @classmethod
    def expressions(cls):
        """The patterns: graphs of PatternNodes, as sdutil.node_path_graph makes them."""
        raise NotImplementedError

    def can_be_applied(self, graph, expr_index, sdfg, permissive=False):
        """Whether the match may be rewritten; graph: its state, or its region."""
        raise NotImplementedError

    def apply(self, graph, sdfg):
        """The edit."""
        raise NotImplementedError

    @classmethod
    def _recipe_name(cls):
        if "_registered" not in vars(cls):
            taken = cls.__name__ in _core.transformations() or cls.__name__ in _core.other_names()
            cls._registered = f"{cls.__name__}OfPython" if taken else cls.__name__
            register(_adapter(cls, cls._registered))
        return cls._registered

    def _options(self):
        return {name: getattr(self, name) for name in properties_of(type(self)) if name in vars(self) or f"_{name}" in vars(self)}

    def setup_match(self, sdfg, cfg_id=0, state_id=-1, subgraph=None, expr_index=0, override=False, options=None):
        """Names the match by hand, {place: node or its number}; can_be_applied and apply then work on the graph itself, unproven."""
        graph = sdfg.node(state_id) if state_id >= 0 else sdfg
        self._found = {place.name: graph.node(node) if isinstance(node, int) else node for place, node in (subgraph or {}).items()}
        self.expr_index = expr_index
        for name, value in (options or {}).items():
            setattr(self, name, value)

    @classmethod
    def apply_to(cls, sdfg, options=None, **where):
        """Applies it to the place that has these nodes. Raises CompileError where it is refused."""
        Builtin(cls._recipe_name()).apply_to(sdfg, options=options, **where)

    @classmethod
    def can_be_applied_to(cls, sdfg, options=None, **where):
        """Whether it may be applied there."""
        return Builtin(cls._recipe_name()).can_be_applied_to(sdfg, options=options, **where)


class SingleStateTransformation(PatternTransformation):
    """A pattern of nodes of a state."""


class MultiStateTransformation(PatternTransformation):
    """A pattern of states and other blocks of a region."""


def _adapter(cls, name):
    """The class as the engine knows it."""
    patterns = []
    for graph in cls.expressions():
        places = list(graph.nodes())
        patterns.append({"nodes": {place.name: place for place in places}, "edges": [(edge.src.name, edge.dst.name) for edge in graph.edges()]})
    parameters = {option: (one.default if one.default is not None else "", one.desc) for option, one in properties_of(cls).items()}

    def matched(graph, path, ids, options):
        one = cls()
        site = Site(graph, path, ids, options)
        region = site.state if site.state else regions.region_at(site.sdfg, path)
        one._found = {place: site.state._node(number) if site.state else region._block_of(number) for place, number in ids.items()}
        one.expr_index = next(at for at, pattern in enumerate(patterns) if set(pattern["nodes"]) == set(ids))
        for option, value in site.options.items():
            if not (value == "" and parameters[option][0] == ""):
                setattr(one, option, value)
        return one, region, site.sdfg

    def can_apply(self, graph, path, ids, options):
        one, region, sdfg = matched(graph, path, ids, options)
        return None if one.can_be_applied(region, one.expr_index, sdfg) else refuse("P1", f"{cls.__name__}.can_be_applied says no")

    def apply(self, graph, path, ids, options):
        one, region, sdfg = matched(graph, path, ids, options)
        one.apply(region, sdfg)

    return type(name, (Transformation,), {"__doc__": (cls.__doc__ or name).strip().splitlines()[0], "pattern": patterns, "parameters": parameters,
                                          "conditions": {"P1": "can_be_applied of the class holds"}, "_can_apply": can_apply, "_apply": apply})


class SubgraphTransformation(TransformationBase):
    """Rewrites a set of nodes of one state that the caller names."""

    def setup_match(self, subgraph, cfg_id=0, state_id=-1):
        """Names the nodes: a SubgraphView."""
        self._subgraph = subgraph

    def subgraph_view(self, sdfg=None):
        """The nodes."""
        return self._subgraph

    get_subgraph = subgraph_view

    def can_be_applied(self, sdfg, subgraph):
        """Whether the nodes may be rewritten."""
        raise NotImplementedError

    def apply(self, sdfg):
        """The edit."""
        raise NotImplementedError

    @classmethod
    def apply_to(cls, sdfg, *where, verify=True, **options):
        """Applies it to nodes, or a SubgraphView. Raises ValueError where it may not be applied (verify)."""
        one = cls(**options)
        part = where[0] if len(where) == 1 and isinstance(where[0], SubgraphView) else SubgraphView(where[0].state, where)
        one.setup_match(part)
        if verify and not one.can_be_applied(sdfg, part):
            raise ValueError(f"{cls.__name__} cannot be applied to these nodes")
        return one.apply(sdfg)


class ExpandTransformation(PatternTransformation):
    """An expansion of a class of library nodes: `expansion(node, parent_state, parent_sdfg)` returns a tasklet, an SDFG or a nested one that
    takes the node's place. @dace.library.expansion and @dace.library.node join the two."""
    environments = []

    @staticmethod
    def expansion(node, parent_state, parent_sdfg, **options):
        """What takes the node's place."""
        raise NotImplementedError
