"""Settings: what `sluice config` lists, read and set for this process.

    sluice.config.set("optimize", 1)
    sluice.config.get("cache_size")

docs/configuration.md has the table. Raises CompileError for a key that does not exist (D011) or a value that it cannot have (D012).
`Config`, `set_temporary` and `temporary_config` are DaCe's face of the same.
"""
import contextlib
import warnings

from . import _core

_changes = 0  # of settings by this process


def get(key):
    """The value that stands now, as text."""
    return _core.setting(key)[0]


def origin(key):
    """Who set it: `default`, `file PATH:LINE`, `environment NAME` or `argument`."""
    return _core.setting(key)[1]


def set(key, value):
    """Sets it for the rest of the process, before every other origin."""
    global _changes
    _changes += 1
    _core.set_setting(key, str(value))


def state(environment):
    """Another value whenever the process has changed a setting of its own, or the environment variable of one: files are left to the first look."""
    return _changes, _core.environment_variable(environment)


def keys():
    """All keys, sorted."""
    return [row[0] for row in _core.settings()]


class Config:
    """Settings under DaCe's paths: `Config.set("compiler", "use_cache", value=False)`. A path without a meaning here keeps its value for
    whoever reads it, and setting it warns: nothing in Sluice looks at it."""
    _kept = {}

    @staticmethod
    def get(*path):
        """The value that was set, else None."""
        return Config._kept.get(path)

    @staticmethod
    def get_bool(*path):
        """The same as a truth value; a text is true if it is one of 1, true, yes, on."""
        value = Config.get(*path)
        return value.lower() in ("1", "true", "yes", "on") if isinstance(value, str) else bool(value)

    @staticmethod
    def set(*path, value=None, autosave=False):
        """Sets a path. autosave is refused: settings live in the file of `sluice config`."""
        if autosave:
            raise ValueError("Config.set does not write files: use `sluice config KEY VALUE`")
        if value != Config.get(*path):
            warnings.warn(f"the setting {'.'.join(path)} has no effect in Sluice", stacklevel=2)
        Config._kept[path] = value


@contextlib.contextmanager
def temporary_config():
    """Gives back all paths of Config at the end of a `with` block."""
    kept = dict(Config._kept)
    try:
        yield
    finally:
        Config._kept = kept


@contextlib.contextmanager
def set_temporary(*path, value):
    """Sets a path of Config within a `with` block."""
    with temporary_config():
        Config.set(*path, value=value)
        yield
