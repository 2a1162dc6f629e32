"""Designs for an FPGA, as the interface of graphs builds them."""
import numpy as np

import sluice
from sluice import ScheduleType, StorageType

N = sluice.symbol("N")


def moved(sdfg):
    """Operations expanded for the FPGA, and everything there."""
    sdfg.expand_library_nodes("FPGA")
    sdfg.apply_transformations_repeated("InlineSDFG")
    sdfg.apply("FPGATransformSDFG")
    return sdfg


def streamed(sdfg, *arrays, **options):
    """A processing element of its own for each place where one of the arrays goes into a map or comes out of one."""
    for data in arrays:
        while found := [match for match in sdfg.matches("StreamingMemory", **options)
                        if match.nodes["memory"].split("#")[0] == data and not match.refusal and not match.nodes["map"].startswith(("read_", "write_"))]:
            sdfg.apply(found[0], **options)
    return sdfg


def on_fpga(sdfg, target="hls-xilinx"):
    """Taken at its word."""
    return sdfg.compile(optimize=0, target=target)


def counted(compiled, **arguments):
    """Processing elements, and elements of off-chip memory read and written, of one call."""
    before = compiled.traffic
    compiled(**arguments)
    return tuple(compiled.traffic[name] - before[name] for name in ("elements", "off_chip_reads", "off_chip_writes"))


def axpydot():
    """z = a * x + y; result = z . w."""
    sdfg = sluice.SDFG("axpydot")
    for name in ("x", "y", "w"):
        sdfg.add_array(name, (N,), sluice.float64)
    sdfg.add_array("result", (1,), sluice.float64)
    sdfg.add_transient("z", (N,), sluice.float64)
    state = sdfg.add_state("main")
    z = state.add_access("z")
    state.add_mapped_tasklet("axpy", {"i": "0:N"}, {"xi": sluice.Memlet("x[i]"), "yi": sluice.Memlet("y[i]")}, "zi = 2 * xi + yi",
                             {"zi": sluice.Memlet("z[i]")}, output_nodes={"z": z}, external_edges=True)
    dot = state.add_library_node("Dot", {"_x", "_y"}, {"_result"}, "dot")
    state.add_edge(z, None, dot, "_x", sluice.Memlet("z[0:N]"))
    state.add_edge(state.add_read("w"), None, dot, "_y", sluice.Memlet("w[0:N]"))
    state.add_edge(dot, "_result", state.add_write("result"), None, sluice.Memlet("result[0]"))
    return sdfg


def _kept(state, sdfg, data, size):
    """The access node of a copy of the vector on the chip."""
    name = "kept_" + data
    while name in sdfg.arrays:
        name += "_"
    sdfg.add_transient(name, (size,), sluice.float64, storage=sluice.StorageType.FPGA_Local)
    kept = state.add_access(name)
    state.add_nedge(state.add_read(data), kept, sluice.Memlet(f"{data}[0:{size}]"))
    return kept


def _nest(state, label, n):
    outer = state.add_map(label, {"i": f"0:{n}"})
    return outer, state.add_map(label + "_row", {"j": f"0:{n}"})


def _rank_one(state, sdfg, n, label, source, u, v, targets):
    """target = source + u v^T for each target; source and targets are access nodes."""
    (outer, left), (inner, out) = _nest(state, label, n)
    names = [f"o{k}" for k in range(len(targets))]
    task = state.add_tasklet(label, {"a", "s", "t"}, set(names), "\n".join(f"{name} = a + s * t" for name in names))
    state.add_memlet_path(source, outer, inner, task, dst_conn="a", memlet=sluice.Memlet(f"{source.data}[i, j]"))
    for connector, vector, index in (("s", u, "i"), ("t", v, "j")):
        kept = _kept(state, sdfg, vector, n)
        state.add_memlet_path(kept, outer, inner, task, dst_conn=connector, memlet=sluice.Memlet(f"{kept.data}[{index}]"))
    for name, target in zip(names, targets):
        state.add_memlet_path(task, out, left, target, src_conn=name, memlet=sluice.Memlet(f"{target.data}[i, j]"))


