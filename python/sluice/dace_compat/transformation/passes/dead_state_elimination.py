"""DeadStateElimination: blocks that no path reaches are gone after simplify."""
from ..pass_pipeline import Pass


class DeadStateElimination(Pass):
    """Branches whose conditions are known, which ConstantPropagation and simplify remove here."""

    def apply_pass(self, sdfg, pipeline_results):
        """How often something was applied, None for never."""
        return sdfg.apply_transformations_repeated("ConstantPropagation") or None
