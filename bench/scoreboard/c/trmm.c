void trmm(long M, long N, double alpha, double A[M][M], double B[M][N]) {
#pragma omp parallel
  for (long i = 0; i < M; i++) {
#pragma omp for schedule(static)
    for (long j = 0; j < N; j++) {
      for (long k = i + 1; k < M; k++) B[i][j] += A[k][i] * B[k][j];
      B[i][j] *= alpha;
    }
  }
}
