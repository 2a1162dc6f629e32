# The 30 kernels of PolyBench 4.2 (Pouchet, Yuki; https://sourceforge.net/projects/polybench), written from their definitions as loops over
# elements, in the order of its table. Sizes are symbols; scalars keep the values that PolyBench gives them.
import numpy as np
import sluice
from sluice import float64, int64

M = sluice.symbol('M')
N = sluice.symbol('N')
P = sluice.symbol('P')
Q = sluice.symbol('Q')
T = sluice.symbol('T')


@sluice.program
def correlation(data: float64[N, M], corr: float64[M, M], mean: float64[M], stddev: float64[M]):
    for j in range(M):
        mean[j] = 0.0
        for i in range(N):
            mean[j] += data[i, j]
        mean[j] /= N
    for j in range(M):
        stddev[j] = 0.0
        for i in range(N):
            stddev[j] += (data[i, j] - mean[j]) * (data[i, j] - mean[j])
        stddev[j] = np.sqrt(stddev[j] / N)
        stddev[j] = 1.0 if stddev[j] <= 0.1 else stddev[j]
    for i in range(N):
        for j in range(M):
            data[i, j] = (data[i, j] - mean[j]) / (np.sqrt(1.0 * N) * stddev[j])
    for i in range(M - 1):
        corr[i, i] = 1.0
        for j in range(i + 1, M):
            corr[i, j] = 0.0
            for k in range(N):
                corr[i, j] += data[k, i] * data[k, j]
            corr[j, i] = corr[i, j]
    corr[M - 1, M - 1] = 1.0


@sluice.program
def covariance(data: float64[N, M], cov: float64[M, M], mean: float64[M]):
    for j in range(M):
        mean[j] = 0.0
        for i in range(N):
            mean[j] += data[i, j]
        mean[j] /= N
    for i in range(N):
        for j in range(M):
            data[i, j] -= mean[j]
    for i in range(M):
        for j in range(i, M):
            cov[i, j] = 0.0
            for k in range(N):
                cov[i, j] += data[k, i] * data[k, j]
            cov[i, j] /= N - 1.0
            cov[j, i] = cov[i, j]


@sluice.program
def gemm(C: float64[N, M], A: float64[N, P], B: float64[P, M], alpha: float64, beta: float64):
    for i in range(N):
        for j in range(M):
            C[i, j] *= beta
        for k in range(P):
            for j in range(M):
                C[i, j] += alpha * A[i, k] * B[k, j]


@sluice.program
def gemver(A: float64[N, N], u1: float64[N], v1: float64[N], u2: float64[N], v2: float64[N], w: float64[N], x: float64[N],
           y: float64[N], z: float64[N], alpha: float64, beta: float64):
    for i in range(N):
        for j in range(N):
            A[i, j] = A[i, j] + u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(N):
        for j in range(N):
            x[i] = x[i] + beta * A[j, i] * y[j]
    for i in range(N):
        x[i] = x[i] + z[i]
    for i in range(N):
        for j in range(N):
            w[i] = w[i] + alpha * A[i, j] * x[j]


@sluice.program
def gesummv(A: float64[N, N], B: float64[N, N], tmp: float64[N], x: float64[N], y: float64[N], alpha: float64, beta: float64):
    for i in range(N):
        tmp[i] = 0.0
        y[i] = 0.0
        for j in range(N):
            tmp[i] = A[i, j] * x[j] + tmp[i]
            y[i] = B[i, j] * x[j] + y[i]
        y[i] = alpha * tmp[i] + beta * y[i]


@sluice.program
def symm(C: float64[M, N], A: float64[M, M], B: float64[M, N], alpha: float64, beta: float64):
    for i in range(M):
        for j in range(N):
            temp2 = 0.0
            for k in range(i):
                C[k, j] += alpha * B[i, j] * A[i, k]
                temp2 += B[k, j] * A[i, k]
            C[i, j] = beta * C[i, j] + alpha * B[i, j] * A[i, i] + alpha * temp2


