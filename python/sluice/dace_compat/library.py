"""DaCe's registry of libraries: Sluice's operations are registered by sluice.operation."""
import contextlib

from sluice._absent import members

from .libraries._operations import _Operation

__getattr__ = members(__name__, "operations and their expansions are chosen by the setting `expansions` and registered by sluice.operation")


@contextlib.contextmanager
def change_default(library, implementation):
    """Another expansion of a class of nodes, or of all those of a library, within a `with` block."""
    classes = [library] if isinstance(library, _Operation) else [one for one in vars(library).values() if isinstance(one, _Operation)]
    before = [one.default_implementation for one in classes]
    try:
        for one in classes:
            one.default_implementation = implementation
        yield
    finally:
        for one, kept in zip(classes, before):
            one.default_implementation = kept
