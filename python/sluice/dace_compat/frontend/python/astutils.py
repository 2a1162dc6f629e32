"""Source of functions as Python's own trees. The rest of DaCe's module serves its front end, which Sluice does not have."""
import ast
import inspect
import textwrap

from sluice._absent import members


def function_to_ast(f):
    """(tree, file, number of the first line, source) of a function. Raises TypeError where Python does not tell its source."""
    try:
        lines, first = inspect.getsourcelines(f)
        source = textwrap.dedent("".join(lines))
        return ast.parse(source), inspect.getfile(f), first, source
    except (TypeError, OSError):
        raise TypeError("cannot obtain the source code for dace program") from None


def unparse(node):
    """Python text of a tree."""
    return ast.unparse(node)


__getattr__ = members(__name__, "programs are translated in C++; nothing rewrites their syntax in Python")
