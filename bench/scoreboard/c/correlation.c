#include <math.h>
#include <stdlib.h>

void correlation(long M, long N, double data[N][M], double result[M][M]) {
  double *mean = calloc(M, sizeof(double)), *deviation = calloc(M, sizeof(double));
  for (long i = 0; i < N; i++)
    for (long j = 0; j < M; j++) mean[j] += data[i][j];
  for (long j = 0; j < M; j++) mean[j] /= N;
  for (long i = 0; i < N; i++)
    for (long j = 0; j < M; j++) deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
  for (long j = 0; j < M; j++) {
    deviation[j] = sqrt(deviation[j] / N);
    if (deviation[j] <= 0.1) deviation[j] = 1.0;
  }
#pragma omp parallel for
  for (long i = 0; i < N; i++)
    for (long j = 0; j < M; j++) data[i][j] = (data[i][j] - mean[j]) / (sqrt(1.0 * N) * deviation[j]);
#pragma omp parallel for schedule(dynamic, 8)
  for (long i = 0; i < M; i++) {
    result[i][i] = 1.0;
    for (long j = i + 1; j < M; j++) result[i][j] = 0.0;
    for (long k = 0; k < N; k++)
      for (long j = i + 1; j < M; j++) result[i][j] += data[k][i] * data[k][j];
    for (long j = i + 1; j < M; j++) result[j][i] = result[i][j];
  }
  free(mean), free(deviation);
}