@sluice.program
def syr2k(C: float64[N, N], A: float64[N, M], B: float64[N, M], alpha: float64, beta: float64):
    for i in range(N):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(M):
            for j in range(i + 1):
                C[i, j] += A[j, k] * alpha * B[i, k] + B[j, k] * alpha * A[i, k]


@sluice.program
def syrk(C: float64[N, N], A: float64[N, M], alpha: float64, beta: float64):
    for i in range(N):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(M):
            for j in range(i + 1):
                C[i, j] += alpha * A[i, k] * A[j, k]


@sluice.program
def trmm(A: float64[M, M], B: float64[M, N], alpha: float64):
    for i in range(M):
        for j in range(N):
            for k in range(i + 1, M):
                B[i, j] += A[k, i] * B[k, j]
            B[i, j] = alpha * B[i, j]


@sluice.program
def k2mm(tmp: float64[N, M], A: float64[N, P], B: float64[P, M], C: float64[M, Q], D: float64[N, Q], alpha: float64, beta: float64):
    for i in range(N):
        for j in range(M):
            tmp[i, j] = 0.0
            for k in range(P):
                tmp[i, j] += alpha * A[i, k] * B[k, j]
    for i in range(N):
        for j in range(Q):
            D[i, j] *= beta
            for k in range(M):
                D[i, j] += tmp[i, k] * C[k, j]


@sluice.program
def k3mm(E: float64[N, M], A: float64[N, P], B: float64[P, M], F: float64[M, Q], C: float64[M, T], D: float64[T, Q], G: float64[N, Q]):
    for i in range(N):
        for j in range(M):
            E[i, j] = 0.0
            for k in range(P):
                E[i, j] += A[i, k] * B[k, j]
    for i in range(M):
        for j in range(Q):
            F[i, j] = 0.0
            for k in range(T):
                F[i, j] += C[i, k] * D[k, j]
    for i in range(N):
        for j in range(Q):
            G[i, j] = 0.0
            for k in range(M):
                G[i, j] += E[i, k] * F[k, j]


@sluice.program
def atax(A: float64[M, N], x: float64[N], y: float64[N], tmp: float64[M]):
    for i in range(N):
        y[i] = 0.0
    for i in range(M):
        tmp[i] = 0.0
        for j in range(N):
            tmp[i] = tmp[i] + A[i, j] * x[j]
        for j in range(N):
            y[j] = y[j] + A[i, j] * tmp[i]


@sluice.program
def bicg(A: float64[N, M], s: float64[M], q: float64[N], p: float64[M], r: float64[N]):
    for i in range(M):
        s[i] = 0.0
    for i in range(N):
        q[i] = 0.0
        for j in range(M):
            s[j] = s[j] + r[i] * A[i, j]
            q[i] = q[i] + A[i, j] * p[j]


@sluice.program
def doitgen(A: float64[N, Q, P], C4: float64[P, P], sum: float64[P]):
    for r in range(N):
        for q in range(Q):
            for p in range(P):
                sum[p] = 0.0
                for s in range(P):
                    sum[p] += A[r, q, s] * C4[s, p]
            for p in range(P):
                A[r, q, p] = sum[p]


@sluice.program
def mvt(A: float64[N, N], x1: float64[N], x2: float64[N], y1: float64[N], y2: float64[N]):
    for i in range(N):
        for j in range(N):
            x1[i] = x1[i] + A[i, j] * y1[j]
    for i in range(N):
        for j in range(N):
            x2[i] = x2[i] + A[j, i] * y2[j]


@sluice.program
def cholesky(A: float64[N, N]):
    for i in range(N):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
        for k in range(i):
            A[i, i] -= A[i, k] * A[i, k]
        A[i, i] = np.sqrt(A[i, i])


@sluice.program
def durbin(r: float64[N], y: float64[N], z: float64[N]):
    y[0] = -r[0]
    beta = 1.0
    alpha = -r[0]
    for k in range(1, N):
        beta = (1.0 - alpha * alpha) * beta
        sum = 0.0
        for i in range(k):
            sum += r[k - i - 1] * y[i]
        alpha = -(r[k] + sum) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha


