"""DaCe's front ends."""
from . import python