def gemver(n, replicated=False):
    """B = A + u1 v1^T + u2 v2^T; x = 2 B^T y + z; w = 3 B x. A matrix moves off the chip for each place that writes or reads it;
    `replicated`: what x is made of is a copy of B, which nobody else needs."""
    sdfg = sluice.SDFG("gemver")
    sdfg.add_array("A", (n, n), sluice.float64)
    for name in ("u1", "v1", "u2", "v2", "y", "z", "w"):
        sdfg.add_array(name, (n,), sluice.float64)
    for name in ("C", "B", "D") if replicated else ("C", "B"):
        sdfg.add_transient(name, (n, n), sluice.float64)
    sdfg.add_transient("x", (n,), sluice.float64)
    state = sdfg.add_state("products", is_start_state=True)
    C, B = state.add_access("C"), state.add_access("B")
    D = state.add_access("D") if replicated else B
    _rank_one(state, sdfg, n, "ger1", state.add_read("A"), "u1", "v1", [C])
    _rank_one(state, sdfg, n, "ger2", C, "u2", "v2", [B, D] if replicated else [B])
    (outer, left), (inner, out) = _nest(state, "transposed", n)
    sums, y = _kept(state, sdfg, "z", n), _kept(state, sdfg, "y", n)
    added = state.add_access(sums.data)
    task = state.add_tasklet("transposed", {"b", "s"}, {"o"}, "o = 2 * b * s")
    state.add_memlet_path(D, outer, inner, task, dst_conn="b", memlet=sluice.Memlet(f"{D.data}[i, j]"))
    state.add_memlet_path(y, outer, inner, task, dst_conn="s", memlet=sluice.Memlet(f"{y.data}[i]"))
    state.add_nedge(sums, outer)
    state.add_memlet_path(task, out, left, added, src_conn="o", memlet=sluice.Memlet(f"{added.data}[j]", wcr="lambda a, b: a + b"))
    state.add_nedge(added, state.add_write("x"), sluice.Memlet(f"{added.data}[0:{n}]"))
    last = sdfg.add_state_after(state, "product")
    gemv = last.add_library_node("Gemv", {"_A", "_x"}, {"_y"}, "gemv", alpha=3)
    last.add_edge(last.add_read("B"), None, gemv, "_A", sluice.Memlet(f"B[0:{n}, 0:{n}]"))
    last.add_edge(_kept(last, sdfg, "x", n), None, gemv, "_x", sluice.Memlet(f"kept_x[0:{n}]"))
    last.add_edge(gemv, "_y", last.add_write("w"), None, sluice.Memlet(f"w[0:{n}]"))
    return sdfg


def gemver_by_numpy(A, u1, v1, u2, v2, y, z):
    B = A + np.outer(u1, v1) + np.outer(u2, v2)
    return 3 * B @ (2 * B.T @ y + z)


