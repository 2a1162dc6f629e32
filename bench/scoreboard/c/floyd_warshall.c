void floyd_warshall(long N, int path[N][N]) {
  for (long k = 0; k < N; k++)
#pragma omp parallel for
    for (long i = 0; i < N; i++)
      for (long j = 0; j < N; j++) path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}
