"""Propagation of memlets: Sluice does it after each transformation and in front of code, for whole graphs."""
from sluice._absent import members


def propagate_memlets_sdfg(sdfg):
    """sdfg.propagate()"""
    sdfg.propagate()


def propagate_memlets_state(sdfg, state):
    """The same: propagation is of a whole graph."""
    sdfg.propagate()


def propagate_memlets_scope(sdfg, state, scopes, propagate_entry=True, propagate_exit=True):
    """The same: propagation is of a whole graph."""
    sdfg.propagate()


__getattr__ = members(__name__, "memlets are propagated for whole graphs: SDFG.propagate")
