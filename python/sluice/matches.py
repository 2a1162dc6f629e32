"""Places where a transformation applies, and how transformations and their parameters are named in recipes."""
from . import _core


def text_of(value):
    """A parameter's value as a recipe writes it."""
    if isinstance(value, (bool, int)):
        return str(value)
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
    return transformation if isinstance(transformation, str) else transformation.__name__


class Match:
    """A place where a transformation's pattern occurs: `nodes` by name, `line` of a recipe, `refusal` (None if it may be applied)."""

    def __init__(self, sdfg, name, path, nodes, line, refusal, options):
        self._sdfg, self.transformation, self.path = sdfg, name, path
        self.nodes, self.line, self.refusal, self._options = nodes, line, refusal, options

    def apply(self, unsafe_assume=(), **options):
        """Applies it; raises CompileError E007 where it is refused."""
        self._sdfg.apply(self, unsafe_assume=unsafe_assume, **{**self._options, **options})

    def __repr__(self):
        return f"<{self.line}{': ' + self.refusal.splitlines()[0] if self.refusal else ''}>"
