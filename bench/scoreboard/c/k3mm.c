#include <stdlib.h>

static void product(long M, long N, long K, double A[M][K], double B[K][N], double C[M][N]) {
#pragma omp parallel for
  for (long i = 0; i < M; i++) {
    for (long j = 0; j < N; j++) C[i][j] = 0.0;
    for (long k = 0; k < K; k++)
      for (long j = 0; j < N; j++) C[i][j] += A[i][k] * B[k][j];
  }
}

void k3mm(long NI, long NJ, long NK, long NL, long NM, double A[NI][NK], double B[NK][NJ], double C[NJ][NM], double D[NM][NL], double G[NI][NL]) {
  double(*E)[NJ] = malloc(NI * NJ * sizeof(double)), (*F)[NL] = malloc(NJ * NL * sizeof(double));
  product(NI, NJ, NK, A, B, E);
  product(NJ, NL, NM, C, D, F);
  product(NI, NL, NJ, E, F, G);
  free(E), free(F);
}
