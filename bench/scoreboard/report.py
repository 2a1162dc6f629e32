"""The scoreboard as a table in Markdown: NumPy's and our medians, and how many times as fast as NumPy each is."""
from environments import PEERS, TITLES
from measuring import geometric_mean, interval, median

MARKS = {"wrong": "wrong", "refused": "-", "late": "late", "failed": "failed"}


def speedup(cell):
    """Times as fast as NumPy was in the same turns; None of a cell without times."""
    return median(cell["reference"]) / median(cell["times"]) if cell and cell.get("times") and cell.get("reference") else None


def peers_of(board):
    return [peer for peer in PEERS if any(peer in cells for cells in board["kernels"].values())]


def best_peer(cells):
    """The fastest of the others, NumPy included, by its speed-up: (peer, speed-up); None where ours is alone."""
    others = [(speedup(cell), peer) for peer, cell in cells.items() if peer != "sluice" and speedup(cell)]
    return max(others)[::-1] if others else None


def against_best(cells):
    """How many times as fast as the best peer ours is."""
    best, ours = best_peer(cells), speedup(cells.get("sluice"))
    return ours / best[1] if best and ours else None


def milliseconds(cell):
    if not cell.get("times"):
        return MARKS.get(cell.get("state"), "")
    low, high = interval(cell["times"])
    return f"{1e3 * median(cell['times']):.3g} ({1e3 * low:.3g} to {1e3 * high:.3g})"


def ratio(cell):
    if not cell:
        return ""
    value = speedup(cell)
    return MARKS.get(cell["state"], "") if value is None else f"{value:.2f}" + "~" * (cell["state"] == "amplified")


def progress(kernel, cells):
    return f"{kernel:26}" + "  ".join(f"{TITLES[peer]} {ratio(cell)}" for peer, cell in cells.items() if peer != "numpy")


def row(kernel, cells, peers):
    numpy, ours, best = cells.get("numpy", {}), cells.get("sluice", {}), best_peer(cells)
    of_best = against_best(cells)
    words = [kernel, milliseconds(numpy), milliseconds(ours), *(ratio(cells.get(peer)) for peer in peers if peer != "numpy"),
             f"{of_best:.2f} ({TITLES[best[0]]})" if of_best else "", f"{ours['first']:.2f}" if "first" in ours else "",
             f"{ours['peak']:.0f} / {numpy['peak']:.0f}" if "peak" in ours and "peak" in numpy else ""]
    return "| " + " | ".join(words) + " |"


def means(board, peers):
    """Lines on each peer: geometric means of the kernels that both have."""
    for peer in peers:
        if peer == "sluice":
            continue
        both = [(speedup(cells[peer]), speedup(cells["sluice"])) for cells in board["kernels"].values() if peer in cells and "sluice" in cells]
        ratios = [ours / theirs for theirs, ours in both if theirs and ours]
        if ratios:
            yield (f"- against {TITLES[peer]}: {geometric_mean(ratios):.2f} times as fast (geometric mean of {len(ratios)} kernels), "
                   f"slower than it on {sum(one < 1 for one in ratios)}")
    ratios = [one for one in map(against_best, board["kernels"].values()) if one]
    if ratios:
        yield (f"- against the best of them on each kernel: {geometric_mean(ratios):.2f} (of {len(ratios)} kernels), "
               f"slower on {sum(one < 1 for one in ratios)}, below 0.8 on {sum(one < 0.8 for one in ratios)}")


def without_times(board):
    """Lines on ours where it has no times, with the reason."""
    for kernel, cells in board["kernels"].items():
        ours = cells.get("sluice")
        if ours and not ours.get("times"):
            yield f"- {kernel}: {ours['state']}, {ours.get('message', '')}"
        elif ours and ours.get("mode") != "compiled":
            yield f"- {kernel}: partly run by Python"


def table(board):
    peers = peers_of(board)
    versions = sorted({cell["version"] for cells in board["kernels"].values() for cell in cells.values() if "version" in cell})
    head = ["kernel", "NumPy ms", "Sluice ms", *(TITLES[peer] for peer in peers if peer != "numpy"), "Sluice / best peer", "first call s", "peak MiB"]
    lines = [f"Preset {board['preset']}, {board['date']}, {board['processor']}, {board['threads']} threads"
             + (", beside a process on every core" if board["load"] else "") + f"; {'; '.join(versions)}.",
             "Columns of peers: times as fast as NumPy; `~` results differ by amplified roundings, `-` refused or not expressible, `late` over the limit.",
             "", "| " + " | ".join(head) + " |", "| " + " | ".join(["---"] * len(head)) + " |",
             *(row(kernel, cells, peers) for kernel, cells in board["kernels"].items()), "", *means(board, peers), *without_times(board), ""]
    return "\n".join(lines)
