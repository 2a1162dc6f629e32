"""Names of DaCe's that files import and Sluice does not have: importing them works, using them says why."""


class _Names(type):
    """So that a class that stands for a missing one also refuses its static members."""

    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotImplementedError(cls._why)


def absent(name, why):
    """A class that raises NotImplementedError where it is called, made into an object, or asked for a member."""
    def refuse(*_, **__):
        raise NotImplementedError(cls._why)

    cls = _Names(name, (), {"__new__": refuse, "__doc__": f"Not in Sluice: {why}.", "_why": f"{name} is not in Sluice: {why}"})
    return cls


def members(module, why, *, private=False):
    """A module's `__getattr__`: every name that it has not is absent, for one reason."""
    def find(name):
        if name.startswith("__") or (name.startswith("_") and not private):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return absent(f"{module.replace('sluice.dace_compat', 'dace')}.{name}", why)
    return find
