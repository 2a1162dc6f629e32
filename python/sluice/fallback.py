"""What cannot be compiled runs in Python, and the rest of the function stays compiled: graph breaks, as torch.compile has them.

A program that is refused at a line becomes a `Driver`: the function again, run by Python, in which calls of segments stand for the
statements around the break (segments.py cuts it). A segment is compiled at its first call, from the values that its variables have then,
so no type is ever guessed; where it is refused in turn, it becomes a driver itself. Python gives the meaning of everything that is
not compiled, so the answer is Python's.
"""
import ast
import functools
import inspect
import types
import warnings

import numpy as np

from . import _core
from .returned import knows_as_dace
from .segment_calls import SegmentCalls, TooMany, function_of
from .segments import CallsOfPrograms, Cut, loaded, stored
from .type_keys import type_text
from .work import ANY, work_of

_LAYOUTS = {"A004", "A006", "A007", "A010"}  # arguments of this call that the compiled code cannot take
_MISTAKES = {"F002", "F004", "F005", "F006", "F007", "F009", "F010", "F011"}  # likely errors: Python has the last word
_OF_TYPES = {"F001", "F002", "F003", "F006", "A008"}  # whatever the sizes
_CO_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_OF_CONSTANTS = {"F005", "F008", "F010"}  # something has to be a number that is known, or decides what is returned
_SIGNATURE = "<signature>"  # the source of what checks arguments
_warned = {}


def star_parameters(function):
    """The names of `*args` and `**kwargs`."""
    kinds = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    return tuple(name for name, one in inspect.signature(function).parameters.items() if one.kind in kinds)


class FallbackWarning(UserWarning):
    """A statement of a program is not compiled: Python runs it, at NumPy's speed, in each call."""


def warning_text(program, why, what):
    """What a FallbackWarning says; in files that know this package as dace with the words by which DaCe's users filter such warnings."""
    does = "Automatically creating callback to Python interpreter: Python" if knows_as_dace(program.f) else "Python"
    return f"{program.name}: {why}. {does} runs {what}. @program(strict=True) refuses it"


class SharedReturns(_core.CompileError):
    """A part would hand over copies of what shares memory in Python."""

    def __init__(self, names):
        super().__init__()
        self.names = list(names)


def awkward(error, annotated):
    """Whether the error says that compiled code cannot take the memory of the arguments of this call, or an integer of their size."""
    code = getattr(error, "code", "")
    return code in _LAYOUTS or (code == "A002" and not annotated)


def is_of_values(error):
    """Whether the error says that an argument is no number or array: code for its value may be possible."""
    return getattr(error, "code", None) == "A008"


def is_of_constants(error, arguments):
    """Whether code for the values of the integers among the arguments and defaults may be possible."""
    return getattr(error, "code", None) in _OF_CONSTANTS and any(type(one) in (int, bool) for one in arguments)


def depends_on_sizes(error):
    """Whether a call with arrays of other sizes may not meet the error."""
    return error.code not in _OF_TYPES and not error.code.startswith("P") if getattr(error, "code", None) else False


def kinds_of(args, kwargs, sizes):
    """What the arguments of a call say: their types, with sizes or without, or of what class they are."""
    return tuple(_kind_of(one, sizes) for one in args), tuple((name, _kind_of(value, sizes)) for name, value in kwargs.items())


def _kind_of(value, sizes):
    if not sizes and type(value) is np.ndarray:
        return value.dtype, value.ndim
    try:
        return _core.type_key(value)
    except TypeError:
        return type(value)


def _syntax(program):
    """The function's syntax tree with the line numbers of its file, and its lines by number; None where it cannot be cut."""
    try:
        lines, first = program._source
    except _core.CompileError:
        return None
    text = "".join(lines)
    nested = lines[0][:1].isspace()
    tree = ast.parse("if True:\n" + text if nested else text)
    ast.increment_lineno(tree, max(first, 1) - 1 - nested)
    node = tree.body[0].body[0] if nested else tree.body[0]
    private = any(name.startswith("__") and not name.endswith("__") for one in ast.walk(node)
                  if (name := getattr(one, "attr", getattr(one, "id", ""))))  # in a class it is another name
    if not isinstance(node, ast.FunctionDef) or private or "__class__" in program.f.__code__.co_freevars:
        return None
    numbered = {max(first, 1) + at: line.rstrip("\n") for at, line in enumerate(lines)}
    body = node.body[0]
    before = numbered[body.lineno].encode()[:body.col_offset]
    if before.strip():  # `def f(x): return 2 * x`: the statements have a line of their own
        numbered[body.lineno] = " " * len(before) + numbered[body.lineno].encode()[len(before):].decode()
    return node, numbered


