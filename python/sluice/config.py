"""Settings: what `sluice config` lists, read and set for this process.

    sluice.config.set("optimize", 1)
    sluice.config.get("cache_size")

docs/configuration.md has the table. Raises CompileError for a key that does not exist (D011) or a value that it cannot have (D012).
"""
from . import _core


def get(key):
    """The value that stands now, as text."""
    return _core.setting(key)[0]


def origin(key):
    """Who set it: `default`, `file PATH:LINE`, `environment NAME` or `argument`."""
    return _core.setting(key)[1]


def set(key, value):
    """Sets it for the rest of the process, before every other origin."""
    _core.set_setting(key, str(value))


def keys():
    """All keys, sorted."""
    return [row[0] for row in _core.settings()]
