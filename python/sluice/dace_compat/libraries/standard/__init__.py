"""Operations that are no library's."""
from . import nodes
from .nodes.reduce import Reduce
