static void sweep(long N, double from[N][N][N], double to[N][N][N]) {
#pragma omp for
  for (long i = 1; i < N - 1; i++)
    for (long j = 1; j < N - 1; j++)
      for (long k = 1; k < N - 1; k++)
        to[i][j][k] = 0.125 * (from[i + 1][j][k] - 2.0 * from[i][j][k] + from[i - 1][j][k]) +
                      0.125 * (from[i][j + 1][k] - 2.0 * from[i][j][k] + from[i][j - 1][k]) +
                      0.125 * (from[i][j][k + 1] - 2.0 * from[i][j][k] + from[i][j][k - 1]) + from[i][j][k];
}

void heat_3d(long TSTEPS, long N, long steps, double A[N][N][N], double B[N][N][N]) {
#pragma omp parallel
  for (long t = 1; t < steps; t++) {
    sweep(N, A, B);
    sweep(N, B, A);
  }
}
