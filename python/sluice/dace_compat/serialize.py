"""DaCe's writing of nodes and properties as JSON: Sluice writes whole graphs."""
from sluice._absent import members

__getattr__ = members(__name__, "graphs are written as a whole: SDFG.to_json and SDFG.from_json")
