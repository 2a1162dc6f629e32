void symm(long M, long N, double alpha, double beta, double C[M][N], double A[M][M], double B[M][N]) {
  for (long i = 0; i < M; i++)
#pragma omp parallel for
    for (long j = 0; j < N; j++) {
      double sum = 0.0;
      for (long k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        sum += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum;
    }
}
