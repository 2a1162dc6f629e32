"""Calls of the segments of a driver: each is compiled for the values that its variables have at its first call."""
import ast
import functools
import inspect
import re
import time
import types

import numpy as np

from . import _core
from .explicit import generator, given
from .given_lists import GivenList, changed_names, given_list, has_other_references, moved_rows, returned_rows, returns_of, with_callers_own
from .given_objects import GivenObject, chains_of, given_object
from .pieces import is_generator, take_apart
from .segments import CallsOfPrograms
from .work import ANY, is_large

# Codes of errors that are raised before anything ran, about the program and not about the machine.
_REFUSALS = re.compile("[BEFLPRSTVX]|A008")
_EXPLICIT = {"F012", "F013"}  # dataflow written as such: Python has no meaning for it
_UNROLLED = 8  # elements: a list of up to as many is so many arguments, unless the code changes it
_SURE = 8  # calls in which a segment had little to do, so that a call of the function asks no more
_FEW = 4  # versions of a function for values of its integers
_MANY = 16  # versions of one segment; with more, or with one for every second call, what it is given changes with each call


class TooMany(Exception):
    """A function was compiled for many values of its integers, and is called with another one."""


def refused(error):
    """Whether the error says that the program cannot be compiled, for these arguments or at all."""
    code = getattr(error, "code", None)
    return isinstance(error, _core.CompileError) if code is None else bool(_REFUSALS.match(code)) and code not in _EXPLICIT


def function_of(node, like, cells, filename):
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


def worth_compiling(segment, variables):
    """Whether Python would be slower: there are loops of which nobody knows how long they are, or something large is given."""
    return segment.work == ANY or any(is_large(value, name in segment.over) for name, value in variables.items())