@sluice.program
def gramschmidt(A: float64[M, N], R: float64[N, N], Q_: float64[M, N]):
    for k in range(N):
        nrm = 0.0
        for i in range(M):
            nrm += A[i, k] * A[i, k]
        R[k, k] = np.sqrt(nrm)
        for i in range(M):
            Q_[i, k] = A[i, k] / R[k, k]
        for j in range(k + 1, N):
            R[k, j] = 0.0
            for i in range(M):
                R[k, j] += Q_[i, k] * A[i, j]
            for i in range(M):
                A[i, j] = A[i, j] - Q_[i, k] * R[k, j]


@sluice.program
def lu(A: float64[N, N]):
    for i in range(N):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[k, j]
            A[i, j] /= A[j, j]
        for j in range(i, N):
            for k in range(i):
                A[i, j] -= A[i, k] * A[k, j]


@sluice.program
def ludcmp(A: float64[N, N], b: float64[N], x: float64[N], y: float64[N]):
    for i in range(N):
        for j in range(i):
            w = A[i, j]
            for k in range(j):
                w -= A[i, k] * A[k, j]
            A[i, j] = w / A[j, j]
        for j in range(i, N):
            w = A[i, j]
            for k in range(i):
                w -= A[i, k] * A[k, j]
            A[i, j] = w
    for i in range(N):
        w = b[i]
        for j in range(i):
            w -= A[i, j] * y[j]
        y[i] = w
    for i in range(N - 1, -1, -1):
        w = y[i]
        for j in range(i + 1, N):
            w -= A[i, j] * x[j]
        x[i] = w / A[i, i]


@sluice.program
def trisolv(L: float64[N, N], x: float64[N], b: float64[N]):
    for i in range(N):
        x[i] = b[i]
        for j in range(i):
            x[i] -= L[i, j] * x[j]
        x[i] = x[i] / L[i, i]


@sluice.program
def deriche(img_in: float64[M, N], img_out: float64[M, N], y1: float64[M, N], y2: float64[M, N], a1: float64, a2: float64, a3: float64,
            a4: float64, b1: float64, b2: float64):
    for i in range(M):
        ym1 = 0.0
        ym2 = 0.0
        xm1 = 0.0
        for j in range(N):
            y1[i, j] = a1 * img_in[i, j] + a2 * xm1 + b1 * ym1 + b2 * ym2
            xm1 = img_in[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    for i in range(M):
        yp1 = 0.0
        yp2 = 0.0
        xp1 = 0.0
        xp2 = 0.0
        for j in range(N - 1, -1, -1):
            y2[i, j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2
            xp2 = xp1
            xp1 = img_in[i, j]
            yp2 = yp1
            yp1 = y2[i, j]
    for i in range(M):
        for j in range(N):
            img_out[i, j] = y1[i, j] + y2[i, j]
    for j in range(N):
        tm1 = 0.0
        ym1 = 0.0
        ym2 = 0.0
        for i in range(M):
            y1[i, j] = a1 * img_out[i, j] + a2 * tm1 + b1 * ym1 + b2 * ym2
            tm1 = img_out[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    for j in range(N):
        tp1 = 0.0
        tp2 = 0.0
        yp1 = 0.0
        yp2 = 0.0
        for i in range(M - 1, -1, -1):
            y2[i, j] = a3 * tp1 + a4 * tp2 + b1 * yp1 + b2 * yp2
            tp2 = tp1
            tp1 = img_out[i, j]
            yp2 = yp1
            yp1 = y2[i, j]
    for i in range(M):
        for j in range(N):
            img_out[i, j] = y1[i, j] + y2[i, j]


@sluice.program
def floyd_warshall(path: float64[N, N]):
    for k in range(N):
        for i in range(N):
            for j in range(N):
                path[i, j] = min(path[i, j], path[i, k] + path[k, j])


@sluice.program
def nussinov(table: float64[N, N], seq: int64[N]):
    for i in range(N - 1, -1, -1):
        for j in range(i + 1, N):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < N:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < N:
                if i < j - 1:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1] + (1.0 if seq[i] + seq[j] == 3 else 0.0))
                else:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])


