"""A pass that is a transformation, applied wherever it may be."""
from ..pass_pipeline import Pass


class Repeated(Pass):
    """`apply_pass` applies the transformation `name` until it applies nowhere."""
    name = ""

    def apply_pass(self, sdfg, pipeline_results):
        """How often it was applied, None for never."""
        return sdfg.apply_transformations_repeated(self.name) or None
