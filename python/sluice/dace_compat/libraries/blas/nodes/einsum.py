"""Einsum: DaCe's node, which holds the text. Sluice has one operation for each form."""
from sluice._absent import absent

Einsum = absent("dace.libraries.blas.nodes.einsum.Einsum", "np.einsum in a program chooses products and reductions itself")
