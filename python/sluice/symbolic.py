"""Symbols and symbolic sizes."""
from . import _core
from ._core import Expr

_unnamed = 0


def symbol(name=None, dtype=None, **assumptions):
    """A symbol: the size of an array, known when the program is called.

    name: identifier; without one, `sym_0`, `sym_1`, ...
    dtype: integer type, int64 by default.
    assumptions: accepted as SymPy spells them (`positive=True`); symbols count as positive anyway.
    """
    global _unnamed
    if name is None:
        name = f"sym_{_unnamed}"
        _unnamed += 1
    if not name.isidentifier():
        raise ValueError(f"a symbol's name is an identifier, not {name!r}")
    return _core.symbol(name, dtype)


def symbols(names, dtype=None, **assumptions):
    """Several symbols from names separated by spaces or commas: `N, M = symbols("N M")`."""
    return tuple(symbol(name, dtype, **assumptions) for name in names.replace(",", " ").split())
