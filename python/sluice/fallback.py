"""What cannot be compiled runs in Python, and the rest of the function stays compiled: graph breaks, as torch.compile has them.

A program that is refused at a line becomes a `Driver`: the function again, run by Python, in which calls of segments stand for the
statements around the break (segments.py cuts it). A segment is compiled at its first call, from the values that its variables have then,
so no type is ever guessed; where it is refused in turn, it becomes a driver itself. Python gives the meaning of everything that is
not compiled, so the answer is Python's.
"""
import ast
import builtins
import functools
import inspect
import re
import time
import types
import warnings

import numpy as np

from . import _core
from .explicit import generator, given
from .given_lists import GivenList, changed_names, given_list, has_other_references, moved_rows, returned_rows, returns_of, with_callers_own
from .given_objects import GivenObject, chains_of, given_object
from .pieces import is_generator, take_apart
from .returned import knows_as_dace
from .segments import Cut, loaded, parameters
from .type_keys import type_text

# Codes of errors that are raised before anything ran, about the program and not about the machine.
_REFUSALS = re.compile("[BEFLPRSTVX]|A008")
_EXPLICIT = {"F012", "F013"}  # dataflow written as such: Python has no meaning for it
_LAYOUTS = {"A004", "A006", "A007", "A010"}  # arguments of this call that the compiled code cannot take
_MISTAKES = {"F002", "F004", "F005", "F006", "F007", "F009", "F010", "F011"}  # likely errors: Python has the last word
_OF_TYPES = {"F001", "F002", "F003", "F006", "A008"}  # whatever the sizes
_CO_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_UNROLLED = 8  # elements: a list of up to as many is so many arguments, unless the code changes it
_SMALL = 1024  # elements: arrays up to here are as fast in NumPy when there is no loop
_OF_CONSTANTS = {"F005", "F008", "F010"}  # something has to be a number that is known, or decides what is returned
_FEW = 4  # versions of a function for values of its integers
_MANY = 16  # versions of one segment; with more, what it is given changes with each call
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


class _TooMany(Exception):
    """A function was compiled for many values of its integers, and is called with another one."""


class SharedReturns(_core.CompileError):
    """A part would hand over copies of what shares memory in Python."""

    def __init__(self, names):
        super().__init__()
        self.names = list(names)


def refused(error):
    """Whether the error says that the program cannot be compiled, for these arguments or at all."""
    code = getattr(error, "code", None)
    return isinstance(error, _core.CompileError) if code is None else bool(_REFUSALS.match(code)) and code not in _EXPLICIT


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


class _CallsOfPrograms(ast.NodeTransformer):
    """`f(x)` of a function around the program becomes `_sluice_callee(f)(x)`: what Python calls is compiled as well."""

    def __init__(self, local):
        self.local = local

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id not in self.local and not node.func.id.startswith("_sluice_") and \
                not hasattr(builtins, node.func.id):
            node.func = ast.copy_location(ast.Call(ast.copy_location(ast.Name("_sluice_callee", ast.Load()), node), [node.func], []), node)
            ast.fix_missing_locations(node)
        return node


def _function(node, like, cells, filename):
    """The function that `node` defines, with the globals, defaults and closure of `like`, and further closed-over names."""
    inner = dict(zip(like.__code__.co_freevars, like.__closure__ or ()))
    inner.update({name: types.CellType(value) for name, value in cells.items()})
    names = ast.arguments([], [ast.arg(name) for name in inner], None, [], [], None, [])
    factory = ast.FunctionDef("factory", names, [node], [], type_params=[])
    name, node.name = node.name, "_sluice_function"  # the name means what it means around the function, itself included
    module = ast.fix_missing_locations(ast.Module([factory], []))
    outer = next(one for one in compile(module, filename, "exec").co_consts if isinstance(one, types.CodeType))
    code = next(one for one in outer.co_consts if isinstance(one, types.CodeType) and one.co_name == "_sluice_function")
    cells = tuple(inner[one] for one in code.co_freevars)
    result = types.FunctionType(code.replace(co_name=name), like.__globals__, like.__name__, None, cells)
    result.__qualname__ = like.__qualname__
    return result


