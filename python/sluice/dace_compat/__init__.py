"""`import sluice.dace_compat` makes `import dace` mean Sluice in this process, `import dace.transformation.dataflow` and the like included:

    import sluice.dace_compat
    import dace                      # Sluice
    from dace.dtypes import StorageType

docs/coming-from-dace.md says what differs. Raises ImportError where DaCe itself has been imported already.
"""
import sys

import sluice

if sys.modules.get("dace", sluice) is not sluice:
    raise ImportError("dace has been imported already: import sluice.dace_compat before it, or `import sluice as dace`")
sys.modules["dace"] = sluice
