"""`import sluice.dace_compat` makes `import dace` mean Sluice in this process, `import dace.transformation.dataflow` and the like included:

    import sluice.dace_compat
    import dace                      # Sluice
    from dace.dtypes import StorageType

docs/coming-from-dace.md says what differs. Raises ImportError where DaCe itself has been imported already.
"""
import sys

import sluice
from sluice.program import Program

if sys.modules.get("dace", sluice) is not sluice:
    raise ImportError("dace has been imported already: import sluice.dace_compat before it, or `import sluice as dace`")
sys.modules["dace"] = sluice


class _Versions:
    """What DaCe calls the cache of a program: `cache`, the compiled versions by the types that they are for. Where a number or object around
    the program changes, it is compiled anew and the versions are gone: `size` 1."""
    size = 1

    def __init__(self, program):
        self.cache = dict(program._versions)

    def __len__(self):
        return len(self.cache)


Program._cache = property(_Versions)
