"""An operation of one's own, with a definition and two expansions: limits every element, then adds it onto a scaled vector."""
import numpy as np

import sluice
from sluice.operation import Operation, expansion, register


@register
class ClampedAdd(Operation):
    """_out = min(max(_x, -limit), limit) + _y."""
    forms = ["_x[N], _y[N] -> _out[N]"]
    properties = {"limit": (1, "The largest magnitude.")}
    types = ["float64", "float32"]
    element_wise = True

    def reference(self, _x, _y, limit):
        return np.clip(_x, -limit, limit) + _y

    @expansion
    def one_map(self, node):
        """One map that does all."""
        limit = node.properties["limit"]
        node.sdfg.add_state("add").add_mapped_tasklet(
            "add", {"i": f"0:{node.shape('_out')[0]}"}, {"x": sluice.Memlet("_x[i]"), "y": sluice.Memlet("_y[i]")},
            f"o = min(max(x, -{limit}), {limit}) + y", {"o": sluice.Memlet("_out[i]")}, external_edges=True)

    @expansion
    def two_steps(self, node):
        """Clamps into a transient, then Axpy."""
        limit, sdfg = node.properties["limit"], node.sdfg
        size = node.shape("_out")[0]
        sdfg.add_transient("clamped", [size], node.dtype("_out"))
        first = sdfg.add_state("clamp")
        first.add_mapped_tasklet("clamp", {"i": f"0:{size}"}, {"x": sluice.Memlet("_x[i]")}, f"o = min(max(x, -{limit}), {limit})",
                                 {"o": sluice.Memlet("clamped[i]")}, external_edges=True)
        second = sdfg.add_state_after(first, "add")
        axpy = second.add_library_node("Axpy", ["_x", "_y"], ["_res"], a=1)
        second.add_edge(second.add_read("clamped"), None, axpy, "_x", sluice.Memlet("clamped"))
        second.add_edge(second.add_read("_y"), None, axpy, "_y", sluice.Memlet("_y"))
        second.add_edge(axpy, "_res", second.add_write("_out"), None, sluice.Memlet("_out"))


def program():
    """out = clamp(x) + y as a graph of one node."""
    n = sluice.symbol("N")
    sdfg = sluice.SDFG("clamped_add")
    for name in ("x", "y", "out"):
        sdfg.add_array(name, [n], sluice.float64)
    state = sdfg.add_state("main")
    node = state.add_library_node(ClampedAdd, ["_x", "_y"], ["_out"], limit=2)
    state.add_edge(state.add_read("x"), None, node, "_x", sluice.Memlet("x"))
    state.add_edge(state.add_read("y"), None, node, "_y", sluice.Memlet("y"))
    state.add_edge(node, "_out", state.add_write("out"), None, sluice.Memlet("out"))
    return sdfg


if __name__ == "__main__":
    x, y = np.linspace(-4, 4, 9), np.ones(9)
    for chosen in ("one_map", "two_steps"):
        sdfg, out = program(), np.zeros(9)
        sdfg.expand_library_nodes(chosen)
        sdfg(x=x, y=y, out=out)
        assert np.array_equal(out, np.clip(x, -2, 2) + y)
        print(sdfg.recipe, end="")
