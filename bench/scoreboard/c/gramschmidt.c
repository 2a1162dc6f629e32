#include <math.h>

void gramschmidt(long M, long N, double A[M][N], double Q[M][N], double R[N][N]) {
  for (long i = 0; i < N; i++)
    for (long j = 0; j < N; j++) R[i][j] = 0.0;
  for (long k = 0; k < N; k++) {
    double square = 0.0;
    for (long i = 0; i < M; i++) square += A[i][k] * A[i][k];
    R[k][k] = sqrt(square);
    for (long i = 0; i < M; i++) Q[i][k] = A[i][k] / R[k][k];
    for (long i = 0; i < M; i++)
      for (long j = k + 1; j < N; j++) R[k][j] += Q[i][k] * A[i][j];
#pragma omp parallel for
    for (long i = 0; i < M; i++)
      for (long j = k + 1; j < N; j++) A[i][j] -= Q[i][k] * R[k][j];
  }
}
