"""ConstantPropagation: values of symbols that are known become parts of the expressions that read them."""
from ._repeated import Repeated


class ConstantPropagation(Repeated):
    """The transformation of that name as a pass."""
    name = "ConstantPropagation"

    def apply_pass(self, sdfg, pipeline_results, initial_symbols=None):
        """How often it was applied, None for never. initial_symbols: numbers for symbols of the caller's."""
        if initial_symbols:
            sdfg.specialize(initial_symbols)
        return super().apply_pass(sdfg, pipeline_results)
