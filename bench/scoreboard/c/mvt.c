void mvt(long N, double x1[N], double x2[N], double y1[N], double y2[N], double A[N][N]) {
#pragma omp parallel for reduction(+ : x2[:N])
  for (long i = 0; i < N; i++) {
    double sum = 0.0;
    for (long j = 0; j < N; j++) {
      sum += A[i][j] * y1[j];
      x2[j] += A[i][j] * y2[i];
    }
    x1[i] += sum;
  }
}
