"""DaCe's exceptions of graphs that are not valid: CompileError, whose attributes name the place."""
from sluice import CompileError

InvalidSDFGError = InvalidSDFGNodeError = InvalidSDFGEdgeError = InvalidSDFGInterstateEdgeError = CompileError


def validate_sdfg(sdfg):
    """sdfg.validate()"""
    sdfg.validate()
