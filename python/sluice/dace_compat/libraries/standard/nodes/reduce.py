"""Reduce: a library node of that operation counts as one."""
from sluice.memlet import wcr_text

from ..._operations import operation


class Reduce(operation("Reduce")):
    """A reduction by a lambda over `axes` (None: all); identity starts the result (None: what is there already)."""

    def __init__(self, label, wcr="lambda a, b: a + b", axes=None, identity=None, schedule=None, **properties):
        axes = None if axes is None else [axes] if isinstance(axes, int) else list(axes)
        super().__init__(label, wcr=wcr_text(wcr), axes=axes, identity=identity, **properties,
                         **({} if schedule is None else {"schedule": schedule}))