@sluice.program
def adi(u: float64[N, N], v: float64[N, N], p: float64[N, N], q: float64[N, N], a: float64, b: float64, c: float64, d: float64,
        e: float64, f: float64):
    for t in range(1, T + 1):
        for i in range(1, N - 1):
            v[0, i] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = v[0, i]
            for j in range(1, N - 1):
                p[i, j] = -c / (a * p[i, j - 1] + b)
                q[i, j] = (-d * u[j, i - 1] + (1.0 + 2.0 * d) * u[j, i] - f * u[j, i + 1] - a * q[i, j - 1]) / (a * p[i, j - 1] + b)
            v[N - 1, i] = 1.0
            for j in range(N - 2, 0, -1):
                v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]
        for i in range(1, N - 1):
            u[i, 0] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = u[i, 0]
            for j in range(1, N - 1):
                p[i, j] = -f / (d * p[i, j - 1] + e)
                q[i, j] = (-a * v[i - 1, j] + (1.0 + 2.0 * a) * v[i, j] - c * v[i + 1, j] - d * q[i, j - 1]) / (d * p[i, j - 1] + e)
            u[i, N - 1] = 1.0
            for j in range(N - 2, 0, -1):
                u[i, j] = p[i, j] * u[i, j + 1] + q[i, j]


@sluice.program
def fdtd_2d(ex: float64[M, N], ey: float64[M, N], hz: float64[M, N], fict: float64[T]):
    for t in range(T):
        for j in range(N):
            ey[0, j] = fict[t]
        for i in range(1, M):
            for j in range(N):
                ey[i, j] = ey[i, j] - 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in range(M):
            for j in range(1, N):
                ex[i, j] = ex[i, j] - 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in range(M - 1):
            for j in range(N - 1):
                hz[i, j] = hz[i, j] - 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


@sluice.program
def heat_3d(A: float64[N, N, N], B: float64[N, N, N]):
    for t in range(1, T + 1):
        B[1:-1, 1:-1, 1:-1] = (0.125 * (A[2:, 1:-1, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[:-2, 1:-1, 1:-1]) +
                               0.125 * (A[1:-1, 2:, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, :-2, 1:-1]) +
                               0.125 * (A[1:-1, 1:-1, 2:] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, 1:-1, :-2]) + A[1:-1, 1:-1, 1:-1])
        A[1:-1, 1:-1, 1:-1] = (0.125 * (B[2:, 1:-1, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[:-2, 1:-1, 1:-1]) +
                               0.125 * (B[1:-1, 2:, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, :-2, 1:-1]) +
                               0.125 * (B[1:-1, 1:-1, 2:] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, 1:-1, :-2]) + B[1:-1, 1:-1, 1:-1])


@sluice.program
def jacobi_1d(A: float64[N], B: float64[N]):
    for t in range(T):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])


@sluice.program
def jacobi_2d(A: float64[N, N], B: float64[N, N]):
    for t in range(T):
        for i in range(1, N - 1):
            for j in range(1, N - 1):
                B[i, j] = 0.2 * (A[i, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j] + A[i - 1, j])
        for i in range(1, N - 1):
            for j in range(1, N - 1):
                A[i, j] = 0.2 * (B[i, j] + B[i, j - 1] + B[i, j + 1] + B[i + 1, j] + B[i - 1, j])


@sluice.program
def seidel_2d(A: float64[N, N]):
    for t in range(T):
        for i in range(1, N - 1):
            for j in range(1, N - 1):
                A[i, j] = (A[i - 1, j - 1] + A[i - 1, j] + A[i - 1, j + 1] + A[i, j - 1] + A[i, j] + A[i, j + 1] + A[i + 1, j - 1] +
                           A[i + 1, j] + A[i + 1, j + 1]) / 9.0
