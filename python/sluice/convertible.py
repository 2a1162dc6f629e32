"""Objects that programs call as SDFGs."""


class SDFGConvertible:
    """Protocol of an object that a program may call: `obj(A, n)` runs the graph that `__sdfg__` returns for these arguments.

    __sdfg__(*args, **kwargs): the SDFG. __sdfg_signature__(): (names of the arguments in order, names of those that are constants).
    __sdfg_closure__(reevaluate=None): arrays that the graph takes besides, by name of its argument.
    """

    def __sdfg__(self, *args, **kwargs):
        """The graph for arguments of these types."""
        raise NotImplementedError(f"{type(self).__name__} has no __sdfg__")

    def __sdfg_signature__(self):
        """(argument names, names of constant arguments)."""
        raise NotImplementedError(f"{type(self).__name__} has no __sdfg_signature__")

    def __sdfg_closure__(self, reevaluate=None):
        """Further arguments by name; none unless overridden."""
        return {}
