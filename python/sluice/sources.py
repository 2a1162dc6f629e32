"""Where the source of a function is that no file holds: `python -c`, a file on standard input, Python's own prompt.

Python 3.13 and later keep what is typed at the prompt in linecache; for the rest the text is still there (the command line, the file behind
standard input). Other text may have the same name, `<string>` of exec() for one, so what was found is compiled and compared.
"""
import __future__

import inspect
import linecache
import os
import stat
import sys
import types

_NAMELESS = ("<string>", "<stdin>")
_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names if getattr(__future__, name).compiler_flag > 0xFFFF)


def _command_line():
    """The text of `python -c TEXT`."""
    words = getattr(sys, "orig_argv", [])
    return words[-len(sys.argv)] if sys.argv and sys.argv[0] == "-c" and len(words) > len(sys.argv) else None


def _standard_input():
    """The text of the file that `python < FILE` reads; None of a pipe, which is gone."""
    try:
        facts = os.fstat(0)
        return os.pread(0, facts.st_size, 0).decode() if stat.S_ISREG(facts.st_mode) else None
    except (OSError, UnicodeDecodeError):
        return None


def _outline(code):
    """What tells code from other code, without the place of its file."""
    return code.co_name, code.co_firstlineno, code.co_code, code.co_names, code.co_varnames, [
        _outline(one) if isinstance(one, types.CodeType) else one for one in code.co_consts]


def _defines(text, code):
    """Whether the text, compiled, holds this code."""
    try:
        parts = [compile(text, code.co_filename, "exec", code.co_flags & _FUTURE, dont_inherit=True)]
    except (SyntaxError, ValueError):
        return False
    wanted = _outline(code)
    for part in parts:  # grows on the way
        if _outline(part) == wanted:
            return True
        parts += [one for one in part.co_consts if isinstance(one, types.CodeType)]
    return False


_received = {}  # outline -> source, of functions that another process has sent: cloudpickle sends code without the name of its file


def sent(functions):
    """What `receive` needs there. functions: (function, its source)."""
    return [(repr(_outline(function.__code__)), source) for function, source in functions]


def receive(sources):
    _received.update(sources)


def received(function):
    """The source of a function that came from another process; None of others."""
    return _received.get(repr(_outline(function.__code__))) if _received else None


def remember(function):
    """Makes linecache, and with it inspect, know the source of a function that no file holds, where Python can tell it."""
    code = function.__code__
    if code.co_filename not in _NAMELESS:
        return
    known = "".join(linecache.getlines(code.co_filename))
    if known and _defines(known, code):
        return
    text = _command_line() if code.co_filename == "<string>" else _standard_input()
    if text is not None and _defines(text, code):
        linecache.cache[code.co_filename] = len(text), None, text.splitlines(True), code.co_filename
    else:
        linecache.cache.pop(code.co_filename, None)  # of something else


def lines_of(function):
    """Its lines, decorators included, and the number of the first. Raises OSError where Python cannot tell them."""
    remember(function)
    return inspect.getsourcelines(function)
