"""@program: a NumPy function that becomes a dataflow graph and native code. This file finds the function's source and runs
its calls, names_around.py what its names mean; everything else happens in C++."""
import builtins
import functools
import inspect
import re
import types
import weakref

import numpy as np

from . import (_core, compile_time, config, fallback, instrumentation, module_arrays, number_hints, one_memory, pickling, raised, repairs, sources,
               tuning)
from .callees import called_by_python, callee_of
from .data import Data
from .device_arrays import STORAGES, built
from .lambdas import LAMBDA, is_lambda, lambda_source
from .layouts import place
from .meanings import is_same, namespace_of
from .methods import BoundProgram
from .names import code_names
from .names_around import NamesAround, parsing, replacements
from .sdfg import SDFG
from .segment_calls import refused
from .sizes import compiled_for_sizes
from .returned import knows_as_dace, numbers_as_arrays, words_of_dace
from .type_keys import type_key

_MANY_CHANGES = 8  # of names of a part: what changes at each step is not worth a compilation
_RETURNS_NONE = "NotImplementedError: this call returns None"


def _reference(instance):
    """What gives the object without keeping it, where its class allows that."""
    try:
        return weakref.ref(instance)
    except TypeError:
        return lambda: instance


class Program(NamesAround, _core.UsualCalls):
    """A function under @program. Call it with NumPy arrays and numbers; it compiles on the first call.

    Parameters without annotation take their types from the arguments, one native version per combination of types; sizes that change are
    symbols from the second on.
    A NumPy array of the module or function around the program is an argument as well: `__g_NAME`, passed at each call, in place.
    Raises CompileError where the source cannot be compiled, TypeError and ValueError for arguments that do not fit.
    """

    def __init__(self, function, name=None, optimize=None, check=False, bound=None, strict=None, constants=None, target="cpu"):
        functools.update_wrapper(self, function)
        self.f = function
        self.name = name or (LAMBDA if is_lambda(function) else function.__name__)
        self.optimize, self.check = optimize, check
        self.bound = bound  # of a method: gives its object, None once that is gone
        self.strict = strict
        self.constants = constants or {}  # of a version: the values of its parameters that are no arguments
        self.target = target
        self._measured = None  # what instrument() asked for
        self.constant_functions = False  # calls of what is known are evaluated when the source is parsed
        self._compiletime = () if constants else compile_time.constant_parameters(function)
        self.of_dace = False  # returned numbers are arrays of one element
        self.is_called_with_none = False  # for a parameter that the program is translated for then
        self.is_part = False  # of a program that could not be compiled as a whole
        self.is_whole = False  # a part that Python cannot run, because it has copies of collections
        self.refused_in_pieces = None  # of a part that is given collections as they are: why it could not be compiled with them in pieces
        self.outputs = ()  # of a part: the names that it returns
        self.list_arguments = ()  # of a part: arrays that are lists of the caller's
        self._changes = 0  # how often a name of the source got another value
        self._stars = tuple(name for name in fallback.star_parameters(function) if name not in (constants or ()))
        self._unfit = self._stars  # parameters whose values no compiled code takes
        self.refused_callees = {}  # path -> why a function that the source names is no program
        self.hints = number_hints.hints_of(function)
        self._ordered = None  # the same with check=True, for calls that raise
        self.untyped = frozenset()  # of a version: parameters with a hint that does not hold
        self.unhinted = {}  # such versions, by these parameters
        self._drivers = {}  # what runs calls that cannot be compiled, by the kinds of their arguments; None: of every kind
        self._beyond = {}  # the same for calls that compiled code begins and cannot end
        self._methods = {}  # of what a class holds: id of an object -> its method
        self._versions = {}  # by types, sizes and pipeline
        self._usual = {}  # by pipeline and types: of calls by position, where no parameter is annotated and no array of the module read
        self._may_be_tuned = None, False  # and config's state when that was looked up
        self._set_level = None, 3  # the setting `optimize` and config's state when it was asked for: reading it opens files
        self._by_size = {}  # the sizes that calls had, by the rest
        self.field_names = {}  # of arrays in fields, where the path would be the name of another object's
        self._array_names, self._callees = {}, []  # what the source names besides numbers and types
        self._array_types = None
        self._replacements = {}  # what @replaces had registered when the source was parsed
        self._named_values = []  # what else the source named when it was parsed
        self._watched = None  # the same of all programs that a call runs
        self._annotated = None  # the only version, once it is known that every parameter is annotated

    def __get__(self, instance, owner=None):
        """A program in a class is a method: `self` is the object, its fields are constants and arrays."""
        if instance is None:
            return self
        method = self._methods.get(id(instance))
        if method is None or method.bound() is not instance:
            method = self._methods[id(instance)] = Program(self.f, self.name, self.optimize, self.check, _reference(instance), self.strict)
            for each in "constant_functions", "target", "of_dace", "_measured":
                setattr(method, each, getattr(self, each))
        return BoundProgram(method, instance)

    # ---- source ----
    @functools.cached_property
    def _source(self):
        """Its lines, decorators included, and the number of the first."""
        if source := sources.received(self.f):
            return source
        try:
            sources.remember(self.f)
            return lambda_source(self.f) if is_lambda(self.f) else sources.lines_of(self.f)
        except OSError:
            pass
        _core.refuse("F014", f"Python does not tell the source of {self.name}",
                     "define it in a file, a notebook cell, `python -c` or the prompt of Python 3.13")

    def like(self, annotations=None):
        """A program of the same source and options, with these annotations beside its own."""
        f = self.f
        function = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
        function.__kwdefaults__, function.__qualname__ = f.__kwdefaults__, f.__qualname__
        function.__annotations__ = {**f.__annotations__, **(annotations or {})}
        made = type(self)(function, self.name, self.optimize, self.check, self.bound, self.strict, self.constants, self.target)
        made.constant_functions, made._source, made._measured, made.given_classes = self.constant_functions, self._source, self._measured, self.given_classes
        return made

    def part(self, function, lines, first, unfit=(), outputs=()):
        """A program for statements of this one, with a source of its own."""
        part = Program(function, self.name, self.optimize, self.check, strict=self._is_strict())
        part.target, part._measured, part.given_classes = self.target, self._measured, self.given_classes
        part._source, part.is_part, part.outputs, part._unfit = (lines, first), True, outputs, unfit
        return part

    @functools.cached_property
    def _parsed(self):
        lines, first = self._source
        source = "".join(lines)
        around = self._being_parsed()
        parsing.programs = (*around, self)
        try:
            return self._parse(source, first)
        finally:
            parsing.programs = around

    def _parse(self, source, first):
        # What only decorators name is no part of the program.
        bindings, fields = self._bindings(re.split(r"(?m)^(?=[ \t]*def )", source, maxsplit=1)[-1])
        sites = compile_time.Sites(self, self._source[0], first, bindings)
        if unknown := [error for path, error in self.refused_callees.items()
                       if path.partition(".")[0] in sites.names_left() & code_names(self.f.__code__) and bindings.get(path, ("",))[0] != "helper"] if self._is_strict() else ():
            raise unknown[0]
        own = {name: ("program", called._parsed) for name, called in sites.programs.items()}
        own.update((name, ("graph", graph)) for name, graph in sites.graphs.items())
        self._callees += sites.programs.values()
        bindings = {**words_of_dace(self.f), **bindings, **own}
        return _core.parse_program(source, inspect.getsourcefile(self.f) or "", max(first, 1), bindings, self._annotations(),
                                   self._numeric_defaults(), fields, sites.known, list(self.constants), self.bound is not None, knows_as_dace(self.f),
                                   self._is_strict(), set(self.untyped))

    def _annotations(self):
        """Types of parameters, and of what is returned, as Python evaluated their annotations."""
        values = {name: value._argument_type(STORAGES) if isinstance(value, Data) else value for name, value in self.f.__annotations__.items()}
        return {name: value for name, value in values.items() if isinstance(value, (_core.typeclass, _core.ArrayType))}

    @functools.cached_property
    def _parameters(self):
        return self._parsed.parameters()

    @functools.cached_property
    def _defaults(self):
        signature = inspect.signature(self.f)
        return {name: p.default for name, p in signature.parameters.items() if p.default is not p.empty and name not in self.constants}

    def _numeric_defaults(self):
        return {name: value for name, value in self._defaults.items()
                if isinstance(value, (builtins.bool, int, float, complex, np.number, np.bool_))}

    @functools.cached_property
    def _untyped(self):
        return [name for name, annotation, _ in self._parameters if annotation is None]

    @property
    def argnames(self):
        """Names of the parameters, in order."""
        return [name for name, _, _ in self._parameters]

    # ---- names that get another value ----
    def _all_named_values(self, seen):
        if self in seen:
            return []
        seen.add(self)
        self._parsed
        return [(self, *named) for named in self._named_values] + [
            one for callee in self._callees for one in callee._all_named_values(seen)]

    def _forget_what_changed(self):
        """Where a number, a type or a program of the module has another value than when the source was parsed, it is parsed again."""
        if self._replacements != replacements and "_parsed" in self.__dict__:
            self._forget()
        if self._watched is None:
            self._watched = [(*named, namespace_of(*named)) for named in self._all_named_values(set())]
        for program, name, value, binding, namespace in self._watched:
            if (namespace is not None and namespace.get(name) is value) or is_same(binding, value, program._lookup(name)):
                continue
            for one in {self, *(watched[0] for watched in self._watched)}:
                one._forget()
            return

    def _forget(self):
        self._changes += 1
        for name in ("_parsed", "_parameters", "_untyped", "_typed_versions"):
            self.__dict__.pop(name, None)
        self.unhinted = {}
        self._versions, self._by_size, self._drivers, self._beyond = {}, {}, {}, {}
        self._watched = self._annotated = self._array_types = None
        self._forget_usual()

    def _forget_usual(self):
        self._usual = {}
        self._drop()

    # ---- arrays of the module ----
    # ---- versions ----
    def _named(self, args, kwargs):
        """Arguments by name, defaults filled in."""
        names = self.argnames
        if len(args) > len(names):
            _core.refuse("A005", f"{self.name} takes {len(names)} positional arguments, but {len(args)} were given",
                         f"the arguments are {', '.join(names)}")
        return {**self._defaults, **dict(zip(names, args)), **kwargs}

    def _types(self, args, kwargs):
        """Types of the parameters without annotation; raises TypeError if one is not given."""
        if not self._untyped:
            return {}
        named = self._named(args, kwargs)
        missing = [name for name in self._untyped if name not in named]
        if missing:
            _core.refuse("A005", f"{self.name} has no type for {', '.join(missing)}", "annotate the parameter or pass an example value")
        return {name: named[name] for name in self._untyped}

    def to_sdfg(self, *args, simplify=None, validate=True, **kwargs):
        """The SDFG, simplified unless simplify is False. Parameters without annotation take their types from `args`/`kwargs`: values, or
        types such as float64[10]."""
        if self._compiletime or (self._stars and not (args or kwargs)):
            version, args, kwargs = compile_time.split(self, args, kwargs)
            return version.to_sdfg(*args, simplify=simplify, validate=validate, **kwargs)
        self._forget_what_changed()
        module_arrays.current(self)
        graph = built(self, self._types(args, kwargs))
        sdfg = SDFG(self.name, _graph=graph)
        sdfg._of_dace = self.of_dace
        if validate:
            sdfg.validate()
        if simplify or simplify is None:
            sdfg.simplify()
        return sdfg

    def _level(self, optimize=None):
        """The pipeline of calls: what is given, else what the decorator says, else the setting `optimize`, else 3."""
        for level in (optimize, self.optimize):
            if level is not None:
                return level
        state = config.state("SLUICE_OPTIMIZE")
        if self._set_level[0] != state:
            self._set_level = state, config.get("optimize") or 3
        return self._set_level[1]

    def compile(self, *args, optimize=None, **kwargs):
        """The compiled program, made at once. Arguments as for to_sdfg. optimize: the pipeline, 0 to 3 or "decide" (SDFG.optimize says
        what they do); None: that of the decorator, else the setting of that name, else 3."""
        if self._compiletime or (self._stars and not (args or kwargs)):
            version, args, kwargs = compile_time.split(self, args, kwargs)
            return version.compile(*args, optimize=optimize, **kwargs)
        self._forget_what_changed()
        level = self._level(optimize)
        types_given = self._types(args, kwargs)
        module_arrays.current(self)
        sizes = tuning.class_of(self, args, kwargs) if level in (3, "3") and tuning.may_be_tuned(self) else None
        key = tuple(map(type_key, types_given.values())), tuple(self._array_types.items()), level, sizes
        compiled = self._versions.get(key)
        if compiled is None and sizes is not None:
            compiled = self._versions[key] = tuning.tuned_version(self, types_given, level, sizes)
        if compiled is None:
            compiled = self._versions[key] = compiled_for_sizes(self, types_given, level) or \
                self.to_sdfg(*args, simplify=False, validate=False, **kwargs).compile(optimize=level, target=self.target, instrument=self._measured)
        return compiled

    instrument, report = instrumentation.instrument, instrumentation.report

    def tune(self, *args, budget=60, progress=None, **kwargs):
        """Searches for what is faster than -O3 on this machine, on copies of these arguments, for `budget` seconds; keeps the winner for this
        program, sizes of this class and this processor, and calls take it from then on (docs/tuning.md). Returns a sluice.Tuned.
        progress: called with (number, change, its seconds, the fastest so far, elapsed seconds) after each candidate; False: nothing is reported;
        None: a line in terminals and notebooks. Raises CompileError if the program cannot be compiled."""
        return tuning.search(self, args, kwargs, budget, progress=progress)

    def _call(self, *args, **kwargs):
        """A call, unless it was kept (_keep_usual)."""
        result = self._run(args, kwargs)
        return numbers_as_arrays(result) if self.of_dace else result

    def _call_failed(self, error, args):
        """What a kept call that raised the error comes to."""
        return self._run(args, {}, error)

    def as_called_by_python(self, *args, **kwargs):
        """The call where a part of a program that Python runs makes it: numbers are numbers inside of programs."""
        return self._run(args, kwargs)

    def _run(self, args, kwargs, failed=None):
        try:
            return self._run_once(args, kwargs, failed)
        except (IndexError, ValueError) as error:
            if self.is_part or getattr(error, "code", None) != "A017":
                raise
            return self._in_order(args, kwargs)
        except RuntimeError as error:
            if (own := raised.of_its_class(self.f, error)) is not error:
                raise own from None
            raise

    def _in_order(self, args, kwargs):
        """The call again of a program that would have raised before it changed anything, with each check in its place."""
        if self._ordered is None:
            self._ordered = self.like()
            self._ordered.check, self._ordered.untyped, self._ordered.of_dace = True, self.untyped, self.of_dace
            self._ordered.is_of_given = getattr(self, "is_of_given", False)
        return self._ordered._run(args, kwargs)

    def _run_once(self, args, kwargs, failed=None):
        if self.is_part and self._changes > _MANY_CHANGES and not self.is_whole:
            return self.f(*args, **kwargs)
        if self._compiletime:
            return compile_time.call(self, args, kwargs)
        if self.hints and (version := number_hints.version(self, args, kwargs)):
            return version._run(args, kwargs)
        if failed is None and not self.is_part and self._is_strict():
            if (result := one_memory.call(self, args, kwargs)) is not one_memory.NOT_SO:
                return result
        driver = self._driver_of(args, kwargs) if self._drivers or self._unfit else None
        if driver is None:
            if self.is_called_with_none and (called := repairs.call_with_none(self, args, kwargs)):
                return called()
            try:
                return self._call_compiled(args, kwargs) if failed is None else self._call_with_shared_memory(failed, args, kwargs)
            except (_core.CompileError, TypeError, ValueError) as error:
                if self.is_whole:
                    raise
                if repaired := repairs.call(self, error, args, kwargs):
                    return repaired()
                try:
                    driver = self._fall_back(error, args, kwargs)
                except _core.CompileError as stopped:
                    return self._over_one_memory(stopped, args, kwargs)
            except (NotImplementedError, OverflowError) as error:
                if self._returns_none(error):  # all that the path does has been done
                    return None
                if (driver := self._driver_beyond(error, args, kwargs)) is None:
                    raise
        try:
            return driver(args, kwargs)
        except _core.CompileError as error:
            if not getattr(driver, "is_compiled", False):  # Something may have run.
                raise
            return self._over_one_memory(error, args, kwargs)

    def _over_one_memory(self, error, args, kwargs):
        """The call that was refused with the error, where a strict program with arrays and collections can be one over one memory; raises the error
        elsewhere."""
        if not self.is_part and self._is_strict() and refused(error):
            if (result := one_memory.call_with_arrays(self, error, args, kwargs)) is not one_memory.NOT_SO:
                return result
            error = one_memory.refusal(self, error)
        raise error

    def _returns_none(self, error):
        """Whether compiled code ended at a return of None of this function, and not of one that it calls."""
        if getattr(error, "message", "") != _RETURNS_NONE:
            return False
        lines, first = self._source
        return error.filename == (inspect.getsourcefile(self.f) or "") and 0 <= error.lineno - max(first, 1) < len(lines)

    def _call_compiled(self, args, kwargs):
        if self._annotated is not None:
            self._forget_what_changed()
            if self._annotated is not None:
                try:
                    return self._annotated(*args, **kwargs)
                except ValueError as error:
                    return self._call_with_shared_memory(error, args, kwargs)
        if self._usual and not kwargs:
            self._forget_what_changed()
            if (compiled := self._usual.get((self._level(), *map(type_key, args)))) is not None:
                try:
                    return compiled(*args)
                except ValueError as error:
                    return self._call_with_shared_memory(error, args, kwargs)
        compiled = self.compile(*args, **kwargs)
        arrays = {name: value for name, value in module_arrays.now(self).items() if name in compiled.arguments}
        if not self._untyped and not self._defaults and not arrays and not tuning.may_be_tuned(self):
            self._annotated = compiled
            if not (self.hints and kwargs):
                self._keep_usual(compiled, number_hints.pattern(self, args) if self.hints else None)
        if self.outputs and compiled.shared_returns:
            raise fallback.SharedReturns(self.outputs[at] for at in compiled.shared_returns)
        if len(self._untyped) == len(self._parameters) == len(args) and not (kwargs or arrays or module_arrays.now(self)):
            self._usual[self._level(), *map(type_key, args)] = compiled
            self._keep_usual(compiled, args)
        try:
            if self._defaults:
                return compiled(**self._named(args, kwargs), **arrays)
            return compiled(*args, **kwargs, **arrays)
        except ValueError as error:
            return self._call_with_shared_memory(error, args, {**kwargs, **arrays})
        finally:
            module_arrays.hand_back(arrays)

    def _keep_usual(self, compiled, args):
        """From now on calls like this one need no line of Python, for as long as nothing that a call looks at has changed."""
        if self._drivers or self._unfit or self.of_dace or self._watched is None or any(watched[-1] is None for watched in self._watched):
            return
        names = [(namespace, name, value) for _, name, value, _, namespace in self._watched]
        if self.optimize is None:
            names.append((vars(config), "_changes", config._changes))
        self._keep(compiled, args, names, replacements, "SLUICE_OPTIMIZE" if self.optimize is None else None)

    # ---- what cannot be compiled ----
    def _is_strict(self):
        return config.get("strict") == "1" if self.strict is None else self.strict

    def _driver_of(self, args, kwargs):
        """What runs a call like this one in Python, None if nothing is known of such calls."""
        if self._unfit:
            if None not in self._drivers:
                self._drivers[None] = fallback.driver_of_unfit(self)
            return self._drivers[None]
        if None not in self._drivers:
            try:
                self._forget_what_changed()
            except _core.CompileError:  # the call meets it again
                return None
        return self._drivers.get(None) or next((driver for sizes in (False, True)
                                                if (driver := self._drivers.get(fallback.kinds_of(args, kwargs, sizes)))), None)

    def _fall_back(self, error, args, kwargs):
        """The driver for a call that was refused; raises the error where Python cannot or shall not run it."""
        if isinstance(error, fallback.SharedReturns):
            self._unfit = {*self._unfit, *error.names}
            self._drop()
            return self._driver_of(args, kwargs)
        awkward = fallback.awkward(error, self._annotations())
        if not (awkward or refused(error)):
            raise error
        if awkward:
            key = error.code
        else:
            key = fallback.kinds_of(args, kwargs, fallback.depends_on_sizes(error)) if "_parsed" in self.__dict__ else None
        if key not in self._drivers:
            self._drivers[key] = self._new_driver(error, args, kwargs)
            self._drop()
        return self._drivers[key]

    def _driver_beyond(self, error, args, kwargs):
        """The driver for a call that turned out while it ran to be none for compiled code, before it changed anything; None where it has to
        raise the error. Other calls with such arguments begin as compiled code: an integer of Python's may fit, a list have elements."""
        if not getattr(error, "unchanged", False) or self._is_strict() or self.is_whole:
            return None
        lines, first = self._source
        at = error.lineno - max(first, 1)
        if 0 <= at < len(lines) and lines[at].lstrip().startswith("raise"):  # the program's own
            return None
        key = error.lineno, fallback.kinds_of(args, kwargs, True)
        if key not in self._beyond:
            self._beyond[key] = self._new_driver(error, args, kwargs)
        return self._beyond[key]

    def _new_driver(self, error, args, kwargs):
        strict = self._is_strict()
        if fallback.is_of_constants(error, (*args, *kwargs.values(), *self._defaults.values())):
            driver = fallback.Driver(self, error, by_value=True)
            if driver.is_compiled:
                return driver
        driver = None if strict and not fallback.is_of_values(error) else fallback.Driver(self, error)
        if strict and not (driver and driver.is_compiled):
            raise error
        driver.warn()
        return driver

    def callees_with(self, error):
        """Names under which this program calls a function with the diagnostic in its source, or in that of what it calls."""
        found = set()
        for name, value, _ in self._named_values:
            callee = callee_of(value, Program)
            if callee and callee is not self:
                lines, first = callee._source
                inside = error.filename == inspect.getsourcefile(callee.f) and first <= error.lineno < first + len(lines)
                if inside or callee.callees_with(error):
                    found.add(name)
        return found

    def compiled_callee(self, value):
        """What Python calls instead of a function around this program: the same, compiled."""
        if isinstance(value, Program):
            return value.as_called_by_python if value.of_dace else value
        return called_by_python(value, Program)

    def explain(self):
        """What was compiled and what Python runs: a text with a line for each part of the program."""
        return fallback.explain(self)

    # ---- arguments that overlap or are not in C order ----
    def _call_with_shared_memory(self, error, args, kwargs):
        """The call by a version in which arrays that overlap, or have strides of their own, are views of the memory that they lie in;
        `error` where that is not what went wrong."""
        if getattr(error, "code", None) not in ("A004", "A010"):
            raise error
        placed = place(self._named(args, kwargs), {name: annotation for name, annotation, _ in self._parameters})
        if placed is None:
            raise error
        shared, arguments, sizes = placed
        types_given = self._types(args, kwargs)
        key = "shared", tuple(shared.items()), tuple(_core.type_key(value) for value in types_given.values())
        compiled = self._versions.get(key)
        if compiled is None:
            graph = SDFG(self.name, _graph=built(self, types_given, shared))
            # Elements of one view are apart, whatever its strides: what races was said of the program as it is written.
            graph._may_race = len({container for container, *_ in shared.values()}) < len(shared)
            compiled = self._versions[key] = graph.compile(optimize=self._level(), target=self.target, instrument=self._measured)
        sizes = {name: value for name, value in sizes.items() if name in compiled.arguments and name not in arguments}
        return compiled(**arguments, **sizes)

    # ---- what DaCe calls an SDFGConvertible ----
    def __sdfg__(self, *args, **kwargs):
        """The SDFG as it is parsed, not simplified."""
        return self.to_sdfg(*args, simplify=False, **kwargs)

    def __sdfg_signature__(self):
        """(names of the arguments, names of those that are constants)."""
        return [*inspect.signature(self.f).parameters][self.bound is not None:], list(self._compiletime)

    def __sdfg_closure__(self, reevaluate=None):
        """Arrays of the module and of fields that the SDFG takes as arguments, by their names there."""
        return dict(module_arrays.now(self))

    def __reduce__(self):
        return pickling.reduced(self)

    def __repr__(self):
        return f"<sluice.program {self.name}>"


NamesAround.kind = Program
