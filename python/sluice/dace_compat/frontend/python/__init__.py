"""DaCe's Python front end: the names that programs catch or check for."""
from . import common, parser
