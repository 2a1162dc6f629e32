"""Which parts of a program are measured, and what came of it (docs/instrumentation.md)."""
from . import _core

PARTS = ("program", "state", "map")


def wanted(how="Timer", parts=PARTS, filter="*"):
    """(name of an InstrumentationType, kinds of parts, pattern of labels) for _core. Raises ValueError for other words."""
    parts = parts.replace(",", " ").split() if isinstance(parts, str) else list(parts)
    return getattr(how, "name", str(how)), parts, filter


def instrument(program, how="Timer", parts=PARTS, filter="*"):
    """From the next call on, measures the parts of the program of these kinds ("program", "state", "map", "tasklet") whose label fits the
    filter (`*`: any text), as they are after its pipeline. how: a member of InstrumentationType or its name; None: nothing is measured
    any more. Raises ValueError for other words. Returns the program."""
    program._forget()
    program._measured = None if how is None else wanted(how, parts, filter)
    return program


def report(program):
    """What was measured, as a Report: of the version that was compiled last of those that have run. Raises CompileError D040 where
    there is none."""
    refusal = None
    for compiled in reversed([one for version in (program, *program.unhinted.values()) for one in version._versions.values()]):
        try:
            return compiled.report()
        except _core.CompileError as error:
            refusal = error
    if refusal:
        raise refusal
    _core.refuse("D040", f"`{program.name}` has measured nothing: no version of it is compiled",
                 "call instrument() and then the program; what Python runs of a program is not measured")
