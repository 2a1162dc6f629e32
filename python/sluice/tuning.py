"""A search for what is faster than -O3 on this machine: `program.tune(...)`, `sluice.tune(program, ...)`.

Candidates are made and chosen by the compiler; this file runs and measures them on copies of the arguments.
"""
import time
from dataclasses import dataclass

import numpy as np

from . import _core, _progress, config, module_arrays
from .device_arrays import built
from .sdfg import SDFG


@dataclass(frozen=True)
class Tuned:
    """What was found. Times are seconds of a call without Python's part: medians of runs of both in turns."""
    untuned: float
    tuned: float
    changes: list  # to -O3, as lines of recipes; empty: nothing was faster
    tried: int
    file: str  # that keeps the winner; empty: nothing was faster

    @property
    def speedup(self):
        return self.untuned / self.tuned


def class_of(program, args, kwargs):
    """The class of the sizes that a call gives to the symbols in its annotations."""
    named, sizes = program._named(args, kwargs), {}
    for name, annotation, _ in program._parameters:
        value = named.get(name)
        if isinstance(value, np.ndarray) and getattr(annotation, "shape", None) is not None:
            sizes.update((str(size), extent) for size, extent in zip(annotation.shape, value.shape) if str(size).isidentifier())
    return _core.size_class(sizes)


def may_be_tuned(program):
    """Whether something was kept for a program of this name; looked up once for each of its sources and settings."""
    state = config.state("SLUICE_TUNED")
    if program._may_be_tuned[0] != state:
        program._may_be_tuned = state, _core.may_be_tuned(program.name)
    return program._may_be_tuned[1]


def tuned_version(program, types, level, sizes):
    """The version that was tuned for these sizes; None if there is none."""
    graph = built(program, types)
    if program.target != "cpu" or program._measured or not _core.is_tuned(graph, sizes):
        return None
    return _core.compile(graph, True, True, "", str(level), program.target, sizes)


def tune(program, *args, budget=60, progress=None, **kwargs):
    """program.tune(*args, ...), for those who like functions."""
    return program.tune(*args, budget=budget, progress=progress, **kwargs)


def search(program, args, kwargs, budget, clock=time.perf_counter, progress=None):
    """See Program.tune."""
    program._forget_what_changed()
    types = program._types(args, kwargs)
    module_arrays.current(program)
    graph = built(program, types)
    given = {**program._named(args, kwargs), **module_arrays.now(program)}
    working = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in given.items()}

    def compiled(candidate):
        try:
            call = SDFG(program.name, _graph=candidate).compile(optimize="decide")
        except _core.CompileError:
            return None
        arguments = {name: value for name, value in working.items() if name in call.arguments}

        def run():
            for name, value in arguments.items():
                if isinstance(value, np.ndarray):
                    np.copyto(value, given[name])
            begin = clock()
            call(**arguments)
            return clock() - begin
        run()
        return run

    def show(number, change, seconds, fastest, elapsed):
        if progress:
            progress(number, change, seconds, fastest, elapsed)
        elif progress is None:
            _progress.show(f"{elapsed:.0f} s, {number} tried, fastest {fastest * 1e3:.3f} ms: {change}")

    try:
        found = _core.tune(graph, class_of(program, args, kwargs), float(budget), compiled, clock, show)
    finally:
        if progress is None:
            _progress.show("")
    program._forget()
    program._may_be_tuned = None, False
    program._annotated = None
    program._forget_usual()
    return Tuned(*found)
