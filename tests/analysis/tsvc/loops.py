"""What the loops of the TSVC benchmark (Callahan, Dongarra, Levine, "Vectorizing compilers: a test suite and results", 1988; C version
by Maleki et al., 2011) compute, as programs of our own. The names are the suite's; every loop of every program is judged."""
import numpy as np
import sluice

N = sluice.symbol('N')
K = sluice.symbol('K')
Row = sluice.float64[N]
Matrix = sluice.float64[N, N]
Index = sluice.int64[N]


@sluice.program
def s000(a: Row, b: Row):
    for i in range(N):
        a[i] = b[i] + 1


@sluice.program
def s111(a: Row, b: Row):
    for i in range(1, N, 2):
        a[i] = a[i - 1] + b[i]


@sluice.program
def s1111(a: Row, b: Row, c: Row, d: Row):
    for i in range(N // 2):
        a[2 * i] = c[i] * b[i] + d[i] * b[i] + c[i] * c[i] + d[i] * b[i] + d[i] * c[i]


@sluice.program
def s112(a: Row, b: Row):
    for i in range(N - 2, -1, -1):
        a[i + 1] = a[i] + b[i]


@sluice.program
def s1112(a: Row, b: Row):
    for i in range(N - 1, -1, -1):
        a[i] = b[i] + 1.0


@sluice.program
def s113(a: Row, b: Row):
    for i in range(1, N):
        a[i] = a[0] + b[i]


@sluice.program
def s1113(a: Row, b: Row):
    for i in range(N):
        a[i] = a[N // 2] + b[i]


@sluice.program
def s114(aa: Matrix, bb: Matrix):
    for i in range(N):
        for j in range(i):
            aa[i, j] = aa[j, i] + bb[i, j]


@sluice.program
def s115(a: Row, aa: Matrix):
    for j in range(N):
        for i in range(j + 1, N):
            a[i] = a[i] - aa[j, i] * a[j]


@sluice.program
def s1115(aa: Matrix, bb: Matrix, cc: Matrix):
    for i in range(N):
        for j in range(N):
            aa[i, j] = aa[i, j] * cc[j, i] + bb[i, j]


@sluice.program
def s116(a: Row):
    for i in range(0, N - 5, 5):
        a[i] = a[i + 1] * a[i]
        a[i + 1] = a[i + 2] * a[i + 1]
        a[i + 2] = a[i + 3] * a[i + 2]
        a[i + 3] = a[i + 4] * a[i + 3]
        a[i + 4] = a[i + 5] * a[i + 4]


@sluice.program
def s118(a: Row, bb: Matrix):
    for i in range(1, N):
        for j in range(i):
            a[i] = a[i] + bb[j, i] * a[i - j - 1]


@sluice.program
def s119(aa: Matrix, bb: Matrix):
    for i in range(1, N):
        for j in range(1, N):
            aa[i, j] = aa[i - 1, j - 1] + bb[i, j]


@sluice.program
def s1119(aa: Matrix, bb: Matrix):
    for i in range(1, N):
        for j in range(N):
            aa[i, j] = aa[i - 1, j] + bb[i, j]


@sluice.program
def s121(a: Row, b: Row):
    for i in range(N - 1):
        j = i + 1
        a[i] = a[j] + b[i]


@sluice.program
def s122(a: Row, b: Row):
    k = 0
    for i in range(1, N):
        k = k + 1
        a[i] = a[i] + b[N - k]


@sluice.program
def s123(a: Row, b: Row, c: Row, d: Row, e: Row):
    j = -1
    for i in range(N // 2):
        j = j + 1
        a[j] = b[i] + d[i] * e[i]
        if c[i] > 0.0:
            j = j + 1
            a[j] = c[i] + d[i] * e[i]


@sluice.program
def s124(a: Row, b: Row, c: Row, d: Row, e: Row):
    j = -1
    for i in range(N):
        if b[i] > 0.0:
            j = j + 1
            a[j] = b[i] + d[i] * e[i]
        else:
            j = j + 1
            a[j] = c[i] + d[i] * e[i]


@sluice.program
def s125(x: sluice.float64[N * N], aa: Matrix, bb: Matrix, cc: Matrix):
    k = -1
    for i in range(N):
        for j in range(N):
            k = k + 1
            x[k] = aa[i, j] + bb[i, j] * cc[i, j]


@sluice.program
def s126(bb: Matrix, x: sluice.float64[N * N + N + 1], cc: Matrix):
    k = 1
    for i in range(N):
        for j in range(1, N):
            bb[j, i] = bb[j - 1, i] + x[k - 1] * cc[j, i]
            k = k + 1
        k = k + 1


@sluice.program
def s127(a: Row, b: Row, c: Row, d: Row, e: Row):
    j = -1
    for i in range(N // 2):
        j = j + 1
        a[j] = b[i] + c[i] * d[i]
        j = j + 1
        a[j] = b[i] + d[i] * e[i]


@sluice.program
def s128(a: Row, b: Row, c: Row, d: Row):
    j = -1
    for i in range(N // 2):
        k = j + 1
        a[i] = b[k] - d[i]
        j = k + 1
        b[k] = a[i] + c[k]


@sluice.program
def s131(a: Row, b: Row):
    m = 1
    for i in range(N - 1):
        a[i] = a[i + m] + b[i]


@sluice.program
def s132(aa: Matrix, b: Row, c: Row):
    for i in range(1, N):
        aa[0, i] = aa[N - 1, i - 1] + b[i] * c[0]


@sluice.program
def s141(x: sluice.float64[N * N], bb: Matrix):
    for i in range(N):
        k = (i + 1) * i // 2 + i
        for j in range(i, N):
            x[k] = x[k] + bb[j, i]
            k = k + j + 1


@sluice.program
def s151(a: Row, b: Row):
    for i in range(N - 1):
        a[i] = a[i + 1] + b[i]


@sluice.program
def s152(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N):
        b[i] = d[i] * e[i]
        a[i] = a[i] + b[i] * c[i]


@sluice.program
def s161(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N - 1):
        if b[i] < 0.0:
            c[i + 1] = a[i] + d[i] * d[i]
        else:
            a[i] = c[i] + d[i] * e[i]


@sluice.program
def s1161(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N - 1):
        if c[i] < 0.0:
            b[i] = a[i] + d[i] * d[i]
        else:
            a[i] = c[i] + d[i] * e[i]


@sluice.program
def s162(a: sluice.float64[N + K], b: sluice.float64[N + K], c: sluice.float64[N + K]):
    for i in range(N - 1):
        a[i] = a[i + K] + b[i] * c[i]


@sluice.program
def s171(a: sluice.float64[4 * N], b: Row):
    for i in range(N):
        a[i * 3] = a[i * 3] + b[i]


@sluice.program
def s172(a: Row, b: Row):
    for i in range(0, N, 3):
        a[i] = a[i] + b[i]


@sluice.program
def s173(a: Row, b: Row):
    for i in range(N // 2):
        a[i + N // 2] = a[i] + b[i]


@sluice.program
def s174(a: sluice.float64[2 * K], b: sluice.float64[K]):
    for i in range(K):
        a[i + K] = a[i] + b[i]


@sluice.program
def s175(a: Row, b: Row):
    for i in range(0, N - 2, 2):
        a[i] = a[i + 2] + b[i]


@sluice.program
def s176(a: Row, b: Row, c: Row):
    for j in range(N // 2):
        for i in range(N // 2):
            a[i] = a[i] + b[i + N // 2 - j - 1] * c[j]


@sluice.program
def s211(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(1, N - 1):
        a[i] = b[i - 1] + c[i] * d[i]
        b[i] = b[i + 1] - e[i] * d[i]


@sluice.program
def s212(a: Row, b: Row, c: Row, d: Row):
    for i in range(N - 1):
        a[i] = a[i] * c[i]
        b[i] = b[i] + a[i + 1] * d[i]


@sluice.program
def s1213(a: Row, b: Row, c: Row, d: Row):
    for i in range(1, N - 1):
        a[i] = b[i - 1] + c[i]
        b[i] = a[i + 1] * d[i]


@sluice.program
def s221(a: Row, b: Row, c: Row, d: Row):
    for i in range(1, N):
        a[i] = a[i] + c[i] * d[i]
        b[i] = b[i - 1] + a[i] + d[i]


@sluice.program
def s1221(a: Row, b: Row):
    for i in range(4, N):
        b[i] = b[i - 4] + a[i]


@sluice.program
def s222(a: Row, b: Row, c: Row, e: Row):
    for i in range(1, N):
        a[i] = a[i] + b[i] * c[i]
        e[i] = e[i - 1] * e[i - 1]
        a[i] = a[i] - b[i] * c[i]


@sluice.program
def s231(aa: Matrix, bb: Matrix):
    for i in range(N):
        for j in range(1, N):
            aa[j, i] = aa[j - 1, i] + bb[j, i]


@sluice.program
def s232(aa: Matrix, bb: Matrix):
    for j in range(1, N):
        for i in range(1, j + 1):
            aa[j, i] = aa[j, i - 1] * aa[j, i - 1] + bb[j, i]


@sluice.program
def s1232(aa: Matrix, bb: Matrix, cc: Matrix):
    for j in range(N):
        for i in range(j, N):
            aa[i, j] = bb[i, j] + cc[i, j]


@sluice.program
def s233(aa: Matrix, bb: Matrix, cc: Matrix):
    for i in range(1, N):
        for j in range(1, N):
            aa[j, i] = aa[j - 1, i] + cc[j, i]
        for j in range(1, N):
            bb[j, i] = bb[j, i - 1] + cc[j, i]


@sluice.program
def s2233(aa: Matrix, bb: Matrix, cc: Matrix):
    for i in range(1, N):
        for j in range(1, N):
            aa[j, i] = aa[j - 1, i] + cc[j, i]
        for j in range(1, N):
            bb[i, j] = bb[i - 1, j] + cc[i, j]


@sluice.program
def s235(a: Row, b: Row, c: Row, aa: Matrix, bb: Matrix):
    for i in range(N):
        a[i] = a[i] + b[i] * c[i]
        for j in range(1, N):
            aa[j, i] = aa[j - 1, i] + bb[j, i] * a[i]


@sluice.program
def s241(a: Row, b: Row, c: Row, d: Row):
    for i in range(N - 1):
        a[i] = b[i] * c[i] * d[i]
        b[i] = a[i] * a[i + 1] * d[i]


@sluice.program
def s242(a: Row, b: Row, c: Row, d: Row):
    for i in range(1, N):
        a[i] = a[i - 1] + 0.5 + 1.0 + b[i] + c[i] + d[i]


@sluice.program
def s243(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N - 1):
        a[i] = b[i] + c[i] * d[i]
        b[i] = a[i] + d[i] * e[i]
        a[i] = b[i] + a[i + 1] * d[i]


@sluice.program
def s244(a: Row, b: Row, c: Row, d: Row):
    for i in range(N - 1):
        a[i] = b[i] + c[i] * d[i]
        b[i] = c[i] + b[i]
        a[i + 1] = b[i] + a[i + 1] * d[i]


@sluice.program
def s1244(a: Row, b: Row, c: Row, d: Row):
    for i in range(N - 1):
        a[i] = b[i] + c[i] * c[i] + b[i] * b[i] + c[i]
        d[i] = a[i] + a[i + 1]


@sluice.program
def s2244(a: Row, b: Row, c: Row, e: Row):
    for i in range(N - 1):
        a[i + 1] = b[i] + e[i]
        a[i] = b[i] + c[i]


@sluice.program
def s251(a: Row, b: Row, c: Row, d: Row):
    for i in range(N):
        s = b[i] + c[i] * d[i]
        a[i] = s * s


@sluice.program
def s1251(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N):
        s = b[i] + c[i]
        b[i] = a[i] + d[i]
        a[i] = s * e[i]


@sluice.program
def s2251(a: Row, b: Row, c: Row, d: Row, e: Row):
    s = 0.0
    for i in range(N):
        a[i] = s * e[i]
        s = b[i] + c[i]
        b[i] = a[i] + d[i]


@sluice.program
def s3251(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N - 1):
        a[i + 1] = b[i] + c[i]
        b[i] = c[i] * e[i]
        d[i] = a[i] * e[i]


@sluice.program
def s252(a: Row, b: Row, c: Row):
    t = 0.0
    for i in range(N):
        s = b[i] * c[i]
        a[i] = s + t
        t = s


@sluice.program
def s253(a: Row, b: Row, c: Row, d: Row):
    for i in range(N):
        if a[i] > b[i]:
            s = a[i] - b[i] * d[i]
            c[i] = c[i] + s
            a[i] = s


@sluice.program
def s254(a: Row, b: Row):
    x = b[N - 1]
    for i in range(N):
        a[i] = (b[i] + x) * 0.5
        x = b[i]


@sluice.program
def s255(a: Row, b: Row):
    x = b[N - 1]
    y = b[0]
    for i in range(N):
        a[i] = (b[i] + x + y) * 0.333
        y = x
        x = b[i]


@sluice.program
def s256(a: Row, aa: Matrix, bb: Matrix, d: Row):
    for i in range(N):
        for j in range(1, N):
            a[j] = 1.0 - a[j - 1]
            aa[j, i] = a[j] + bb[j, i] * d[j]


@sluice.program
def s257(a: Row, aa: Matrix, bb: Matrix):
    for i in range(1, N):
        for j in range(N):
            a[i] = aa[j, i] - a[i - 1]
            aa[j, i] = a[i] + bb[j, i]


@sluice.program
def s258(a: Row, b: Row, c: Row, d: Row, e: Row, aa: Matrix):
    s = 0.0
    for i in range(N):
        if a[i] > 0.0:
            s = d[i] * d[i]
        b[i] = s * c[i] + d[i]
        e[i] = (s + 1.0) * aa[0, i]


@sluice.program
def s261(a: Row, b: Row, c: Row, d: Row):
    for i in range(1, N):
        t = a[i] + b[i]
        a[i] = t + c[i - 1]
        t = c[i] * d[i]
        c[i] = t


@sluice.program
def s271(a: Row, b: Row, c: Row):
    for i in range(N):
        if b[i] > 0.0:
            a[i] = a[i] + b[i] * c[i]


@sluice.program
def s272(a: Row, b: Row, c: Row, d: Row, e: Row, t: sluice.float64):
    for i in range(N):
        if e[i] >= t:
            a[i] = a[i] + c[i] * d[i]
            b[i] = b[i] + c[i] * c[i]


@sluice.program
def s273(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N):
        a[i] = a[i] + d[i] * e[i]
        if a[i] < 0.0:
            b[i] = b[i] + d[i] * e[i]
        c[i] = c[i] + a[i] * d[i]


@sluice.program
def s274(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N):
        a[i] = c[i] + e[i] * d[i]
        if a[i] > 0.0:
            b[i] = a[i] + b[i]
        else:
            a[i] = d[i] * e[i]


@sluice.program
def s275(aa: Matrix, bb: Matrix, cc: Matrix):
    for i in range(N):
        if aa[0, i] > 0.0:
            for j in range(1, N):
                aa[j, i] = aa[j - 1, i] + bb[j, i] * cc[j, i]


@sluice.program
def s2275(a: Row, b: Row, c: Row, d: Row, aa: Matrix, bb: Matrix, cc: Matrix):
    for i in range(N):
        for j in range(N):
            aa[j, i] = aa[j, i] + bb[j, i] * cc[j, i]
        a[i] = b[i] + c[i] * d[i]


@sluice.program
def s276(a: Row, b: Row, c: Row, d: Row):
    mid = N // 2
    for i in range(N):
        if i + 1 < mid:
            a[i] = a[i] + b[i] * c[i]
        else:
            a[i] = a[i] + b[i] * d[i]


@sluice.program
def s277(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N - 1):
        if a[i] < 0.0:
            if b[i] < 0.0:
                a[i] = a[i] + c[i] * d[i]
            b[i + 1] = c[i] + d[i] * e[i]


@sluice.program
def s278(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N):
        if a[i] > 0.0:
            c[i] = -c[i] + d[i] * e[i]
        else:
            b[i] = -b[i] + d[i] * e[i]
        a[i] = b[i] + c[i] * d[i]


@sluice.program
def s279(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N):
        if a[i] > 0.0:
            c[i] = -c[i] + e[i] * e[i]
        else:
            b[i] = -b[i] + d[i] * d[i]
            if b[i] <= a[i]:
                c[i] = c[i] + d[i] * e[i]
        a[i] = b[i] + c[i] * d[i]


@sluice.program
def s1279(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N):
        if a[i] < 0.0:
            if b[i] > a[i]:
                c[i] = c[i] + d[i] * e[i]


@sluice.program
def s2710(a: Row, b: Row, c: Row, d: Row, e: Row, x: sluice.float64):
    for i in range(N):
        if a[i] > b[i]:
            a[i] = a[i] + b[i] * d[i]
            if N > 10:
                c[i] = c[i] + d[i] * d[i]
            else:
                c[i] = d[i] * e[i] + 1.0
        else:
            b[i] = a[i] + e[i] * e[i]
            if x > 0.0:
                c[i] = a[i] + d[i] * d[i]
            else:
                c[i] = c[i] + e[i] * e[i]


@sluice.program
def s2711(a: Row, b: Row, c: Row):
    for i in range(N):
        if b[i] != 0.0:
            a[i] = a[i] + b[i] * c[i]


@sluice.program
def s2712(a: Row, b: Row, c: Row):
    for i in range(N):
        if a[i] > b[i]:
            a[i] = a[i] + b[i] * c[i]


@sluice.program
def s281(a: Row, b: Row, c: Row):
    for i in range(N):
        x = a[N - i - 1] + b[i] * c[i]
        a[i] = x - 1.0
        b[i] = x


@sluice.program
def s1281(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(N):
        x = b[i] * c[i] + a[i] * d[i] + e[i]
        a[i] = x - 1.0
        b[i] = x


@sluice.program
def s291(a: Row, b: Row):
    m = N - 1
    for i in range(N):
        a[i] = (b[i] + b[m]) * 0.5
        m = i


@sluice.program
def s292(a: Row, b: Row):
    m = N - 1
    m2 = N - 2
    for i in range(N):
        a[i] = (b[i] + b[m] + b[m2]) * 0.333
        m2 = m
        m = i


@sluice.program
def s293(a: Row):
    for i in range(N):
        a[i] = a[0]


@sluice.program
def s2101(aa: Matrix, bb: Matrix, cc: Matrix):
    for i in range(N):
        aa[i, i] = aa[i, i] + bb[i, i] * cc[i, i]


@sluice.program
def s2102(aa: Matrix):
    for i in range(N):
        for j in range(N):
            aa[j, i] = 0.0
        aa[i, i] = 1.0


@sluice.program
def s2111(aa: Matrix):
    for j in range(1, N):
        for i in range(1, N):
            aa[j, i] = (aa[j, i - 1] + aa[j - 1, i]) / 1.9


@sluice.program
def s311(a: Row, out: sluice.float64[1]):
    s = 0.0
    for i in range(N):
        s = s + a[i]
    out[0] = s


@sluice.program
def s31111(a: Row, out: sluice.float64[1]):
    s = 0.0
    for i in range(0, N - 3, 4):
        t = 0.0
        for j in range(4):
            t = t + a[i + j]
        s = s + t
    out[0] = s


@sluice.program
def s312(a: Row, out: sluice.float64[1]):
    p = 1.0
    for i in range(N):
        p = p * a[i]
    out[0] = p


@sluice.program
def s313(a: Row, b: Row, out: sluice.float64[1]):
    s = 0.0
    for i in range(N):
        s = s + a[i] * b[i]
    out[0] = s


@sluice.program
def s314(a: Row, out: sluice.float64[1]):
    x = a[0]
    for i in range(N):
        if a[i] > x:
            x = a[i]
    out[0] = x


@sluice.program
def s315(a: Row, out: sluice.float64[2]):
    x = a[0]
    at = 0
    for i in range(N):
        if a[i] > x:
            x = a[i]
            at = i
    out[0] = x
    out[1] = at


@sluice.program
def s317(out: sluice.float64[1]):
    q = 1.0
    for i in range(N // 2):
        q = q * 0.99
    out[0] = q


@sluice.program
def s318(a: sluice.float64[4 * N], out: sluice.float64[1]):
    k = 0
    x = abs(a[0])
    k = k + 3
    for i in range(1, N):
        if abs(a[k]) > x:
            x = abs(a[k])
        k = k + 3
    out[0] = x


@sluice.program
def s319(a: Row, b: Row, c: Row, d: Row, e: Row, out: sluice.float64[1]):
    s = 0.0
    for i in range(N):
        a[i] = c[i] + d[i]
        s = s + a[i]
        b[i] = c[i] + e[i]
        s = s + b[i]
    out[0] = s


@sluice.program
def s3110(aa: Matrix, out: sluice.float64[1]):
    x = aa[0, 0]
    for i in range(N):
        for j in range(N):
            if aa[i, j] > x:
                x = aa[i, j]
    out[0] = x


@sluice.program
def s3112(a: Row, b: Row):
    s = 0.0
    for i in range(N):
        s = s + a[i]
        b[i] = s


@sluice.program
def s321(a: Row, b: Row):
    for i in range(1, N):
        a[i] = a[i] + a[i - 1] * b[i]


@sluice.program
def s322(a: Row, b: Row, c: Row):
    for i in range(2, N):
        a[i] = a[i] + a[i - 1] * b[i] + a[i - 2] * c[i]


@sluice.program
def s323(a: Row, b: Row, c: Row, d: Row, e: Row):
    for i in range(1, N):
        a[i] = b[i - 1] + c[i] * d[i]
        b[i] = a[i] + c[i] * e[i]


@sluice.program
def s331(a: Row, out: sluice.float64[1]):
    j = -1
    for i in range(N):
        if a[i] < 0.0:
            j = i
    out[0] = j


@sluice.program
def s332(a: Row, t: sluice.float64, out: sluice.float64[2]):
    out[0] = -2.0
    for i in range(N):
        if a[i] > t:
            out[0] = i
            out[1] = a[i]
            break


@sluice.program
def s341(a: Row, b: Row):
    j = -1
    for i in range(N):
        if b[i] > 0.0:
            j = j + 1
            a[j] = b[i]


@sluice.program
def s342(a: Row, b: Row):
    j = -1
    for i in range(N):
        if a[i] > 0.0:
            j = j + 1
            a[i] = b[j]


@sluice.program
def s343(x: sluice.float64[N * N], aa: Matrix, bb: Matrix):
    k = -1
    for i in range(N):
        for j in range(N):
            if bb[j, i] > 0.0:
                k = k + 1
                x[k] = aa[j, i]


@sluice.program
def s351(a: Row, b: Row, c: sluice.float64[1]):
    for i in range(0, N - 4, 5):
        a[i] = a[i] + c[0] * b[i]
        a[i + 1] = a[i + 1] + c[0] * b[i + 1]
        a[i + 2] = a[i + 2] + c[0] * b[i + 2]
        a[i + 3] = a[i + 3] + c[0] * b[i + 3]
        a[i + 4] = a[i + 4] + c[0] * b[i + 4]


@sluice.program
def s1351(a: Row, b: Row, c: Row):
    for i in range(N):
        a[i] = b[i] + c[i]


@sluice.program
def s352(a: Row, b: Row, out: sluice.float64[1]):
    s = 0.0
    for i in range(0, N - 4, 5):
        s = s + a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3] + a[i + 4] * b[i + 4]
    out[0] = s


@sluice.program
def s353(a: Row, b: Row, ip: Index):
    for i in range(0, N - 1, 2):
        a[i] = a[i] + b[ip[i]]
        a[i + 1] = a[i + 1] + b[ip[i + 1]]


@sluice.program
def s421(x: sluice.float64[N + 1], a: Row):
    for i in range(N):
        x[i] = x[i + 1] + a[i]


@sluice.program
def s1421(b: Row, a: Row):
    for i in range(N // 2):
        b[i] = b[N // 2 + i] + a[i]


@sluice.program
def s422(x: sluice.float64[N + 8], a: Row):
    for i in range(N):
        x[i + 4] = x[i + 8] + a[i]


@sluice.program
def s423(x: sluice.float64[N + 64], a: Row):
    for i in range(N - 1):
        x[i + 1] = x[i + 64] + a[i]


@sluice.program
def s424(x: sluice.float64[N + 64], a: Row):
    for i in range(N - 1):
        x[i + 64] = x[i] + a[i]


@sluice.program
def s431(a: Row, b: Row):
    for i in range(N):
        a[i] = a[i] + b[i]


@sluice.program
def s441(a: Row, b: Row, c: Row, d: Row):
    for i in range(N):
        if d[i] < 0.0:
            a[i] = a[i] + b[i] * c[i]
        elif d[i] == 0.0:
            a[i] = a[i] + b[i] * b[i]
        else:
            a[i] = a[i] + c[i] * c[i]


@sluice.program
def s442(a: Row, b: Row, c: Row, d: Row, e: Row, ip: Index):
    for i in range(N):
        if ip[i] == 0:
            a[i] = a[i] + b[i] * b[i]
        elif ip[i] == 1:
            a[i] = a[i] + c[i] * c[i]
        elif ip[i] == 2:
            a[i] = a[i] + d[i] * d[i]
        else:
            a[i] = a[i] + e[i] * e[i]


@sluice.program
def s443(a: Row, b: Row, c: Row, d: Row):
    for i in range(N):
        if d[i] <= 0.0:
            a[i] = a[i] + b[i] * c[i]
        else:
            a[i] = a[i] + b[i] * b[i]


@sluice.program
def s451(a: Row, b: Row, c: Row):
    for i in range(N):
        a[i] = np.sin(b[i]) + np.cos(c[i])


@sluice.program
def s452(a: Row, b: Row, c: Row):
    for i in range(N):
        a[i] = b[i] + c[i] * (i + 1)


@sluice.program
def s453(a: Row, b: Row):
    s = 0.0
    for i in range(N):
        s = s + 2.0
        a[i] = s * b[i]


@sluice.program
def s481(a: Row, b: Row, c: Row, d: Row):
    for i in range(N):
        if d[i] < 0.0:
            break
        a[i] = a[i] + b[i] * c[i]


@sluice.program
def s482(a: Row, b: Row, c: Row):
    for i in range(N):
        a[i] = a[i] + b[i] * c[i]
        if c[i] > b[i]:
            break


@sluice.program
def s491(a: Row, b: Row, c: Row, d: Row, ip: Index):
    for i in range(N):
        a[ip[i]] = b[i] + c[i] * d[i]


@sluice.program
def s4112(a: Row, b: Row, ip: Index):
    for i in range(N):
        a[i] = a[i] + b[ip[i]] * 2.0


@sluice.program
def s4113(a: Row, b: Row, c: Row, ip: Index):
    for i in range(N):
        a[ip[i]] = b[ip[i]] + c[i]


@sluice.program
def s4114(a: Row, b: Row, c: Row, d: Row, ip: Index):
    for i in range(N):
        k = ip[i]
        a[i] = b[i] + c[N - k - 1] * d[i]


@sluice.program
def s4115(a: Row, b: Row, ip: Index, out: sluice.float64[1]):
    s = 0.0
    for i in range(N):
        s = s + a[i] * b[ip[i]]
    out[0] = s


@sluice.program
def s4116(a: Row, aa: Matrix, ip: Index, out: sluice.float64[1]):
    s = 0.0
    for i in range(N - 1):
        s = s + a[i + 1] * aa[1, ip[i]]
    out[0] = s


@sluice.program
def s4117(a: Row, b: Row, c: Row, d: Row):
    for i in range(N):
        a[i] = b[i] + c[i // 2] * d[i]


@sluice.program
def s4121(a: Row, b: Row, c: Row):
    for i in range(N):
        a[i] = a[i] + b[i] * c[i]


@sluice.program
def va(a: Row, b: Row):
    for i in range(N):
        a[i] = b[i]


@sluice.program
def vag(a: Row, b: Row, ip: Index):
    for i in range(N):
        a[i] = b[ip[i]]


@sluice.program
def vas(a: Row, b: Row, ip: Index):
    for i in range(N):
        a[ip[i]] = b[i]


@sluice.program
def vif(a: Row, b: Row):
    for i in range(N):
        if b[i] > 0.0:
            a[i] = b[i]


@sluice.program
def vpv(a: Row, b: Row):
    for i in range(N):
        a[i] = a[i] + b[i]


@sluice.program
def vtv(a: Row, b: Row):
    for i in range(N):
        a[i] = a[i] * b[i]


@sluice.program
def vpvtv(a: Row, b: Row, c: Row):
    for i in range(N):
        a[i] = a[i] + b[i] * c[i]


@sluice.program
def vpvts(a: Row, b: Row, s: sluice.float64):
    for i in range(N):
        a[i] = a[i] + b[i] * s


@sluice.program
def vpvpv(a: Row, b: Row, c: Row):
    for i in range(N):
        a[i] = a[i] + b[i] + c[i]


@sluice.program
def vtvtv(a: Row, b: Row, c: Row):
    for i in range(N):
        a[i] = a[i] * b[i] * c[i]


@sluice.program
def vsumr(a: Row, out: sluice.float64[1]):
    s = 0.0
    for i in range(N):
        s = s + a[i]
    out[0] = s


@sluice.program
def vdotr(a: Row, b: Row, out: sluice.float64[1]):
    s = 0.0
    for i in range(N):
        s = s + a[i] * b[i]
    out[0] = s


@sluice.program
def vbor(a: Row, b: Row, c: Row, d: Row, e: Row, x: Row):
    for i in range(N):
        a1 = a[i]
        b1 = b[i]
        c1 = c[i]
        d1 = d[i]
        e1 = e[i]
        a1 = a1 * b1 * c1 + a1 * b1 * d1 + a1 * b1 * e1
        b1 = b1 * c1 * d1 + b1 * c1 * e1
        c1 = c1 * d1 * e1
        x[i] = a1 * b1 * c1 * d1
