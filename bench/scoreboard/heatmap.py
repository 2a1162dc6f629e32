"""The scoreboard as a picture: a row for each kernel, a column for each peer, its speed-up over NumPy as number and colour."""
import math
from xml.sax.saxutils import escape

from environments import TITLES
from measuring import geometric_mean, median
from report import MARKS, peers_of, speedup

LEFT, TOP, WIDTH, HEIGHT = 190, 52, 96, 20
FULL = math.log(10)  # ten times as fast, or as slow, has the full colour


def colour(value):
    """Green above 1, red below, white at 1."""
    strength = min(1.0, abs(math.log(value)) / FULL)
    end = (26, 152, 80) if value >= 1 else (215, 48, 39)
    return "#" + "".join(f"{round(255 + strength * (channel - 255)):02x}" for channel in end)


def number(value):
    return f"{value:.3g}" if value >= 1 else f"1/{1 / value:.3g}"


def box(column, row, text, fill, title=""):
    x, y = LEFT + column * WIDTH, TOP + row * HEIGHT
    hint = f"<title>{escape(title)}</title>" if title else ""
    return (f'<g>{hint}<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="{fill}" stroke="#ffffff"/>'
            f'<text x="{x + WIDTH / 2}" y="{y + 14}" text-anchor="middle">{escape(text)}</text></g>')


def cell_box(column, row, cell):
    value = speedup(cell)
    if value is None:
        return box(column, row, MARKS.get((cell or {}).get("state"), ""), "#eeeeee", (cell or {}).get("message", ""))
    return box(column, row, number(value), colour(value), f"{1e3 * median(cell['times']):.4g} ms")


def svg(board):
    peers = [peer for peer in peers_of(board) if peer != "numpy"]
    rows = list(board["kernels"].items())
    width, height = LEFT + WIDTH * (len(peers) + 1) + 10, TOP + HEIGHT * (len(rows) + 1) + 10
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
             f'<text x="8" y="18">Times as fast as NumPy: preset {escape(board["preset"])}, {escape(board["processor"])}, {board["threads"]} threads, '
             f'{escape(board["date"])}</text>']
    for column, title in enumerate(["NumPy", *(TITLES[peer] for peer in peers)]):
        parts.append(f'<text x="{LEFT + (column + 0.5) * WIDTH}" y="{TOP - 8}" text-anchor="middle" font-weight="bold">{title}</text>')
    for at, (kernel, cells) in enumerate(rows):
        parts.append(f'<text x="{LEFT - 8}" y="{TOP + at * HEIGHT + 14}" text-anchor="end">{escape(kernel)}</text>')
        times = cells.get("numpy", {}).get("times")
        parts.append(box(0, at, f"{1e3 * median(times):.3g} ms" if times else "", "#f7f7f7"))
        parts += [cell_box(column, at, cells.get(peer)) for column, peer in enumerate(peers, 1)]
    parts.append(f'<text x="{LEFT - 8}" y="{TOP + len(rows) * HEIGHT + 14}" text-anchor="end" font-weight="bold">geometric mean</text>')
    for column, peer in enumerate(peers, 1):
        if values := [value for cells in board["kernels"].values() if (value := speedup(cells.get(peer)))]:
            parts.append(box(column, len(rows), number(geometric_mean(values)), colour(geometric_mean(values)), f"{len(values)} kernels"))
    return "\n".join([*parts, "</svg>", ""])