def systolic_gemm(n, k, m, elements):
    """C = A B by a chain of processing elements, each with a row of C at a time: A and B run along the chain, C runs back."""
    chip, fpga = sluice.StorageType.FPGA_Local, sluice.StorageType.FPGA_Global
    in_order = sluice.ScheduleType.FPGA_Device
    sdfg = sluice.SDFG("systolic")
    shapes = {"A": (n, k), "B": (k, m), "C": (n, m)}
    for name, shape in shapes.items():
        sdfg.add_array(name, shape, sluice.float64)
        sdfg.add_transient("fpga_" + name, shape, sluice.float64, storage=fpga)
        sdfg.add_stream(name + "_pipe", sluice.float64, buffer_size=4, shape=(elements + 1,), storage=chip)
    before = sdfg.add_state("copy_in", is_start_state=True)
    for name in ("A", "B"):
        before.add_nedge(before.add_read(name), before.add_write("fpga_" + name), sluice.Memlet(f"{name}[0:{shapes[name][0]}, 0:{shapes[name][1]}]"))
    state = sdfg.add_state_after(before, "kernel")
    after = sdfg.add_state_after(state, "copy_out")
    after.add_nedge(after.add_read("fpga_C"), after.add_write("C"), sluice.Memlet(f"fpga_C[0:{n}, 0:{m}]"))

    def moves(label, ranges, source, taken, target, given, around=(), behind=None, ahead=None):
        """A map that takes one element and gives it on in each point, within scopes around; ordered behind and ahead of others."""
        entry, exit_ = state.add_map(label, ranges, schedule=in_order)
        task = state.add_tasklet(label, {"taken"}, {"given"}, "given = taken")
        state.add_memlet_path(source, *[scope[0] for scope in around], entry, task, dst_conn="taken", memlet=sluice.Memlet(taken))
        state.add_memlet_path(task, exit_, *[scope[1] for scope in reversed(around)], target, src_conn="given", memlet=sluice.Memlet(given))
        if behind:
            state.add_nedge(behind, entry)
        return entry, exit_

    tiles = n // elements
    moves("read_A", {"t": f"0:{tiles}", "q": f"0:{k}", "p": f"0:{elements}"}, state.add_read("fpga_A"), f"fpga_A[t*{elements} + p, q]",
          state.add_write("A_pipe"), "A_pipe[0]")
    moves("read_B", {"t": f"0:{tiles}", "q": f"0:{k}", "c": f"0:{m}"}, state.add_read("fpga_B"), "fpga_B[q, c]", state.add_write("B_pipe"), "B_pipe[0]")
    moves("write_C", {"t": f"0:{tiles}", "p": f"0:{elements}", "c": f"0:{m}"}, state.add_read("C_pipe"), "C_pipe[0]",
          state.add_write("fpga_C"), f"fpga_C[t*{elements} + p, c]")

    chain = state.add_map("element", {"p": f"0:{elements}"}, schedule=sluice.ScheduleType.Unrolled)
    tile = state.add_map("tile", {"t": f"0:{tiles}"}, schedule=in_order)
    scopes = [chain, tile]
    sdfg.add_transient("row", (m,), sluice.float64, storage=chip)
    sdfg.add_scalar("a", sluice.float64, storage=sluice.StorageType.FPGA_Registers, transient=True)
    sdfg.add_scalar("b", sluice.float64, storage=sluice.StorageType.FPGA_Registers, transient=True)
    cleared, summed = state.add_access("row"), state.add_access("row")
    clear = state.add_map("clear", {"c": f"0:{m}"}, schedule=in_order)
    zero = state.add_tasklet("zero", {}, {"o"}, "o = 0")
    state.add_nedge(tile[0], clear[0])
    state.add_nedge(clear[0], zero)
    state.add_memlet_path(zero, clear[1], cleared, src_conn="o", memlet=sluice.Memlet("row[c]"))
    step = state.add_map("step", {"q": f"0:{k}"}, schedule=in_order)
    inside = [*scopes, step]
    pipes = {name: (state.add_read(name), state.add_write(name)) for name in ("A_pipe", "B_pipe", "C_pipe")}
    own = state.add_access("a")
    state.add_memlet_path(pipes["A_pipe"][0], *[scope[0] for scope in inside], own, memlet=sluice.Memlet("A_pipe[p]"))
    handed = moves("hand_A_on", {"r": f"0:{elements} - p - 1"}, pipes["A_pipe"][0], "A_pipe[p]", pipes["A_pipe"][1], "A_pipe[p + 1]", inside, own)
    columns = state.add_map("columns", {"c": f"0:{m}"}, schedule=in_order)
    state.add_nedge(handed[1], columns[0])
    got = state.add_access("b")
    state.add_memlet_path(pipes["B_pipe"][0], *[scope[0] for scope in inside], columns[0], got, memlet=sluice.Memlet("B_pipe[p]"))
    task = state.add_tasklet("multiply", {"x", "y", "s"}, {"o"}, "o = s + x * y")
    state.add_memlet_path(own, columns[0], task, dst_conn="x", memlet=sluice.Memlet("a"))
    state.add_edge(got, None, task, "y", sluice.Memlet("b"))
    state.add_memlet_path(cleared, step[0], columns[0], task, dst_conn="s", memlet=sluice.Memlet("row[c]"))
    state.add_memlet_path(task, columns[1], step[1], summed, src_conn="o", memlet=sluice.Memlet("row[c]"))
    on = state.add_map("hand_B_on", {"once": f"0:min(1, {elements} - 1 - p)"}, schedule=in_order)
    give = state.add_tasklet("give", {"taken"}, {"given"}, "given = taken")
    state.add_memlet_path(got, on[0], give, dst_conn="taken", memlet=sluice.Memlet("b"))
    state.add_memlet_path(give, on[1], columns[1], *[scope[1] for scope in reversed(inside)], pipes["B_pipe"][1], src_conn="given",
                          memlet=sluice.Memlet("B_pipe[p + 1]"))
    finish = state.add_map("finish", {"c": f"0:{m}"}, schedule=in_order)
    push = state.add_tasklet("push", {"taken"}, {"given"}, "given = taken")
    state.add_memlet_path(summed, finish[0], push, dst_conn="taken", memlet=sluice.Memlet("row[c]"))
    state.add_memlet_path(push, finish[1], *[scope[1] for scope in reversed(scopes)], pipes["C_pipe"][1], src_conn="given", memlet=sluice.Memlet("C_pipe[p]"))
    moves("hand_C_on", {"r": f"0:({elements} - p - 1)*{m}"}, pipes["C_pipe"][0], "C_pipe[p + 1]", pipes["C_pipe"][1], "C_pipe[p]", scopes, finish[1])
    return sdfg


