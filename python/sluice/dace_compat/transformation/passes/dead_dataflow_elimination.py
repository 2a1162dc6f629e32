"""DeadDataflowElimination: what nobody reads is not computed."""
from ._repeated import Repeated


class DeadDataflowElimination(Repeated):
    """The transformation of that name as a pass."""
    name = "DeadDataflowElimination"
