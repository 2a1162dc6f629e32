void syrk(long M, long N, double alpha, double beta, double C[N][N], double A[N][M]) {
#pragma omp parallel for schedule(dynamic, 8)
  for (long i = 0; i < N; i++) {
    for (long j = 0; j <= i; j++) C[i][j] *= beta;
    for (long k = 0; k < M; k++)
      for (long j = 0; j <= i; j++) C[i][j] += alpha * A[i][k] * A[j][k];
  }
}
