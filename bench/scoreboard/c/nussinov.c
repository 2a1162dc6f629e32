#include <string.h>

static int larger(int a, int b) { return a > b ? a : b; }

void nussinov(long N, int bases[N], int table[N][N]) {
  memset(table, 0, N * N * sizeof(int));
  for (long i = N - 1; i >= 0; i--)
    for (long j = i + 1; j < N; j++) {
      int best = larger(table[i][j - 1], table[i + 1][j]);
      best = larger(best, table[i + 1][j - 1] + (i < j - 1 && bases[i] + bases[j] == 3));
      for (long k = i + 1; k < j; k++) best = larger(best, table[i][k] + table[k + 1][j]);
      table[i][j] = best;
    }
}
