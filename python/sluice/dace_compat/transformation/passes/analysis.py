"""DaCe's analyses: Sluice's are in C++, and transformations ask them."""
from sluice._absent import members

__getattr__ = members(__name__, "what is known of a graph, the transformations that need it ask (docs/writing-transformations.md)")
