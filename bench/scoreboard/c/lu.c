void lu(long N, double A[N][N]) {
  for (long i = 0; i < N; i++) {
    for (long j = 0; j < i; j++) {
      for (long k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (long j = i; j < N; j++)
      for (long k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j];
  }
}
