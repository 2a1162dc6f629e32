"""Not here."""
from sluice._absent import absent

OptionalArrayInference = absent("dace.transformation.passes.optional_arrays.OptionalArrayInference",
                                "whether an argument may be None is decided when the program is translated")
