"""Operations of linear algebra."""
from sluice._absent import absent
from .._operations import operation

Cholesky, TensorDot, TensorTranspose, Transpose = map(operation, ("Cholesky", "TensorDot", "TensorTranspose", "Transpose"))
Inv = absent("dace.libraries.linalg.Inv", "np.linalg.inv in a program solves for the identity")
Solve = absent("dace.libraries.linalg.Solve", "np.linalg.solve in a program: the node here takes other connectors")
