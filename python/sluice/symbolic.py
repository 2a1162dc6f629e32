"""Symbols and symbolic sizes. Expressions are in canonical form, symbols of sizes count as positive."""
import ast
import numbers

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


SymbolicType = Expr


def pystr_to_symbolic(expr, symbol_map=None, simplify=None):
    """The expression of a Python text, or of a number. symbol_map: expressions for names. Raises CompileError S010 where it does not parse."""
    expr = expr if isinstance(expr, Expr) else Expr(str(expr))
    return expr.subs(symbol_map) if symbol_map else expr


deserialize_symbolic = pystr_to_symbolic


def symstr(sym, arrayexprs=None, cpp_mode=False):
    """The Python text of an expression."""
    if cpp_mode:
        raise ValueError("symstr writes Python: SDFG.generate_code writes C++")
    return str(pystr_to_symbolic(sym))


serialize_symbolic = symstr


def simplify(expr):
    """The expression: it is in canonical form."""
    return pystr_to_symbolic(expr)


simplify_ext = simplify


def issymbolic(value, constants=None):
    """Whether a value has symbols that `constants` does not name."""
    names = value.free_symbols if isinstance(value, Expr) else ()
    return any(name not in (constants or ()) for name in names)


def evaluate(expr, symbols):
    """The number that an expression, or each of a list, has with these values. Raises CompileError S003 where a symbol has none."""
    if isinstance(expr, (list, tuple)):
        return type(expr)(evaluate(one, symbols) for one in expr)
    if isinstance(expr, numbers.Number):
        return expr
    return pystr_to_symbolic(expr).evaluate({str(name): int(value) for name, value in symbols.items()})


def symlist(values):
    """The symbols of an expression, or of several, by name."""
    names = set().union(*(pystr_to_symbolic(value).free_symbols for value in (values if isinstance(values, (list, tuple, set)) else [values])))
    return {name: symbol(name) for name in sorted(names)}


def symtype(expr):
    """The type of an expression's value."""
    return expr.dtype


def free_symbols_and_functions(expr):
    """Names of symbols and called functions in an expression."""
    return {node.id for node in ast.walk(ast.parse(str(expr), mode="eval")) if isinstance(node, ast.Name)}


def symbols_in_ast(tree):
    """Names that a Python tree reads or writes, functions that it calls left out."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called}


def symbols_in_code(code, potential_symbols=None, symbols_to_ignore=None):
    """Names in a Python text: those of potential_symbols, if given, but those of symbols_to_ignore."""
    found = symbols_in_ast(ast.parse(str(code)))
    return (found if potential_symbols is None else found & set(potential_symbols)) - set(symbols_to_ignore or ())


def arrays(expr):
    """Names of the containers whose elements an expression reads."""
    return {node.value.id for node in ast.walk(ast.parse(str(expr), mode="eval"))
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)}


def symbol_name_or_value(value):
    """The text of a number or an expression."""
    return str(value)


def inequal_symbols(a, b):
    """Whether two expressions are known to differ, or not known to be the same."""
    return pystr_to_symbolic(a) != pystr_to_symbolic(b)


def overapproximate(expr):
    """The expression: sizes are exact."""
    return pystr_to_symbolic(expr)


def int_floor(a, b):
    """a // b."""
    return pystr_to_symbolic(a) // pystr_to_symbolic(b)


def int_ceil(a, b):
    """The next integer from a / b on."""
    return -(-pystr_to_symbolic(a) // pystr_to_symbolic(b))


def safe_replace(mapping, replace_callback, value_as_string=False):
    """Calls replace_callback with the mapping of symbols, whose values may name symbols that are replaced, too."""
    replace_callback({str(name): str(value) if value_as_string else pystr_to_symbolic(value) for name, value in mapping.items()})
