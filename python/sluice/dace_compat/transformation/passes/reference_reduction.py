"""Not here."""
from sluice._absent import absent

ReferenceToView = absent("dace.transformation.passes.reference_reduction.ReferenceToView", "references stay what they are")
