void bicg(long M, long N, double A[N][M], double p[M], double r[N], double s[M], double q[N]) {
  for (long j = 0; j < M; j++) s[j] = 0.0;
#pragma omp parallel for reduction(+ : s[:M])
  for (long i = 0; i < N; i++) {
    double sum = 0.0;
    for (long j = 0; j < M; j++) {
      s[j] += r[i] * A[i][j];
      sum += A[i][j] * p[j];
    }
    q[i] = sum;
  }
}