class SegmentCalls:
    """A segment of a driver, called with the variables of the function as they are.

    refusal: what is raised where Python would have to run a part of it; None where it may. by_value: integers are constants; driver: the class.
    """

    def __init__(self, program, segment, lines, refusal, by_value, driver):
        self.program, self.segment, self.lines, self.refusal, self.by_value, self._driver = program, segment, lines, refusal, by_value, driver
        self.cut = None  # what runs the segment where a part of it was refused in turn
        self.parts = {}
        code = program.f.__code__
        self.taken = {*code.co_varnames, *code.co_names, *code.co_cellvars, *code.co_freevars}
        self.whole = set()  # collections that compiled code cannot be given in pieces: it would change them
        self.refused = None  # what code was refused with that had them in pieces
        self.objects = {}  # name -> the first object that a call had; None: its fields are constants for every one
        self.as_list = {}  # name -> whether its list is a list to compiled code too, or its elements are, one by one
        self.changed, self.handed_on = changed_names(segment.statements), returned_rows(segment.statements)
        self.moved = moved_rows(segment.statements)
        self._chains = functools.cache(lambda name: chains_of(segment.statements, name))
        self._python = functools.cache(self._function)
        self.calls, self.seconds, self.compiling = 0, 0.0, 0.0  # seconds: of all, and of calls that compiled a part
        self.by_python = 0  # calls that were not worth compiling
        self.begin()

    def begin(self):
        """A call of the function begins."""
        self.is_small, self._small_calls = False, 0
        if self.cut:
            self.cut.begin()

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
        if not self.refusal and not worth_compiling(self.segment, {name: variables[name] for name in names}):
            self.by_python += 1
            self._small_calls += 1
            self.is_small = self._small_calls >= _SURE
            return self._in_python(names, variables)
        self._small_calls = 0
        if self.cut and self._cut_names == names:
            return self.cut([variables[name] for name in names], {})
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
                self.refused = error
                return self._call(names, given, {})
        finally:
            self.as_list = before

    def _call(self, names, variables, pieces):
        """What the segment gives. variables: by name, with the arguments in `pieces`, collections by name."""
        kinds = [("pieces", pieces[name].text, tuple(map(id, pieces[name].functions.values()))) if name in pieces
                 else self._hand_over(name, variables[name]) for name in names]
        if self.by_value and (*names, *kinds) not in self.parts and len(self.parts) >= _FEW:
            raise TooMany
        if (*names, *kinds) not in self.parts and len(self.parts) >= _MANY and self.refusal:
            self.parts.pop(next(iter(self.parts)))
        elif (*names, *kinds) not in self.parts and not self.refusal and (len(self.parts) >= _MANY or _FEW < len(self.parts) > self.calls // 2):
            kinds = [kind if kind == _ARGUMENT else ("unfit", None) for kind in kinds]
        part = self.parts.get((*names, *kinds))
        if part is None:
            part = self.parts[(*names, *kinds)] = self._part(names, kinds, variables, pieces)
        program, arguments = part
        values = [variables[name] for name in arguments]
        changed = [one for one in pieces.values() if one.changes]
        arrays = [variables[name] for name in arguments if type(variables[name]) is np.ndarray and (name in self.changed or name not in names)]
        kept = [(array, array.copy()) for array in arrays] if changed else []
        try:
            result = program(*values)
        except Exception as error:
            nothing_done = getattr(error, "unchanged", False) and not getattr(self.program, "is_of_given", False)
            if nothing_done and (error.code == "A017" or not self.refusal):
                self._hand_back(pieces)
                return self._in_python(names, variables)
            if not changed and (arrays or not pieces) or isinstance(error, _core.CompileError):  # Python could not begin as it was
                self._hand_back(pieces)
                raise
            for array, before in kept:
                np.copyto(array, before)
            if getattr(self.program, "is_of_given", False):
                raise  # its source is not Python's: given_state.py runs that again
            return self._in_python(names, variables)
        self._hand_back(pieces)
        if program._drivers and not (self.refusal or self.by_value):
            self._split(names, next(reversed(program._drivers.values())))
        if not changed:
            return result
        for one, now in zip(changed, result[1:]):
            one.take_over(now)
        return with_callers_own(result[0], [(now, one.value) for one, now in zip(changed, result[1:])])

    @staticmethod
    def _hand_back(pieces):
        for one in pieces.values():
            one.hand_back()

    def _in_python(self, names, variables):
        """The segment by Python: where compiled code would not be faster, and where it has raised, so that the exception is Python's (a key that
        is not in a dictionary, say), and the caller's lists are as Python leaves them."""
        return self._python(tuple(names))(*(variables[name] for name in names))

    def _split(self, names, driver):
        """From now on Python runs the segment with the variables as they are, cut where the driver of its part is: nothing is handed over to
        compiled code of which Python runs a line."""
        text, node = self._text_of(names)
        function = function_of(node, self.program.f, {}, inspect.getsourcefile(self.program.f) or "<program>")
        part = self.program.part(function, text, self.segment.first - 1, outputs=self.segment.outputs or self.program.outputs)
        self._cut_names, self.cut = names, self._driver(part, driver.error, driver.unfit)

    def _text_of(self, names):
        """The lines of the segment as a function with these parameters, and its syntax tree."""
        segment = self.segment
        text = [f"def {self.program.name}({', '.join(names)}):\n", *(self.lines[line] + "\n" for line in range(segment.first, segment.last + 1)),
                f"{segment.indentation}return {', '.join(segment.outputs)}\n"]
        return text, _moved(ast.parse("".join(text)).body[0], segment.first - 2)

    def _function(self, names):
        """The segment as a function of Python's with these parameters."""
        node = self._text_of(names)[1]
        code = self.program.f.__code__
        if self.segment.work == ANY or self.program.of_dace:
            node = CallsOfPrograms({*code.co_varnames, *code.co_cellvars}).visit(node)
        return function_of(node, self.program.f, {"_sluice_callee": self.program.compiled_callee}, inspect.getsourcefile(self.program.f) or "<program>")

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
        if any(re.search(r"\b[fF][rR]?[\"']|\b[rR][fF][\"']", line) for line in lines):  # Quotes of a text would end one that is formatted.
            texts = [name for name in handed["constant"] if isinstance(variables[name], str)]
            handed["assigned"] += texts
            handed["constant"] = [name for name in handed["constant"] if name not in texts]
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
        function = function_of(node, self.program.f, around, inspect.getsourcefile(self.program.f) or "<program>")
        part = self.program.part(function, text, segment.first - above, {*handed["unfit"], *unbound},
                                 segment.outputs or self.program.outputs)
        part.is_whole, part.refused_in_pieces = bool(pieces or objects), self.refused
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