def _bare(node, body, added=()):
    """The function definition with another body, without decorators, annotations and defaults, and with keyword-only parameters added."""
    given = node.args
    plain = [[ast.arg(one.arg) for one in group] for group in (given.posonlyargs, given.args, given.kwonlyargs)]
    star, stars = (one and ast.arg(one.arg) for one in (given.vararg, given.kwarg))
    arguments = ast.arguments(plain[0], plain[1], star, plain[2] + [ast.arg(name) for name in added],
                              [None] * (len(plain[2]) + len(added)), stars, [])
    return ast.copy_location(ast.FunctionDef(node.name, arguments, body, [], type_params=[]), node)


def _has_docstring(node):
    return ast.get_docstring(node, clean=False) is not None


class Driver:
    """A function in which Python runs what compiled code cannot, and segments run the rest.

    program: what was refused; error: the diagnostic, None where only values of `unfit` names cannot be handed over; by_value: the
    whole function may be compiled once the integers among its arguments are known.
    """

    def __init__(self, program, error=None, unfit=(), by_value=False):
        self.program, self.error, self.by_value = program, error, by_value
        self.segments, self.breaks, self.lines, self.symbols = [], [], set(), []
        self.function, self.file = program.f, inspect.getsourcefile(program.f) or "<program>"
        self._signature, self.is_compiled, self._otherwise, self._of_constants = None, False, None, None
        syntax = None if program.f.__code__.co_flags & _CO_SUSPENDS else _syntax(program)
        if syntax is None:
            self.lines = None
            return
        node, lines = syntax
        self.lines = _refused_lines(program, error, node) if error and not by_value else set()
        returns = [one.lineno for one in node.body if isinstance(one, ast.Return)][-1:]
        if program.outputs and self.lines == set(returns):  # a value that a segment cannot hand over
            unfit = {program.outputs[lines[returns[0]][:error.offset - 1].count(",")]}
            self.lines = set()
        self._declare(node)
        cut = Cut(node, lines, self.lines, unfit, self.symbols, whole=bool(error) and is_of_values(error) and not program.is_part)
        if program.is_part and not cut.breaks and not unfit:  # it would be cut the same way again
            cut = Cut(node, lines, None)
        self.breaks = cut.breaks
        self.is_compiled = [one.statements for one in cut.segments] == [node.body[_has_docstring(node):]]
        self._check_explicit(cut)
        refusal = error if program._is_strict() else None
        self.segments = [SegmentCalls(program, one, lines, refusal, by_value) for one in cut.segments]
        body = [_CallsOfPrograms(cut.local).visit(part) for part in cut.body]
        body += ast.parse("return\n" + "".join(f"{name} = None\n" for name in sorted(cut.local))).body  # variables, wherever they are assigned
        cells = {"_sluice_segments": self.segments, "_sluice_locals": locals, "_sluice_callee": program.compiled_callee}
        self.function = _function(_bare(node, body, self.symbols), program.f, cells, self.file)
        self.function.__defaults__ = program.f.__defaults__
        self.function.__kwdefaults__ = program.f.__kwdefaults__

    def _declare(self, node):
        """What annotations say: a program of the same signature that does nothing checks the arguments and tells the symbols."""
        annotations = {one.arg: ast.unparse(one.annotation) for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                       if one.annotation and self.program.is_typed(one.arg)}
        self.symbols = sorted(name for name in set().union(*map(loaded, node.body)) if annotations and self.program.is_symbol(name))
        if annotations:
            self._checked_names = list(annotations)
            self._results = [*(name for name in annotations if self.program.is_scalar(name)), *self.symbols]
            text = f"def {node.name}({', '.join(f'{name}: {text}' for name, text in annotations.items())}):\n" \
                   f"    {'return ' + ', '.join(self._results) if self._results else 'pass'}\n"
            parsed = ast.parse(text).body[0]
            function = _function(_bare(parsed, parsed.body), self.program.f, {}, "<signature>")
            function.__annotations__ = {name: self.program.f.__annotations__[name] for name in annotations}
            self._signature = self.program.part(function, text.splitlines(True), 1)

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
        except _TooMany:  # nothing has run
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
        declared = {name: named.arguments[name] for name in self._checked_names if name in named.arguments}
        values = self._signature(**declared, **{name: value for name, value in kwargs.items() if name not in given})
        values = dict(zip(self._results, values if len(self._results) > 1 else (values,)))
        values.update({name: declared[name] for name, value in values.items()  # so that `flag is True` says what it says
                       if isinstance(value, np.bool_) and type(declared.get(name)) is bool})
        names = list(signature.parameters)[self.program.bound is not None:]
        args = (*(values.get(name, value) for name, value in zip(names, args)), *args[len(names):])
        return args, {**given, **{name: value for name, value in values.items() if name in given or name in self.symbols}}