def between_copies(name):
    """A graph of x and y, eight elements, that lie on the FPGA in its state `kernel`; that state."""
    sdfg = sluice.SDFG(name)
    for data in ("x", "y"):
        sdfg.add_array(data, (8,), sluice.float64)
        sdfg.add_transient("fpga_" + data, (8,), sluice.float64, storage=StorageType.FPGA_Global)
    before = sdfg.add_state("copy_in", is_start_state=True)
    before.add_nedge(before.add_read("x"), before.add_write("fpga_x"), sluice.Memlet("x[0:8]"))
    kernel = sdfg.add_state_after(before, "kernel")
    after = sdfg.add_state_after(kernel, "copy_out")
    after.add_nedge(after.add_read("fpga_y"), after.add_write("y"), sluice.Memlet("fpga_y[0:8]"))
    return sdfg, kernel


def waiting(depth):
    """One element asks for everything before it takes an answer."""
    sdfg, kernel = between_copies("waiting")
    for name in ("asked", "answered"):
        sdfg.add_stream(name, sluice.float64, buffer_size=depth, storage=StorageType.FPGA_Local)
    order = dict(schedule=ScheduleType.FPGA_Device)
    _, _, asked = kernel.add_mapped_tasklet("ask", {"i": "0:8"}, {"v": sluice.Memlet("fpga_x[i]")}, "o = v", {"o": sluice.Memlet("asked[0]")},
                                            external_edges=True, **order)
    _, got, _ = kernel.add_mapped_tasklet("take", {"j": "0:8"}, {"v": sluice.Memlet("answered[0]")}, "o = v", {"o": sluice.Memlet("fpga_y[j]")},
                                          external_edges=True, **order)
    kernel.add_nedge(asked, got)
    kernel.add_mapped_tasklet("answer", {"k": "0:8"}, {"v": sluice.Memlet("asked[0]")}, "o = 2 * v", {"o": sluice.Memlet("answered[0]")},
                              external_edges=True, **order)
    return sdfg


def histogram():
    """Registers, an unrolled loop, a table on the chip that each iteration reads and writes elsewhere."""
    sdfg = sluice.SDFG("local")
    sdfg.add_array("x", (16,), sluice.float32)
    sdfg.add_array("y", (16,), sluice.float32)
    sdfg.add_transient("table", (16,), sluice.float32, storage=StorageType.FPGA_Local)
    sdfg.add_transient("lanes", (4,), sluice.float32, storage=StorageType.FPGA_Registers)
    state = sdfg.add_state("main")
    kept, changed, lanes = state.add_access("table"), state.add_access("table"), state.add_access("lanes")
    state.add_nedge(state.add_read("x"), kept, sluice.Memlet("x[0:16]"))
    state.add_mapped_tasklet("square", {"i": "0:16"}, {"v": sluice.Memlet("table[i]")}, "o = v * v", {"o": sluice.Memlet("table[i]")},
                             input_nodes={"table": kept}, output_nodes={"table": changed}, external_edges=True)
    state.add_mapped_tasklet("pick", {"k": "0:4"}, {"v": sluice.Memlet("table[4*k]")}, "o = v", {"o": sluice.Memlet("lanes[k]")},
                             input_nodes={"table": changed}, output_nodes={"lanes": lanes}, external_edges=True, unroll_map=True)
    state.add_mapped_tasklet("out", {"i": "0:16"}, {"v": sluice.Memlet("table[i]"), "l": sluice.Memlet("lanes[i % 4]")}, "o = v + l",
                             {"o": sluice.Memlet("y[i]")}, input_nodes={"table": changed, "lanes": lanes}, external_edges=True)
    return moved(sdfg)


def designs():
    composed = streamed(moved(axpydot()), "fpga_x", "fpga_y", "fpga_w")
    composed.apply("StreamingComposition")
    return {"axpydot": composed, "local": histogram(), "systolic": systolic_gemm(4, 3, 5, 2)}
