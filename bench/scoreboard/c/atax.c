void atax(long M, long N, double A[M][N], double x[N], double y[N]) {
  for (long j = 0; j < N; j++) y[j] = 0.0;
#pragma omp parallel for reduction(+ : y[:N])
  for (long i = 0; i < M; i++) {
    double sum = 0.0;
    for (long j = 0; j < N; j++) sum += A[i][j] * x[j];
    for (long j = 0; j < N; j++) y[j] += A[i][j] * sum;
  }
}