def _refused_lines(program, error, node):
    """The lines of the function that the diagnostic is about: its own, or those that call the function that it lies in. None if it has
    no place in the function: all of them."""
    if is_of_values(error):
        return set()
    if not getattr(error, "lineno", 0):
        return None
    callees = set(program.refused_callees)
    if error.filename == inspect.getsourcefile(program.f) and node.lineno <= error.lineno <= node.end_lineno:
        lines = {error.lineno}
    else:
        lines, callees = set(), callees | program.callees_with(error)
    roots = {name.partition(".")[0] for name in callees}
    return lines | {one.lineno for one in ast.walk(node) if isinstance(one, ast.Name) and one.id in roots} or None


def _bare(node, body, added=()):
    """The function definition with another body, without decorators, annotations and defaults, and with keyword-only parameters added."""
    given = node.args
    plain = [[ast.arg(one.arg) for one in group] for group in (given.posonlyargs, given.args, given.kwonlyargs)]
    star, stars = (one and ast.arg(one.arg) for one in (given.vararg, given.kwarg))
    arguments = ast.arguments(plain[0], plain[1], star, plain[2] + [ast.arg(name) for name in added],
                              [None] * (len(plain[2]) + len(added)), stars, [])
    return ast.copy_location(ast.FunctionDef(node.name, arguments, body, [], type_params=[]), node)


def _work_of(program, statements):
    """How much the statements do, for Cut. Dataflow that is written as such has no meaning in Python."""
    explicit = any(program.is_explicit(one) for statement in statements for one in ast.walk(statement))
    return (ANY, frozenset()) if explicit else work_of(statements, program.f)


def _has_docstring(node):
    return ast.get_docstring(node, clean=False) is not None


