"""The source of a lambda, as that of a function that returns its expression."""
import ast
import functools
import inspect


def is_lambda(function):
    return function.__name__ == "<lambda>"


def lambda_source(function):
    """(lines, number of the first) of a `def` with the parameters and the expression of a lambda. Raises OSError where no source says
    which lambda of its line it is."""
    lines, _ = inspect.findsource(function)
    code = function.__code__
    places = {(line, column) for line, _, column, end in code.co_positions() if line and column != end}  # others are of no place
    inside = [node for node in _lambdas("".join(lines)) if node.lineno == code.co_firstlineno and
              all(_begin(node.body) <= place <= _end(node.body) for place in places)]
    if not inside:
        raise OSError("the lambda is not found in its file")
    node = max(inside, key=_begin)  # the innermost
    if inspect.getfullargspec(function).args != [one.arg for one in (*node.args.posonlyargs, *node.args.args)]:
        raise OSError("the file has changed")
    body = "".join(lines).encode().splitlines(keepends=True)[node.body.lineno - 1:node.body.end_lineno]
    body[-1] = body[-1][:node.body.end_col_offset]
    body[0] = body[0][node.body.col_offset:]
    text = f"def {LAMBDA}({ast.unparse(node.args)}): return ({b''.join(body).decode()})\n"
    return text.splitlines(keepends=True), node.body.lineno


LAMBDA = "lambda_"  # the name that the `def` has


def _begin(node):
    return node.lineno, node.col_offset


def _end(node):
    return node.end_lineno, node.end_col_offset


@functools.lru_cache(maxsize=8)
def _lambdas(text):
    try:
        return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda)]
    except SyntaxError as error:
        raise OSError("the source of the lambda cannot be parsed") from error
