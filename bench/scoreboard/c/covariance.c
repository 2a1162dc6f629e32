#include <stdlib.h>

void covariance(long M, long N, double data[N][M], double result[M][M]) {
  double *mean = calloc(M, sizeof(double));
  for (long i = 0; i < N; i++)
    for (long j = 0; j < M; j++) mean[j] += data[i][j];
#pragma omp parallel for
  for (long i = 0; i < N; i++)
    for (long j = 0; j < M; j++) data[i][j] -= mean[j] / N;
#pragma omp parallel for schedule(dynamic, 8)
  for (long i = 0; i < M; i++) {
    for (long j = i; j < M; j++) result[i][j] = 0.0;
    for (long k = 0; k < N; k++)
      for (long j = i; j < M; j++) result[i][j] += data[k][i] * data[k][j];
    for (long j = i; j < M; j++) result[j][i] = result[i][j] /= N - 1.0;
  }
  free(mean);
}
