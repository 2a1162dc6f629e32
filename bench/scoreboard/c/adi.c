#include <stdlib.h>

void adi(long TSTEPS, long N, long steps, double u[N][N]) {
  double(*v)[N] = calloc(N * N, sizeof(double)), (*p)[N] = calloc(N * N, sizeof(double)), (*q)[N] = calloc(N * N, sizeof(double));
  double rows = 2.0 * N * N / steps, columns = 1.0 * N * N / steps, a = -0.5 * rows, b = 1.0 + rows, d = -0.5 * columns, e = 1.0 + columns;
  for (long t = 0; t < steps; t++) {
#pragma omp parallel for
    for (long i = 1; i < N - 1; i++) {
      v[0][i] = 1.0, p[i][0] = 0.0, q[i][0] = 1.0;
      for (long j = 1; j < N - 1; j++) {
        p[i][j] = -a / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - d * u[j][i + 1] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
      }
      v[N - 1][i] = 1.0;
      for (long j = N - 2; j >= 1; j--) v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
#pragma omp parallel for
    for (long i = 1; i < N - 1; i++) {
      u[i][0] = 1.0, p[i][0] = 0.0, q[i][0] = 1.0;
      for (long j = 1; j < N - 1; j++) {
        p[i][j] = -d / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - a * v[i + 1][j] - d * q[i][j - 1]) / (d * p[i][j - 1] + e);
      }
      u[i][N - 1] = 1.0;
      for (long j = N - 2; j >= 1; j--) u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
  free(v), free(p), free(q);
}
