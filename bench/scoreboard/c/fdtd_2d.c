void fdtd_2d(long TMAX, long NX, long NY, long steps, double ex[NX][NY], double ey[NX][NY], double hz[NX][NY], double source[TMAX]) {
#pragma omp parallel
  for (long t = 0; t < steps; t++) {
#pragma omp for nowait
    for (long j = 0; j < NY; j++) ey[0][j] = source[t];
#pragma omp for
    for (long i = 1; i < NX; i++)
      for (long j = 0; j < NY; j++) ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
#pragma omp for
    for (long i = 0; i < NX; i++)
      for (long j = 1; j < NY; j++) ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
#pragma omp for
    for (long i = 0; i < NX - 1; i++)
      for (long j = 0; j < NY - 1; j++) hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}
