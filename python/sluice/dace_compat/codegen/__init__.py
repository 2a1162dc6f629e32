"""DaCe's printers of code: Sluice's are in C++, SDFG.generate_code gives what they print."""
from sluice._absent import members

__getattr__ = members(__name__, "code is printed in C++: SDFG.generate_code and SDFG.compile")