def worth_compiling(segment, values):
    """Whether NumPy would be slower: there is a loop, or an array of more than a few elements."""
    return segment.work or any(getattr(value, "size", 1) > _SMALL for value in values)


class SegmentCalls:
    """A segment of a driver, called with the variables of the function as they are.

    refusal: what is raised where Python would have to run a part of it; None where it may. by_value: integers are constants.
    """

    def __init__(self, program, segment, lines, refusal, by_value):
        self.program, self.segment, self.lines, self.refusal, self.by_value = program, segment, lines, refusal, by_value
        self.parts = {}
        code = program.f.__code__
        self.taken = {*code.co_varnames, *code.co_names, *code.co_cellvars, *code.co_freevars}
        self.whole = set()  # collections that compiled code cannot be given in pieces: it would change them
        self.objects = {}  # name -> the first object that a call had; None: its fields are constants for every one
        self.as_list = {}  # name -> whether its list is a list to compiled code too, or its elements are, one by one
        self.changed, self.handed_on = changed_names(segment.statements), returned_rows(segment.statements)
        self.moved = moved_rows(segment.statements)
        self._chains = functools.cache(lambda name: chains_of(segment.statements, name))
        self.calls, self.seconds, self.compiling = 0, 0.0, 0.0  # seconds: of all, and of calls that compiled a part

    def __call__(self, variables):
        begin, parts = time.perf_counter(), len(self.parts)
        names = [name for name in self.segment.reads if name in variables]
        try:
            result = self._given(names, variables, self.as_list)
        except _core.CompileError as error:
            other = self._other_ways(variables) if refused(error) else None
            if not other:
                raise
            try:
                result = self._given(names, variables, other)
            except Exception as later:
                if refused(later):
                    raise error from None
                raise
            self.as_list = other
        self.calls += 1
        took = time.perf_counter() - begin
        self.seconds += took
        if len(self.parts) > parts and any(part._versions for part, _ in self.parts.values()):
            self.compiling += took
        return (result,) if len(self.segment.outputs) == 1 else result

    def _other_ways(self, variables):
        """as_list with the other choice for every list that has one; None where none has."""
        lists = {name: self._is_list(name, variables[name]) for name in self.segment.reads if name in variables and
                 self._given_list(name, variables[name])}
        return {name: not chosen for name, chosen in lists.items()} or None

    def _given_list(self, name, value):
        seen = name in self.handed_on or (name in self.moved and type(value) is list and has_other_references(value))
        return given_list(name, value, name in self.changed, self.taken, seen)

    def _is_list(self, name, value):
        return self.as_list.get(name, name in self.changed or len(value) > _UNROLLED)

    def _taken_apart(self, name, value, aliased):
        """How compiled code gets a collection, or an object that is not the first."""
        if self.program.is_object(True, value) and not is_generator(value):
            return self._by_fields(name, value)
        if type(value) is list and self._is_list(name, value) and not (aliased and name in self.changed):
            if one := self._given_list(name, value):
                return one
        return take_apart(name, value, self.by_value, self.taken)

    def _by_fields(self, name, value):
        first = self.objects.setdefault(name, value)
        if first is None or self.by_value or self.segment.shadows(name):
            return None
        if first is value and all(part._changes < _FEW for part, _ in self.parts.values()):
            return None
        return given_object(name, value, self._chains(name), self.taken)

    def _given(self, names, variables, as_list):
        """What the segment gives for these variables, its collections in one of the ways that there are."""
        before, self.as_list = self.as_list, as_list
        try:
            given, pieces = dict(variables), {}
            bound = () if self.refusal else self.segment.binds  # Python runs statements that give these names others, unless nothing may
            same = [id(variables[name]) for name in names]
            for name in names:
                if name in self.whole or name in bound:
                    continue
                if one := self._taken_apart(name, variables[name], same.count(id(variables[name])) > 1):
                    pieces[name] = one
                    given.update(one.arguments)
            drawn = [id(generator) for one in pieces.values() for generator, _ in one.generators]
            if len(drawn) > len(set(drawn)):  # one generator under two names: its state is not two arrays
                pieces = {}
            try:
                return self._call(names, given, pieces)
            except _core.CompileError as error:
                objects = [name for name, one in pieces.items() if isinstance(one, GivenObject)]
                if objects and refused(error):  # something has to be known
                    self.objects.update(dict.fromkeys(objects))
                    return self._given(names, variables, as_list)
                if not pieces or self.refusal or not refused(error):
                    raise
                self.whole.update(pieces)
                return self._call(names, given, {})
        finally:
            self.as_list = before

    def _call(self, names, variables, pieces):
        """What the segment gives. variables: by name, with the arguments in `pieces`, collections by name."""
        kinds = [("pieces", pieces[name].text, tuple(map(id, pieces[name].functions.values()))) if name in pieces
                 else self._hand_over(name, variables[name]) for name in names]
        if self.by_value and (*names, *kinds) not in self.parts and len(self.parts) >= _FEW:
            raise _TooMany
        if (*names, *kinds) not in self.parts and len(self.parts) >= _MANY and self.refusal:
            self.parts.pop(next(iter(self.parts)))
        elif (*names, *kinds) not in self.parts and len(self.parts) >= _MANY:
            kinds = [kind if kind == _ARGUMENT else ("unfit", None) for kind in kinds]
        part = self.parts.get((*names, *kinds))
        if part is None:
            part = self.parts[(*names, *kinds)] = self._part(names, kinds, variables, pieces)
        program, arguments = part
        values = [variables[name] for name in arguments]
        compiled = self.refusal or pieces or worth_compiling(self.segment, values)
        changed = [one for one in pieces.values() if one.changes]
        kept = [(variables[name], variables[name].copy()) for name in arguments if type(variables[name]) is np.ndarray and (
            name in self.changed or name not in names)] if changed else []
        try:
            result = program(*values) if compiled else program.f(*values)
        except Exception as error:
            if not changed or isinstance(error, _core.CompileError):
                raise
            for array, before in kept:
                np.copyto(array, before)
            return self._in_python(names, variables)
        finally:
            for one in pieces.values():
                one.hand_back()
        if not changed:
            return result
        for one, now in zip(changed, result[1:]):
            one.take_over(now)
        return with_callers_own(result[0], [(now, one.value) for one, now in zip(changed, result[1:])])

    def _in_python(self, names, variables):
        """The segment by Python: what has raised in compiled code leaves the caller's lists as they are when Python raises it."""
        segment = self.segment
        text = [f"def {self.program.name}({', '.join(names)}):\n", *(self.lines[line] + "\n" for line in range(segment.first, segment.last + 1)),
                f"{segment.indentation}return {', '.join(segment.outputs)}\n"]
        node = _moved(ast.parse("".join(text)).body[0], segment.first - 2)
        return _function(node, self.program.f, {}, inspect.getsourcefile(self.program.f) or "<program>")(*(variables[name] for name in names))

    def _part(self, names, kinds, variables, pieces):
        """The program of the segment for variables of these kinds, and which of them are its arguments."""
        segment = self.segment
        ways = "argument", "constant", "assigned", "around", "unfit", "pieces"
        handed = {way: [name for name, one in zip(names, kinds) if one[0] == way] for way in ways}
        if self.refusal and handed["unfit"]:
            raise self.refusal
        objects = [pieces[name] for name in handed["pieces"] if isinstance(pieces[name], GivenObject)]
        pieces = {name: pieces[name] for name in handed["pieces"] if pieces[name] not in objects}
        arguments = sorted([*handed["argument"], *handed["unfit"], *(one for taken in (*objects, *pieces.values()) for one in taken.arguments)])
        lines = [self.lines[line] + "\n" for line in range(segment.first, segment.last + 1)]
        changed = {f"{name}__now": name for name, one in pieces.items() if one.changes}
        _substitute(lines, {name: repr(variables[name]) for name in handed["constant"]}, segment, "".join(f", {name}" for name in changed),
                    [place for one in objects for place in one.places])
        assigned = [f"{segment.indentation}{name} = {variables[name]!r}\n" for name in handed["assigned"]]
        assigned += [f"{segment.indentation}{name} = {taken.display}\n" for name, taken in pieces.items()]
        assigned += [f"{segment.indentation}{now} = {name}\n" for now, name in changed.items()]
        above = 1 + len(assigned)
        text = [f"def {self.program.name}({', '.join(arguments)}):\n", *assigned, *lines]
        outputs = ", ".join(segment.outputs)
        text.append(f"{segment.indentation}return {f'({outputs})' if outputs else None}, {', '.join(changed)}\n" if changed else
                    f"{segment.indentation}return {outputs}\n")
        unbound = set(segment.reads).difference(variables, segment.binds)
        if unbound:  # behind the return: a variable without a value, not one of the module
            text.append(f"{segment.indentation}{' = '.join(sorted(unbound))} = None\n")
        node = _moved(ast.parse("".join(text)).body[0], segment.first - above - 1)
        around = {name: variables[name] for name in handed["around"]}
        if pieces and (handed["unfit"] or unbound):  # Python would run the part
            raise self.refusal or _core.CompileError("a collection in pieces")
        if pieces:
            around.update(_sluice_given=given, _sluice_generator=generator)
        for taken in pieces.values():
            around.update(taken.functions)
        function = _function(node, self.program.f, around, inspect.getsourcefile(self.program.f) or "<program>")
        part = self.program.part(function, text, segment.first - above, {*handed["unfit"], *unbound},
                                 segment.outputs or self.program.outputs)
        part.is_whole = bool(pieces or objects)
        part.list_arguments = {one for taken in pieces.values() if isinstance(taken, GivenList) for one in taken.arguments}
        return part, arguments

    def _hand_over(self, name, value):
        """How a variable's value comes into the segment: (way, what must be the same for the same code)."""
        if self.by_value and type(value) in (bool, int):
            return "assigned" if name in self.segment.binds or self.segment.shadows(name) else "constant", repr(value)
        if type(value) in (bool, int, float, complex) or isinstance(value, np.generic):
            return _ARGUMENT
        if type(value) in (np.ndarray, np.memmap):
            return _ARGUMENT if value.dtype.kind in "biufc" else ("unfit", None)
        if value is None and (name in self.segment.binds or self.segment.takes_apart(name)):
            return "assigned", "None"
        if name in self.segment.binds or isinstance(value, (list, dict, set, np.ndarray)) or hasattr(type(value), "__next__"):
            return "unfit", None
        if isinstance(value, types.FunctionType) and "_sluice_function.<locals>" in value.__qualname__:  # made anew in each call
            return "unfit", None
        plain = value if type(value) is tuple else (value,)
        if all(one is None or type(one) is str or (value is plain and type(one) in (bool, int, float)) for one in plain):
            return "assigned" if self.segment.shadows(name) else "constant", repr(value)
        if type(value) is tuple:
            return "unfit", None
        return "around", id(value)


