#include <math.h>

void cholesky(long N, double A[N][N]) {
  for (long i = 0; i < N; i++) {
    for (long j = 0; j < i; j++) {
      for (long k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (long k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
}
