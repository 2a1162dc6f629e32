"""DaCe's helpers of transformations: those of Sluice are written in C++, or with sluice.transformation.Transformation."""
from sluice._absent import members

__getattr__ = members(__name__, "a transformation edits its site's graph (docs/writing-transformations.md)")
