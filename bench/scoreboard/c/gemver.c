void gemver(long N, double alpha, double beta, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N], double w[N], double x[N],
            double y[N], double z[N]) {
#pragma omp parallel for reduction(+ : x[:N])
  for (long i = 0; i < N; i++) {
    for (long j = 0; j < N; j++) A[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
    for (long j = 0; j < N; j++) x[j] += beta * A[i][j] * y[i];
  }
  for (long i = 0; i < N; i++) x[i] += z[i];
#pragma omp parallel for
  for (long i = 0; i < N; i++) {
    double sum = 0.0;
    for (long j = 0; j < N; j++) sum += A[i][j] * x[j];
    w[i] += alpha * sum;
  }
}
