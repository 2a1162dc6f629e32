"""DaCe's registry of libraries: Sluice's operations are registered by sluice.operation."""
from sluice._absent import members

__getattr__ = members(__name__, "operations and their expansions are chosen by the setting `expansions` and registered by sluice.operation")
