"""Programs as methods of objects."""


class BoundProgram:
    """A program that was looked up on an object: it keeps the object, as Python's methods do, and is the program in everything else. The
    program itself keeps none, so that objects go when their last name does."""
    __slots__ = ("_program", "_object")

    def __init__(self, program, instance):
        object.__setattr__(self, "_program", program)
        object.__setattr__(self, "_object", instance)

    def __call__(self, *args, **kwargs):
        return self._program(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self._program, name)

    def __setattr__(self, name, value):
        setattr(self._program, name, value)

    def __dir__(self):
        return dir(self._program)

    def __repr__(self):
        return repr(self._program)

    def __eq__(self, other):
        return self._program == (other._program if type(other) is BoundProgram else other)

    def __hash__(self):
        return hash(self._program)

    def __reduce__(self):
        return self._program.__reduce__()

    @property
    def __class__(self):
        return type(self._program)

    @property
    def __doc__(self):
        return self._program.__doc__


def unbound(value):
    """The program of a method; any other value as it is."""
    return value._program if type(value) is BoundProgram else value
