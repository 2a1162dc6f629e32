#include <math.h>
#include <stdlib.h>

void deriche(long W, long H, double alpha, double image[W][H], double result[W][H]) {
  double decay = exp(-alpha), k = (1.0 - decay) * (1.0 - decay) / (1.0 + 2.0 * alpha * decay - exp(2.0 * alpha));
  double a1 = k, a2 = k * decay * (alpha - 1.0), a3 = k * decay * (alpha + 1.0), a4 = -k * exp(-2.0 * alpha);
  double b1 = pow(2.0, -alpha), b2 = -exp(-2.0 * alpha);
  double(*y)[H] = malloc(W * H * sizeof(double)), (*z)[H] = malloc(W * H * sizeof(double));
#pragma omp parallel for
  for (long i = 0; i < W; i++) {
    double y1 = 0.0, y2 = 0.0, x1 = 0.0, x2 = 0.0;
    for (long j = 0; j < H; j++) {
      y[i][j] = a1 * image[i][j] + a2 * x1 + b1 * y1 + b2 * y2;
      x1 = image[i][j], y2 = y1, y1 = y[i][j];
    }
    y1 = y2 = x1 = x2 = 0.0;
    for (long j = H - 1; j >= 0; j--) {
      z[i][j] = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
      x2 = x1, x1 = image[i][j], y2 = y1, y1 = z[i][j];
    }
    for (long j = 0; j < H; j++) result[i][j] = y[i][j] + z[i][j];
  }
#pragma omp parallel
  for (long i = 0; i < W; i++) {
#pragma omp for schedule(static)
    for (long j = 0; j < H; j++)
      y[i][j] = a1 * result[i][j] + (i > 0 ? a2 * result[i - 1][j] + b1 * y[i - 1][j] : 0.0) + (i > 1 ? b2 * y[i - 2][j] : 0.0);
  }
#pragma omp parallel
  for (long i = W - 1; i >= 0; i--) {
#pragma omp for schedule(static)
    for (long j = 0; j < H; j++)
      z[i][j] = (i < W - 1 ? a3 * result[i + 1][j] + b1 * z[i + 1][j] : 0.0) + (i < W - 2 ? a4 * result[i + 2][j] + b2 * z[i + 2][j] : 0.0);
  }
#pragma omp parallel for
  for (long i = 0; i < W; i++)
    for (long j = 0; j < H; j++) result[i][j] = y[i][j] + z[i][j];
  free(y), free(z);
}
