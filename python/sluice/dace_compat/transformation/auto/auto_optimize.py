"""auto_optimize: the highest pipeline under DaCe's name, and of its steps those that Sluice has as steps."""
from sluice._absent import members
from sluice.dtypes import DeviceType

__getattr__ = members(__name__, "SDFG.optimize runs its own steps (docs/decisions.md)")


def auto_optimize(sdfg, device=DeviceType.CPU, validate=True, validate_all=False, symbols=None, **unknown):
    """Optimises the graph in place by SDFG.optimize(3) and returns it. symbols: values that are put in first. Raises ValueError for a
    device other than the CPU, TypeError for an argument that it does not have."""
    if unknown:
        raise TypeError(f"auto_optimize has no argument {', '.join(sorted(unknown))}")
    if device is not DeviceType.CPU:
        raise ValueError(f"graphs are compiled for the CPU, not for {getattr(device, 'name', device)}")
    if symbols:
        raise ValueError("auto_optimize takes no values of symbols: call sdfg.specialize first, or leave them open")
    sdfg.optimize(3)
    return sdfg


def greedy_fuse(graph_or_subgraph, validate_all=True, device=DeviceType.CPU, recursive=True, stencil=False, stencil_tile=None,
                permutations_only=True, expand_reductions=False):
    """Fuses maps wherever it is legal, MapFusion and MapHorizontalFusion, in the SDFG or in that of a state or part; returns how many. Raises
    ValueError for tiles of stencils and reductions that are to be expanded."""
    if stencil or expand_reductions:
        raise ValueError("greedy_fuse fuses maps: MapTilingWithOverlap tiles stencils, ReduceExpansion expands reductions")
    graph = getattr(graph_or_subgraph, "graph", graph_or_subgraph)
    sdfg = getattr(graph, "sdfg", graph)
    return sdfg.apply_transformations_repeated(["MapFusion", "MapHorizontalFusion"])
