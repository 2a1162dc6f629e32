void trisolv(long N, double L[N][N], double x[N], double b[N]) {
  for (long i = 0; i < N; i++) {
    x[i] = b[i];
    for (long j = 0; j < i; j++) x[i] -= L[i][j] * x[j];
    x[i] /= L[i][i];
  }
}
