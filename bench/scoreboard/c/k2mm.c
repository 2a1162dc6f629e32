void k2mm(long NI, long NJ, long NK, long NL, double alpha, double beta, double A[NI][NK], double B[NK][NJ], double C[NJ][NL], double D[NI][NL]) {
#pragma omp parallel for
  for (long i = 0; i < NI; i++) {
    double row[NJ];
    for (long j = 0; j < NJ; j++) row[j] = 0.0;
    for (long k = 0; k < NK; k++)
      for (long j = 0; j < NJ; j++) row[j] += alpha * A[i][k] * B[k][j];
    for (long l = 0; l < NL; l++) D[i][l] *= beta;
    for (long j = 0; j < NJ; j++)
      for (long l = 0; l < NL; l++) D[i][l] += row[j] * C[j][l];
  }
}