class Driver:
    """A function in which Python runs what compiled code cannot, and segments run the rest.

    program: what was refused; error: the diagnostic, None where only values of `unfit` names cannot be handed over; by_value: the
    whole function may be compiled once the integers among its arguments are known.
    """

    def __init__(self, program, error=None, unfit=(), by_value=False):
        self.program, self.error, self.by_value = program, error, by_value
        self.segments, self.breaks, self.lines, self.symbols, self.unfit = [], [], set(), [], frozenset()
        self.function, self.file = program.f, inspect.getsourcefile(program.f) or "<program>"
        self._signature, self.is_compiled, self._otherwise, self._of_constants = None, False, None, None
        if error and program.f.__code__.co_filename == _SIGNATURE:  # what cannot be said of the arguments, Python cannot check
            raise error
        syntax = None if program.f.__code__.co_flags & _CO_SUSPENDS else _syntax(program)
        if syntax is None:
            self.lines = None
            return
        node, lines = syntax
        self.lines = _refused_lines(program, error, node) if error and not by_value else set()
        self.unfit = frozenset(unfit)
        returns = [one.lineno for one in node.body if isinstance(one, ast.Return)][-1:]
        if program.outputs and self.lines == set(returns):  # a value that a segment cannot hand over
            self.unfit = unfit = {program.outputs[lines[returns[0]][:error.offset - 1].count(",")]}
            self.lines = set()
        self._declare(node)
        work = functools.partial(_work_of, program)
        cut = Cut(node, lines, self.lines, unfit, self.symbols, bool(error) and is_of_values(error) and not program.is_part, work)
        if program.is_part and not cut.breaks and not unfit:  # it would be cut the same way again
            cut = Cut(node, lines, None, work_of=work)
        self.breaks = cut.breaks
        self.is_compiled = [one.statements for one in cut.segments] == [node.body[_has_docstring(node):]]
        self._check_explicit(cut)
        refusal = error if program._is_strict() else None
        self.segments = [SegmentCalls(program, one, lines, refusal, by_value, Driver) for one in cut.segments]
        body = [CallsOfPrograms(cut.local, program.of_dace).visit(part) for part in cut.body]
        body += ast.parse("return\n" + "".join(f"{name} = None\n" for name in sorted(cut.local))).body  # variables, wherever they are assigned
        cells = {"_sluice_segments": self.segments, "_sluice_locals": locals, "_sluice_callee": program.compiled_callee}
        self.function = function_of(_bare(node, body, self.symbols), program.f, cells, self.file)
        self.function.__defaults__ = program.f.__defaults__
        self.function.__kwdefaults__ = program.f.__kwdefaults__

    def _declare(self, node):
        """What annotations say: a program of the same signature that does nothing checks the arguments and tells the symbols."""
        annotations = {one.arg: ast.unparse(one.annotation) for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                       if one.annotation and self.program.is_typed(one.arg)}
        self.symbols = sorted(name for name in set().union(*map(loaded, node.body)) if annotations and self.program.is_symbol(name))
        if annotations:
            self._compiled_names = {name: name if name.isascii() else f"_argument_{at}" for at, name in enumerate(annotations)}
            self._results = [*(name for name in annotations if self.program.is_scalar(name)), *self.symbols]
            results = [self._compiled_names.get(name, name) for name in self._results]
            text = f"def signature({', '.join(f'{self._compiled_names[name]}: {text}' for name, text in annotations.items())}):\n" \
                   f"    {'return ' + ', '.join(results) if results else 'pass'}\n"
            parsed = ast.parse(text).body[0]
            function = function_of(_bare(parsed, parsed.body), self.program.f, {}, _SIGNATURE)
            function.__annotations__ = {self._compiled_names[name]: self.program.f.__annotations__[name] for name in annotations}
            self._signature = self.program.part(function, text.splitlines(True), 1)

    def begin(self):
        """A call of the function that this one is a part of begins."""
        for segment in self.segments:
            segment.begin()

    def refuse(self, error):
        """Nothing is left to Python: a segment whose values cannot be handed over raises the error."""
        self.error = error
        for segment in self.segments:
            segment.refusal = error

    def _check_explicit(self, cut):
        """Dataflow that is written as such has no meaning in Python: the diagnostic stands."""
        if any(self.program.is_explicit(one) for part in cut.breaks for one in ast.walk(part)):
            raise self.error from None

    def warn(self):
        """Tells once which statements are left to Python, and why."""
        why = f"{self.error.code} {self.error.message}" if getattr(self.error, "code", None) else str(self.error)
        if self.lines is None:
            places, what = [self.program.f.__code__.co_firstlineno], "the whole function"
        else:
            places, what = sorted(self.lines or {one.lineno for one in self.breaks}), "this line; the rest stays compiled"
        for line in places:
            warnings.warn_explicit(warning_text(self.program, why, what), FallbackWarning, self.file, line, registry=_warned)

    def __call__(self, args, kwargs):
        if not self.program.is_part:
            self.begin()
        if self._signature:
            args, kwargs = self._checked(args, kwargs)
        if self.program.bound is not None:
            args = (self.program.bound(), *args)
        if self._of_constants:
            return self._of_constants(args[self.program.bound is not None:], kwargs)
        try:
            return self.function(*args, **kwargs)
        except _core.CompileError as error:  # nothing has run where all of it is one segment
            if self.by_value or not self.is_compiled or not is_of_constants(error, (*args, *kwargs.values())):
                raise
            self._of_constants = Driver(self.program, self.error, by_value=True)
            return self._of_constants(args[self.program.bound is not None:], kwargs)
        except TooMany:  # nothing has run
            if self.program._is_strict():
                raise self.error from None
            if self._otherwise is None:
                self._otherwise = Driver(self.program, self.error)
                self._otherwise.warn()
            return self._otherwise(args[self.program.bound is not None:], kwargs)
        except Exception as fault:
            if getattr(self.error, "code", None) in _MISTAKES and self._failed_here(fault) and not hasattr(fault, "code"):
                kind = type(type(fault).__name__, (_core.CompileError, type(fault)), {"__module__": type(fault).__module__})
                try:
                    both = kind(f"{fault}\n{self.error}")
                except TypeError:  # an exception with arguments of its own, as NumPy's of casts
                    raise fault from None
                both.__dict__.update(self.error.__dict__)
                raise both from fault
            raise

    def _failed_here(self, fault):
        """Whether Python failed at the refused line itself and not in what it calls."""
        trace, frames = fault.__traceback__, []
        while trace:
            frames.append(trace)
            trace = trace.tb_next
        own = [at for at, one in enumerate(frames) if one.tb_frame.f_code is self.function.__code__]
        return bool(own) and frames[own[-1]].tb_lineno in (self.lines or ())

    def _checked(self, args, kwargs):
        """The arguments as the annotations have them, and the symbols as keywords."""
        signature = inspect.signature(self.program.f)
        given = {name: value for name, value in kwargs.items() if name in signature.parameters}
        named = signature.bind_partial(*((None,) if self.program.bound else ()), *args, **given)
        named.apply_defaults()
        declared = {name: named.arguments[name] for name in self._compiled_names if name in named.arguments}
        values = self._signature(**{self._compiled_names[name]: value for name, value in declared.items()}, **{name: value for name, value in kwargs.items() if name not in given})
        values = dict(zip(self._results, values if len(self._results) > 1 else (values,)))
        values.update({name: declared[name] for name, value in values.items()  # so that `flag is True` says what it says
                       if isinstance(value, np.bool_) and type(declared.get(name)) is bool})
        names = list(signature.parameters)[self.program.bound is not None:]
        args = (*(values.get(name, value) for name, value in zip(names, args)), *args[len(names):])
        return args, {**given, **{name: value for name, value in values.items() if name in given or name in self.symbols}}


