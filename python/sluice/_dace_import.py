"""Imports below `dace` where that name stands for Sluice: after `import sluice.dace_compat`, or where a program has put this package
into `sys.modules["dace"]`. `dace.sdfg.nodes` is then `sluice.nodes`, `dace.data` is `sluice.data`, and so on: the same modules, no copies.
"""
import importlib
import importlib.machinery
import sys

_HERE = {"dace.sdfg.nodes": "nodes", "dace.sdfg.state": "state", "dace.sdfg.sdfg": "sdfg", "dace.codegen.compiled_sdfg": "program",
         "dace.transformation.transformation": "transformation"}
_GROUPS = ("dace.transformation.dataflow", "dace.transformation.interstate", "dace.transformation.subgraph")


class _Finder:
    """Finds `dace.X.Y` as the module of Sluice that has its names."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        package = sys.modules.get(__package__)
        if package is None or sys.modules.get("dace") is not package:
            return None
        under, _, rest = name.partition(".")
        here = under == __package__ and "." in rest and not rest.startswith("dace_compat.")  # of `from dace.sdfg import utils`
        if not (under == "dace" and rest or here):
            return None
        name_of_dace = f"dace.{rest}"
        if name_of_dace.startswith(_GROUPS):  # dace.transformation.dataflow.map_fusion: our transformations stand in one module
            last = rest.rpartition(".")[2]
            if last != last.lower():  # a class, and no module
                return None
            own = "transformation"
        else:
            own = _HERE.get(name_of_dace, "" if here else rest)
        candidates = [own, f"dace_compat.{rest}"]
        if rest.startswith("libraries.") and ".nodes." in rest:  # a module for each node: the classes stand in their library
            candidates.append("dace_compat." + rest.partition(".nodes.")[0])
        for candidate in filter(None, candidates):
            try:
                module = importlib.import_module(f"{__package__}.{candidate}")
            except ModuleNotFoundError as error:
                if not (error.name or "").startswith(__package__):
                    raise
                continue
            return importlib.machinery.ModuleSpec(name, _Alias(module), is_package=True)
        return None


class _Alias:
    """Loads a module that is there already."""

    def __init__(self, module):
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec):
        _hold_others(self.module)
        return self.module

    def exec_module(self, module):
        module.__spec__ = self.spec


def _hold_others(module):
    """Modules of DaCe that hold others, `dace.sdfg.state`, are plain ones here: they find these as attributes, too."""
    def find(name):
        if not name.startswith("_") and sys.modules.get("dace") is sys.modules[__package__]:
            try:
                return importlib.import_module(f"{module.__name__}.{name}")
            except ModuleNotFoundError:
                pass
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

    if not hasattr(module, "__path__"):
        module.__path__ = []
    vars(module).setdefault("__getattr__", find)


def install():
    """Once per process, before the finder that would load this package's files a second time under the name dace."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{__package__}."):
            _hold_others(module)  # also for users who put single modules, "dace.transformation", into sys.modules
    if not any(isinstance(one, _Finder) for one in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
