void gesummv(long N, double alpha, double beta, double A[N][N], double B[N][N], double x[N], double y[N]) {
#pragma omp parallel for
  for (long i = 0; i < N; i++) {
    double a = 0.0, b = 0.0;
    for (long j = 0; j < N; j++) {
      a += A[i][j] * x[j];
      b += B[i][j] * x[j];
    }
    y[i] = alpha * a + beta * b;
  }
}
