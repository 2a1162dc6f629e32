"""What is looked at: pages in a browser or a notebook, pictures in a notebook, generated code."""
import dataclasses
import html
import pathlib
import re
import tempfile
import webbrowser

from . import _core


@dataclasses.dataclass(eq=False)
class CodeObject:
    """A generated file. name, language: file name and suffix; title: `Frame`, the source, or `CallHeader`, the C header."""
    name: str
    code: str
    language: str
    title: str
    sdfg: object = dataclasses.field(repr=False, default=None)
    target: str = "cpu"

    @property
    def linkable(self):
        """Whether it is compiled on its own."""
        return self.language == "cpp"

    @property
    def clean_code(self):
        """The code; nothing is marked in it."""
        return self.code


def _notebook():
    """IPython's display functions where a notebook runs this, else None."""
    try:
        from IPython import display, get_ipython
    except ImportError:
        return None
    shell = get_ipython()
    return display if shell is not None and hasattr(shell, "kernel") else None


def _frame(page):
    return f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 600px; border: 1px solid #8884"></iframe>'


def open_page(page, name, filename, verbose):
    """Writes the page and opens it; returns its path."""
    if filename is None:
        with tempfile.NamedTemporaryFile("w", prefix=f"{name}-", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(page)
        path = pathlib.Path(file.name)
    else:
        path = pathlib.Path(filename)
        path.write_text(page, encoding="utf-8")
    if verbose:
        print(path)
    display = _notebook()
    if display is not None:
        display.display(display.HTML(_frame(page)))
    else:
        webbrowser.open(path.resolve().as_uri())
    return path


def embedded(sdfg):
    """The picture as part of a notebook: by Graphviz, else the page in a frame; None, for the text, where this build draws no pages."""
    try:
        svg = sdfg.svg()
        return '<div style="overflow: auto; max-height: 800px">' + re.sub(r"^.*?(?=<svg)", "", svg, flags=re.DOTALL) + "</div>"
    except _core.CompileError as error:
        if error.code not in ("C007", "C008"):
            raise
    try:
        return _frame(sdfg.html())
    except _core.CompileError as error:
        if error.code != "U001":
            raise
        return None
