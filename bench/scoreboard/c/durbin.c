#include <stdlib.h>

void durbin(long N, double r[N], double y[N]) {
  double *z = malloc(N * sizeof(double)), alpha = -r[0], beta = 1.0;
  y[0] = alpha;
  for (long k = 1; k < N; k++) {
    double sum = 0.0;
    beta *= 1.0 - alpha * alpha;
    for (long i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (long i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
    for (long i = 0; i < k; i++) y[i] = z[i];
    y[k] = alpha;
  }
  free(z);
}
