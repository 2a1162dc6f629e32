"""Propagation of memlets: Sluice does it after each transformation and in front of code, for whole graphs."""
from sluice._absent import members


def propagate_memlets_sdfg(sdfg):
    """sdfg.propagate()"""
    sdfg.propagate()


__getattr__ = members(__name__, "memlets are propagated for whole graphs: SDFG.propagate")
