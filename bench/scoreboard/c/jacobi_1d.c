void jacobi_1d(long TSTEPS, long N, long steps, double A[N], double B[N]) {
  for (long t = 1; t < steps; t++) {
    for (long i = 1; i < N - 1; i++) B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (long i = 1; i < N - 1; i++) A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}
