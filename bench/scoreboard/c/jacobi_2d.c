static void sweep(long N, double from[N][N], double to[N][N]) {
#pragma omp for
  for (long i = 1; i < N - 1; i++)
    for (long j = 1; j < N - 1; j++) to[i][j] = 0.2 * (from[i][j] + from[i][j - 1] + from[i][j + 1] + from[i + 1][j] + from[i - 1][j]);
}

void jacobi_2d(long TSTEPS, long N, long steps, double A[N][N], double B[N][N]) {
#pragma omp parallel
  for (long t = 1; t < steps; t++) {
    sweep(N, A, B);
    sweep(N, B, A);
  }
}
