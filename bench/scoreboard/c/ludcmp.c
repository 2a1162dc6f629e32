void ludcmp(long N, double A[N][N], double b[N], double x[N], double y[N]) {
  for (long i = 0; i < N; i++) {
    for (long j = 0; j < i; j++) {
      double value = A[i][j];
      for (long k = 0; k < j; k++) value -= A[i][k] * A[k][j];
      A[i][j] = value / A[j][j];
    }
    for (long j = i; j < N; j++) {
      double value = A[i][j];
      for (long k = 0; k < i; k++) value -= A[i][k] * A[k][j];
      A[i][j] = value;
    }
  }
  for (long i = 0; i < N; i++) {
    y[i] = b[i];
    for (long j = 0; j < i; j++) y[i] -= A[i][j] * y[j];
  }
  for (long i = N - 1; i >= 0; i--) {
    x[i] = y[i];
    for (long j = i + 1; j < N; j++) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }
}
