"""Places where a transformation applies, and how transformations and their parameters are named in recipes."""
from . import _core
from ._absent import _Names as Absent
from .dace_options import without_accepted


def text_of(value):
    """A parameter's value as a recipe writes it."""
    if isinstance(value, (bool, int)):
        return str(value)
    if getattr(value, "ndim", None) is not None:  # NumPy's, in C order
        value = value.ravel().tolist() if value.ndim else value.item()
        return text_of(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(each) for each in value) + "]"
    if isinstance(value, _core.Expr):
        return str(value)
    if hasattr(value, "name"):  # an enumerator
        value = value.name
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def name_of(transformation):
    """Name of a built-in transformation, of a class, or of a match's."""
    if isinstance(transformation, Match):
        return transformation.transformation
    if isinstance(transformation, Absent):
        raise NotImplementedError(transformation._why)
    if hasattr(transformation, "_recipe_name"):  # a class of DaCe's kind, or an object of it
        return transformation._recipe_name()
    return transformation if isinstance(transformation, str) else transformation.__name__


def options_of(transformation, given):
    """Texts of parameters: those that an object of a transformation has, and those that are given beside it."""
    own = transformation._options() if hasattr(transformation, "_options") and not isinstance(transformation, (type, Match)) else {}
    return {option: text_of(value) for option, value in without_accepted(name_of(transformation), {**own, **(given or {})}).items()}


class Match:
    """A place where a transformation's pattern occurs: `nodes` by name, `line` of a recipe, `refusal` (None if it may be applied). Other
    attributes that are set are parameters for apply(), as DaCe's matches have them."""
    _OWN = ("_sdfg", "transformation", "path", "nodes", "line", "refusal", "_given")

    def __init__(self, sdfg, name, path, nodes, line, refusal, options):
        self._sdfg, self.transformation, self.path = sdfg, name, path
        self.nodes, self.line, self.refusal, self._given = nodes, line, refusal, options

    def __setattr__(self, name, value):
        if name in self._OWN:
            return super().__setattr__(name, value)
        self._given = {**self._given, name: value}

    def __getattr__(self, name):
        given = vars(self).get("_given", {})
        if name not in given:
            raise AttributeError(f"a match of {vars(self).get('transformation')} was given no {name}")
        return given[name]

    def apply(self, graph=None, sdfg=None, *, unsafe_assume=(), **options):
        """Applies it; raises CompileError E007 where it is refused. graph, sdfg: where it was found, as DaCe's apply() is given."""
        self._sdfg.apply(self, unsafe_assume=unsafe_assume, **{**self._given, **options})

    def __repr__(self):
        return f"<{self.line}{': ' + self.refusal.splitlines()[0] if self.refusal else ''}>"


def place_of_block(block):
    """The path of a block, as recipes write it."""
    graph, path, names = block._graph, block._block_path, []
    for at in range(0, len(path), 2):
        branch = f"[{path[at + 1]}]" if dict(graph.blocks(path[:at]))[path[at]] == "conditional" else ""
        names.append(graph.label(path[:at + 1]) + branch)
    return "/".join(names)


def _place_of(state, node):
    """The path of a state and the name of a node, with its number among those of its kind, as recipes write them."""
    name = str(node.data if hasattr(node, "data") else node._get("label"))
    alike = [one for one in state.nodes() if type(one) is type(node) and str(one.data if hasattr(one, "data") else one._get("label")) == name]
    return place_of_block(state), name, f"{name}#{alike.index(node) + 1}"


def matches_of(sdfg, transformation, nodes, options):
    """The matches that have these nodes among theirs."""
    places = [_place_of(node.state, node) for node in nodes]
    return [match for match in sdfg.matches(transformation, **options)
            if all(match.path == path and ({name, numbered} & set(match.nodes.values())) for path, name, numbered in places)]


def apply_at(sdfg, transformation, nodes, *, unsafe_assume=(), **options):
    """Applies a transformation to the one place that has these nodes. Raises CompileError where it is refused, ValueError where there is no
    such place, or several."""
    found = matches_of(sdfg, transformation, nodes, options)
    if len(found) != 1:
        raise ValueError(f"{name_of(transformation)} finds {len(found)} places with {', '.join(node.label for node in nodes) or 'these nodes'}: "
                         "say which by further nodes, or use SDFG.matches")
    sdfg.apply(found[0], unsafe_assume=unsafe_assume, **options)
