"""A line about work that takes long, in terminals and notebooks; anywhere else nothing is shown.

The compiler calls `show` from the thread that works, after half a second and then several times a second, and with an empty line when
the work is done.
"""
import shutil
import sys

_shown_in_notebook = None


def _notebook():
    """The display of the notebook that this is a cell of, or None."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display
    return display


def _show_in_notebook(display, line):
    global _shown_in_notebook
    text = {"text/plain": line, "text/html": f"<small>{line}</small>" if line else ""}
    if _shown_in_notebook is None:
        _shown_in_notebook = display(text, raw=True, display_id=True)
    else:
        _shown_in_notebook.update(text, raw=True)
    if not line:
        _shown_in_notebook = None


def show(line):
    if (display := _notebook()) is not None:
        return _show_in_notebook(display, line)
    stream = sys.stderr
    try:
        if stream is not None and stream.isatty():
            stream.write("\r\x1b[K" + line[:shutil.get_terminal_size().columns - 1])
            stream.flush()
    except (OSError, ValueError):  # Closed, or gone: the work goes on.
        pass
