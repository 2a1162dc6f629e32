void doitgen(long NR, long NQ, long NP, double A[NR][NQ][NP], double C4[NP][NP]) {
#pragma omp parallel for
  for (long r = 0; r < NR; r++) {
    double sum[NP];
    for (long q = 0; q < NQ; q++) {
      for (long p = 0; p < NP; p++) sum[p] = 0.0;
      for (long s = 0; s < NP; s++)
        for (long p = 0; p < NP; p++) sum[p] += A[r][q][s] * C4[s][p];
      for (long p = 0; p < NP; p++) A[r][q][p] = sum[p];
    }
  }
}
