"""The gallery as static HTML: an index with all times, and one page a program with its source and its picture."""
import html

from . import pictures, programs

STYLE = """
body { font: 16px/1.5 sans-serif; color: #222; background: #fff; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
pre { background: #f5f5f3; padding: 1rem; overflow-x: auto; font-size: 14px; line-height: 1.4 }
table { border-collapse: collapse } td, th { padding: .2rem .8rem; text-align: left; border-bottom: 1px solid #ddd }
.number { text-align: right; font-variant-numeric: tabular-nums } a { color: #25c }
img, svg { width: min(100%, 560px); image-rendering: pixelated }
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1b1b1b } pre { background: #262626 } td, th { border-color: #444 } a { color: #8ab4f8 }
  svg { filter: invert(.9) hue-rotate(180deg) }
}
@media print {
  :root { color-scheme: light }
  body { color: #222; background: none; margin: 0; max-width: none } pre { background: none; padding: 0; white-space: pre-wrap }
  svg { filter: none } img, svg, tr { break-inside: avoid }
}
"""


def page(heading, body):
    return (f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
            f"<title>{html.escape(heading)}</title>\n<style>{STYLE}</style>\n<h1>{html.escape(heading)}</h1>\n{body}\n</html>\n")


def program_page(run):
    module, _ = programs.load(run.name)
    _, _, about = module.__doc__.partition("\n")
    picture = pictures.element(module.picture(run.inputs, run.result)) if hasattr(module, "picture") else ""
    return page(run.name.replace("_", " "), f"""
<p><a href="index.html">Gallery</a> / {html.escape(programs.field(module))}</p>
<p><b>{html.escape(programs.title(module))}.</b> {html.escape(about.strip())}</p>
<p>NumPy {run.numpy_ms:.2f} ms, Sluice {run.sluice_ms:.2f} ms: {run.ratio:.2f} times as fast.</p>
{picture}
<pre>{html.escape(programs.source(module))}</pre>""")


def row(run):
    module, _ = programs.load(run.name)
    return (f'<tr><td><a href="{run.name}.html">{run.name}</a><td>{html.escape(programs.field(module))}<td>{html.escape(programs.title(module))}'
            f'<td class="number">{run.numpy_ms:.2f}<td class="number">{run.sluice_ms:.2f}<td class="number">{run.ratio:.2f}')


def index(runs, summary):
    rows = "\n".join(row(run) for run in runs)
    return page("Gallery", f"""
<p>NumPy programs as scientists write them, each under one decorator. The times are medians in milliseconds of one run of the whole
gallery on one machine; the NumPy side is the same function without the decorator.</p>
<p>{html.escape(summary)}</p>
<table><tr><th>program<th>field<th>what<th class="number">NumPy<th class="number">Sluice<th class="number">ratio
{rows}
</table>""")


def write(folder, runs, summary):
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        (folder / f"{run.name}.html").write_text(program_page(run))
    (folder / "index.html").write_text(index(runs, summary))