_ARGUMENT = ("argument", None)


def _moved(node, lines):
    """The statement so many lines below, or above, where what has no line in the file is on the first."""
    for one in ast.walk(ast.increment_lineno(node, lines)):
        if getattr(one, "lineno", 1) < 1:
            one.lineno, one.end_lineno = 1, max(one.end_lineno, 1)
    return node


def _substitute(lines, constants, segment, also="", places=()):
    """Puts the text of constants where the segment names them, what is returned besides into each `return`, and further texts at their places."""
    places = [*places, *((one.lineno, one.col_offset, one.end_col_offset, f"({constants[one.id]})") for statement in segment.statements
              for one in ast.walk(statement) if isinstance(one, ast.Name) and one.id in constants)]
    for one in returns_of(segment.statements) if also else ():
        value = one.value
        places += [(value.lineno, value.col_offset, value.col_offset, "("), (value.end_lineno, value.end_col_offset, value.end_col_offset, ")" + also)
                   ] if value else [(one.lineno, one.end_col_offset, one.end_col_offset, " None" + also)]
    for line, begin, end, text in sorted(places, key=lambda place: place[:3], reverse=True):
        whole = lines[line - segment.first].encode()
        lines[line - segment.first] = (whole[:begin] + text.encode() + whole[end:]).decode()


