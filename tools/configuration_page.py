"""Writes docs/configuration.md: the table of settings, from the one in the source.

    .venv/bin/python tools/configuration_page.py
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "configuration.md"
sys.path.insert(0, str(ROOT / "python"))

from sluice import _core  # noqa: E402

TEXT = """# Configuration

Written by tools/configuration_page.py from the table in src/driver/settings.cpp. `sluice config` prints the settings with their values
and who set them.

| key | environment | default | what it is for | a value is |
|---|---|---|---|---|
{rows}

The later of these stands before the earlier:

1. the default;
2. the user's file, `$XDG_CONFIG_HOME/sluice/config`, else `~/.config/sluice/config`; `sluice config KEY VALUE` writes it;
3. `sluice.config` in the current folder; `sluice config --project KEY VALUE` writes it. It may come with somebody else's program, so what says what is
   run or written on this machine (the compiler, its flags, the cache) is refused there (D012);
4. the environment, where empty text is no value;
5. an argument: `sluice --config KEY=VALUE COMMAND ...`, or `sluice.config.set(KEY, VALUE)` in Python, for the rest of the process.

A file has one setting on a line, `key = value`; `#` begins a comment. A key that does not exist and a value that its key cannot have are
refused wherever they stand (D011 to D013), never passed over. Options of a command (`-O1`) and arguments of a function (`optimize=1`)
stand before all settings.
"""


def text():
    rows = [f"| `{key}` | `{environment}` | {f'`{standard}`' if standard else 'empty'} | {sentence} | {expected} |"
            for key, environment, standard, sentence, expected in _core.settings()]
    return TEXT.format(rows="\n".join(rows))


if __name__ == "__main__":
    PAGE.write_text(text())
