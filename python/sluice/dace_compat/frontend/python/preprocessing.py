"""DaCe's own passes over syntax: Sluice translates programs in C++ and has none of them."""
from sluice._absent import members

from .common import DaceSyntaxError

__getattr__ = members(__name__, "programs are translated in C++; nothing rewrites their syntax in Python")