class Explanation(str):
    """A text that prompts and notebooks show line by line, as print does."""
    __repr__ = str.__str__


def explain(program):
    """The parts of a program that was called, one line each: where it lies, who runs it, why, how often and for how long."""
    rows = list(_rows(program, ""))
    return Explanation("\n".join(rows) if rows else f"{program.name}: not called yet")


def _rows(program, indent):
    for version in program.unhinted.values():
        yield from _rows(version, indent)
    for key in program._versions:
        types = "shared memory" if not isinstance(key[0], tuple) else ", ".join(map(type_text, key[0])) or "what is annotated"
        yield f"{indent}{program.name}: compiled for {types}"
    for driver in program._drivers.values():
        yield from _rows_of_driver(driver, indent)


def _rows_of_driver(driver, indent):
    why = f" ({driver.error.code} {driver.error.message})" if getattr(driver.error, "code", None) else ""
    for one in driver.breaks:
        here = driver.lines is None or any(one.lineno <= line <= one.end_lineno for line in driver.lines)
        yield f"{indent}line {one.lineno}: Python{why if here else _values_of(one, driver.unfit)}"
    for calls in driver.segments:
        one = calls.segment
        lines = f"line {one.first}" if one.first == one.last else f"lines {one.first}-{one.last}"
        compiling = f", {1e3 * calls.compiling:.3g} ms of it with compiling" if calls.compiling else ""
        plain = "" if not calls.by_python else ", by Python: it has little to do" if calls.by_python == calls.calls else \
            f", {calls.by_python} of them by Python: it had little to do"
        yield f"{indent}{lines}: {calls.calls} call{'s' * (calls.calls != 1)}, {1e3 * calls.seconds:.3g} ms{compiling}{plain}"
        for part, _ in calls.parts.values():
            yield from _rows(part, indent + "  ")
        if calls.cut:
            yield from _rows_of_driver(calls.cut, indent + "  ")


def _values_of(statement, unfit):
    """Which names in a statement have values that compiled code is not given."""
    names = sorted((loaded(statement) | stored(statement)) & unfit)
    return f" (neither number nor array: {', '.join(names)})" if names else ""


def driver_of_unfit(program):
    """What runs a program with values that no compiled code takes as they are. Those of star parameters are given in pieces, and so are those
    of a part that was refused with them in pieces at some lines: around these, segments are given them so again."""
    refused = program.refused_in_pieces
    if refused and not is_of_values(refused):
        driver = Driver(program, refused)
        if driver.lines and driver.segments:
            driver.warn()
            return driver
    driver = Driver(program, unfit=set(program._unfit).difference(program._stars))
    if program._stars and program._is_strict():
        try:
            _core.refuse("F001", f"{program.name} has the star parameter {program._stars[0]}", "name each argument, or use no more than its elements")
        except _core.CompileError as error:
            if not driver.is_compiled:
                raise
            driver.refuse(error)
    return driver
