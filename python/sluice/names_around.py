"""What the names in the source of a program mean outside of it: numbers, arrays, functions, objects with fields, modules."""
import ast
import builtins
import inspect
import re
import threading
import types

import numpy as np

from . import _core, explicit
from .callees import callee_of, is_object_with_call
from .classes import bind_classes
from .fields import chains, follow
from .meanings import functions_identity, functions_text, meaning, symbols_in
from .names import code_names, inner_variables
from .returned import knows_as_dace

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_PLAIN = np.ndarray, np.generic, int, float, complex, str, list, tuple, dict, set, types.ModuleType, type  # no objects with fields of the user's
parsing = threading.local()  # .programs: those whose source names what is looked at now; one of them again would be recursion
replacements = {}  # qualified name -> program, of @replaces


class NamesAround:
    """The names of a program. kind: the class of programs."""
    kind = None
    _words = frozenset()  # of the source
    given_classes = {}  # of objects among the arguments, which are made again of their fields (given_state.py)

    @staticmethod
    def _being_parsed():
        return getattr(parsing, "programs", ())

    def calls_itself(self, callee):
        """Whether a call of the program is recursion, of one that is translated now for objects of its own included."""
        return any(one.f is callee.f for one in self._being_parsed())

    def _meaning(self, name, value):
        """(kind, value) for what a global or closed-over name means to the compiler; None if it means nothing."""
        if callee := callee_of(value, self.kind):
            return None if callee in self._being_parsed() else ("program", callee._parsed)
        return meaning(name, value)

    def _bindings(self, source):
        """What the names in the source mean, by name, and which chains of attributes are one name each."""
        self._array_names, self._callees, self._named_values, self.refused_callees = {}, [], [], {}
        names = self._words = set(_IDENTIFIER.findall(source))
        code = self.f.__code__
        given = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)  # a parameter may be a symbol of the module
        outer = names.difference(code.co_varnames[given:], set(code.co_cellvars).difference(code.co_varnames[:given]), inner_variables(code))
        around = {name: value for name, (found, value) in ((name, self._around(name)) for name in outer)
                  if found and (name not in code.co_varnames[:given] or name in self.constants or isinstance(value, _core.Expr))}
        bindings, fields, seen = {}, {}, {}
        for path, value in sorted(self._chains(source).items()):
            holder, _, last = path.rpartition(".")
            if isinstance(value, np.ndarray) and id(value) in seen:  # one array in two fields is one container
                first, name = seen[id(value)]
                fields[f"{fields.get(holder, holder)}.{last}"] = name
                self._named_values += [(first, value, None), (path, value, None)]
                continue
            name = self.field_names.get(path, path.replace(".", "_").replace("'", ""))
            while name in names:
                name += "_"
            names.add(name)
            seen[id(value)] = path, name
            fields[f"{fields.get(holder, holder)}.{last}"] = name
            self._bind(bindings, name, path, value)
        for name, value in around.items():
            if value is not self and value is not self.f:
                self._bind(bindings, name, name, value)
        bind_classes(self.f, around, bindings, lambda other, value: self._bind(bindings, other, other, value), self._named_values, self.given_classes)
        self._bind_own_call(bindings, source)
        words = set(_IDENTIFIER.findall(source))
        for name, replacement in replacements.items():
            if replacement is not self and name.rpartition(".")[2] in words:
                bindings[name] = "program", replacement._parsed
                self._callees.append(replacement)
        self._replacements = dict(replacements)
        return bindings, fields

    def _bind_own_call(self, bindings, source):
        """`self(x)` in a method: a program that does not keep the object."""
        own = self.f.__code__.co_varnames[0] if self.bound is not None else None
        if own and re.search(rf"\b{own}\s*\(", source) and (callee := callee_of(self.bound(), self.kind)) and \
                callee not in self._being_parsed():
            bindings[own] = "program", callee._parsed
            self._callees.append(callee)

    def _chains(self, source):
        """The chains of attributes in it that stand for values; a refusal is given its place in the file."""
        try:
            return chains(source, self._root, self._meaning, knows_as_dace(self.f))
        except _core.CompileError as error:
            if getattr(error, "lineno", None):  # counted from the `def`
                lines, first = self._source
                error.lineno += first + len(lines) - len(source.splitlines()) - 1
                error.filename = inspect.getsourcefile(self.f)
                error.args = f"{error.filename}:{error.lineno}: {error}",
            raise

    def _bind(self, bindings, name, path, value):
        try:
            binding = self._meaning(name, value)
        except _core.CompileError as error:
            self.refused_callees[path] = error
            return
        if binding and binding[0] == "constant" and not self._bind_symbols(bindings, value):
            binding = None
        if binding is None and self._bind_functions(bindings, name, path, value):
            return
        if binding or not isinstance(value, types.ModuleType):
            bindings[name] = binding or ("object", None)
        if binding and binding[0] == "array":
            self._array_names[name] = path
        elif binding is None or binding[0] != "module":
            self._named_values.append((path, value, binding))
        if callee := callee_of(value, self.kind):
            self._callees.append(callee)

    def _bind_functions(self, bindings, name, path, value):
        """A list, tuple or dictionary with functions in it is a constant, in which each function has a name of its own. True where it is one."""
        made, functions = {}, []

        def named(function):
            meant = self._meaning(name, function) if callable(function) else None
            if not meant or meant[0] not in ("program", "function"):
                return None
            own = f"{name}_{len(made)}"
            while own in bindings or own in made or own in self._words:
                own += "_"
            made[own] = meant
            functions.append(function)
            if callee := callee_of(function, self.kind):
                self._callees.append(callee)
            return own

        try:
            text = functions_text(value, named)
        except _core.CompileError as error:
            self.refused_callees[path] = error
            return False
        if not made or text is None:
            return False
        bindings.update(made, **{name: ("constant", text)})
        self._named_values.append((path, value, ("functions", (functions_identity(value), functions))))
        return True

    def _bind_symbols(self, bindings, constant):
        """Symbols of the sizes in a list or tuple; False where the source has another use for such a name."""
        symbols = symbols_in(constant)
        for name, symbol in symbols.items():
            found, value = self._around(name)
            if (found and not (isinstance(value, _core.Expr) and str(value) == name)) or name in self.f.__code__.co_varnames:
                return False
        bindings.update((name, ("symbol", symbol)) for name, symbol in symbols.items())
        return True

    def _around(self, name):
        """(found, value) of a name of the function or module around, or of a parameter that is a constant."""
        if name in self.constants:
            return True, self.constants[name]
        free = self.f.__code__.co_freevars
        if name in free:
            try:
                return True, self.f.__closure__[free.index(name)].cell_contents
            except ValueError:  # not assigned yet
                return False, None
        return name in self.f.__globals__, self.f.__globals__.get(name)

    def value_now(self, name):
        """The same, builtins and the object of a method included, for what the program itself does not bind."""
        if self.bound is not None and name == self.f.__code__.co_varnames[0]:
            return True, self.bound()
        if name not in self.constants and name in (*self.f.__code__.co_varnames, *self.f.__code__.co_cellvars):
            return False, None
        found, value = self._around(name)
        return (found, value) if found or not hasattr(builtins, name) else (True, getattr(builtins, name))

    def is_object(self, found, value):
        """Whether the value is an object whose fields programs look up where they name them."""
        plain = not found or value is None or isinstance(value, _PLAIN)
        return not plain and not callable(value) and not callee_of(value, self.kind) and self._meaning("", value) is None

    @property
    def global_vars(self):
        """What the names that the source has from outside mean now."""
        return {name: value for name, (found, value) in
                ((name, self._around(name)) for name in code_names(self.f.__code__)) if found}

    def _root(self, name):
        """The same for what a chain of attributes begins with: an object or a module of the user's, or what a method is bound to."""
        code = self.f.__code__
        if self.bound is not None and name == code.co_varnames[0]:
            return True, self.bound()
        found, value = self._around(name)
        known = isinstance(value, (np.ndarray, np.generic, self.kind)) or not (is_object_with_call(value, self.kind) or self._meaning(name, value) is None)
        outer = name in self.constants or name not in (*code.co_varnames, *code.co_cellvars)
        return found and not known and outer, value

    def _lookup(self, path):
        """The value that a name or a chain of attributes has now; None where it is gone."""
        name = path.partition(".")[0]
        if name == path:
            return self._around(name)[1]
        return follow(self._root(name)[1], path, knows_as_dace(self.f))

    def is_typed(self, name):
        """Whether a parameter has an annotation that is a type to the compiler."""
        quoted = isinstance(self.f.__annotations__.get(name), str) and ("_parsed" not in self.__dict__ or name not in self._untyped)
        return name in self._annotations() or quoted

    def is_scalar(self, name):
        return isinstance(self._annotations().get(name), _core.typeclass)

    def is_symbol(self, name):
        return isinstance(self._around(name)[1], _core.Expr)

    def is_explicit(self, node):
        """Whether a name or an attribute stands for dataflow that only the compiler understands; maps are also Python's."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            value = getattr(self._around(node.value.id)[1], node.attr, None)
        else:
            value = self._around(node.id)[1] if isinstance(node, ast.Name) else None
        return value is not explicit.map and "sluice.explicit" in (type(value).__module__, getattr(value, "__module__", None))
