"""What nobody would read is refused: attributes that a handle does not have, arguments of DaCe's that change nothing here."""
import difflib


def strict(*fields):
    """Class decorator: besides properties only `fields` and names with an underscore may be assigned, also in subclasses.

    A misspelt property would otherwise become an attribute that nobody reads."""
    def decorate(cls):
        known = frozenset(fields) | getattr(cls, "_strict_fields", frozenset())
        assign = cls.__setattr__ if not hasattr(cls, "_strict_fields") else cls._strict_assign

        def checked(self, name, value):
            if not name.startswith("_") and name not in type(self)._strict_fields and not hasattr(type(self), name):
                raise AttributeError(_unknown(type(self), name), name=name, obj=self)
            assign(self, name, value)

        cls._strict_fields, cls._strict_assign, cls.__setattr__ = known, staticmethod(assign), checked
        return cls
    return decorate


def _unknown(cls, name):
    properties = sorted(n for n in dir(cls) if isinstance(getattr(cls, n, None), property) and not n.startswith("_"))
    near = difflib.get_close_matches(name, properties, 1)
    hint = f"did you mean `{near[0]}`?" if near else f"its properties are {', '.join(properties)}"
    return f"{cls.__name__} has no property `{name}`: {hint}"


def refuse_others(function, given, meant, options=()):
    """Refuses arguments that say something else than what happens anyway. meant: name -> (the value that is accepted, what to do
    instead of another). options: the names of the others."""
    for name, value in given.items():
        if name not in meant:
            near = difflib.get_close_matches(name, [*options, *meant], 1)
            raise TypeError(f"{function} has no option {name}" + (f": did you mean {near[0]}?" if near else ""))
        accepted, instead = meant[name]
        if value is not None and value != accepted:
            raise ValueError(f"{function} does not know {name}={value!r}: {instead}")
