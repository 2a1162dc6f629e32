"""Pictures without a plotting library: arrays as PNG, curves as SVG.

What a program's `picture` returns is an image, an array of two axes (drawn in colours from its least value to its largest) or of three
(red, green and blue from 0 to 1), or curves by name, each (x, y) or (x, y, "points").
"""
import base64
import html
import struct
import zlib

import numpy as np

# Seven colours of Matplotlib's map viridis (N. Smith and S. van der Walt, CC0), between which the others lie.
SCALE = np.array([[68, 1, 84], [71, 44, 122], [49, 104, 142], [33, 145, 140], [53, 183, 121], [144, 215, 67], [253, 231, 37]])
STROKES = ["#3366cc", "#dc6a12", "#2a9d4a", "#c0392b", "#8e44ad", "#7f6a4f", "#d14fa0", "#5f6b6d"]
WIDTH, HEIGHT, MARGIN = 560, 360, 48
LONGEST = 600  # pixels of a side; larger images are thinned out


def colours(image):
    """The pixels of an image, uint8[height, width, 3]."""
    image = np.asarray(image, dtype=np.float64)
    image = image[::-(-image.shape[0] // LONGEST), ::-(-image.shape[1] // LONGEST)]
    if image.ndim == 2:
        low, high = image.min(), image.max()
        place = (image - low) / ((high - low) or 1.0) * (len(SCALE) - 1)
        image = np.stack([np.interp(place, np.arange(len(SCALE)), SCALE[:, k]) for k in range(3)], axis=-1) / 255
    return np.round(np.clip(image, 0, 1) * 255).astype(np.uint8)


def png(image):
    """A PNG file (ISO/IEC 15948), as bytes."""
    pixels = colours(image)
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def ticks(low, high):
    """Round numbers between two, five or so."""
    step = 10.0 ** np.floor(np.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= 6)
    return np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step


def svg(curves):
    """Curves with axes and a legend, as the text of an SVG element."""
    ends = [(np.min(part), np.max(part)) for part in (np.concatenate([np.ravel(curve[k]) for curve in curves.values()]) for k in (0, 1))]
    (left, right), (low, high) = ((a, b) if b > a else (a - 1, a + 1) for a, b in ends)

    def across(x):
        return MARGIN + (np.asarray(x) - left) / (right - left) * (WIDTH - 2 * MARGIN)

    def down(y):
        return HEIGHT - MARGIN - (np.asarray(y) - low) / (high - low) * (HEIGHT - 2 * MARGIN)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for x in ticks(left, right):
        lines.append(f'<path d="M{across(x):.1f} {MARGIN}V{HEIGHT - MARGIN}" stroke="#e4e4e4"/>'
                     f'<text x="{across(x):.1f}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle">{x:.4g}</text>')
    for y in ticks(low, high):
        lines.append(f'<path d="M{MARGIN} {down(y):.1f}H{WIDTH - MARGIN}" stroke="#e4e4e4"/>'
                     f'<text x="{MARGIN - 6}" y="{down(y) + 4:.1f}" text-anchor="end">{y:.4g}</text>')
    for k, (name, (x, y, *kind)) in enumerate(curves.items()):
        stroke = STROKES[k % len(STROKES)]
        thinned = slice(None, None, -(-len(x) // 2000) or 1)
        places = list(zip(across(x[thinned]), down(y[thinned])))
        if kind == ["points"]:
            lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.2" fill="{stroke}"/>' for a, b in places]
        else:
            lines.append(f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in places)}" fill="none" stroke="{stroke}" stroke-width="1.4"/>')
        lines.append(f'<text x="{WIDTH - MARGIN}" y="{16 + 13 * k}" text-anchor="end" fill="{stroke}">{html.escape(name)}</text>')
    return "\n".join([*lines, "</svg>"])


def element(picture):
    """The picture as an element of a page."""
    if isinstance(picture, dict):
        return svg(picture)
    return f'<img alt="" src="data:image/png;base64,{base64.b64encode(png(picture)).decode()}">'


def mime(picture):
    """The picture as the output of a notebook's cell, by type."""
    if isinstance(picture, dict):
        return {"image/svg+xml": svg(picture)}
    return {"image/png": base64.b64encode(png(picture)).decode()}