class Explanation(str):
    """A text that prompts and notebooks show line by line, as print does."""
    __repr__ = str.__str__


def explain(program):
    """The parts of a program that was called, one line each: where it lies, who runs it, why, how often and for how long."""
    rows = list(_rows(program, ""))
    return Explanation("\n".join(rows) if rows else f"{program.name}: not called yet")


def _rows(program, indent):
    for key in program._versions:
        types = "shared memory" if not isinstance(key[0], tuple) else ", ".join(map(type_text, key[0])) or "what is annotated"
        yield f"{indent}{program.name}: compiled for {types}"
    for driver in program._drivers.values():
        why = f" ({driver.error.code} {driver.error.message})" if getattr(driver.error, "code", None) else ""
        for one in driver.breaks:
            here = driver.lines is None or any(one.lineno <= line <= one.end_lineno for line in driver.lines)
            yield f"{indent}line {one.lineno}: Python{why if here else ''}"
        for calls in driver.segments:
            one = calls.segment
            lines = f"line {one.first}" if one.first == one.last else f"lines {one.first}-{one.last}"
            compiling = f", {1e3 * calls.compiling:.3g} ms of it with compiling" if calls.compiling else ""
            yield f"{indent}{lines}: {calls.calls} call{'s' * (calls.calls != 1)}, {1e3 * calls.seconds:.3g} ms{compiling}"
            for part, _ in calls.parts.values():
                yield from _rows(part, indent + "  ")


def driver_of_unfit(program):
    """What runs a program with values that no compiled code takes as they are. Those of star parameters are given in pieces."""
    driver = Driver(program, unfit=set(program._unfit).difference(program._stars))
    if program._stars and program._is_strict():
        try:
            _core.refuse("F001", f"{program.name} has the star parameter {program._stars[0]}", "name each argument, or use no more than its elements")
        except _core.CompileError as error:
            if not driver.is_compiled:
                raise
            driver.refuse(error)
    return driver
