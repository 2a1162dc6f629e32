"""DaCe's inference of types, schedules and storages: Sluice infers them where code is made."""
from sluice._absent import members

__getattr__ = members(__name__, "types, schedules and storages are inferred where code is made; SDFG.optimize decides what is open")
