"""Which names of a function's source Python itself looks up: its code says so, comments and texts do not."""
import types


def code_inside(code):
    """The code of the comprehensions, lambdas and functions inside, at any depth."""
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    for one in inner:  # grows on the way
        inner += [part for part in one.co_consts if isinstance(part, types.CodeType)]
    return inner


def inner_variables(code):
    """Variables of the code inside that no code around them takes from elsewhere."""
    inner = code_inside(code)
    bound = {name for one in inner for name in (*one.co_varnames, *one.co_cellvars)}
    return bound.difference(*(one.co_names for one in (code, *inner)), code.co_freevars, code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])


def code_names(code):
    """Every name that the code takes from outside of itself."""
    return {*code.co_freevars, *(name for one in (code, *code_inside(code)) for name in one.co_names)}
