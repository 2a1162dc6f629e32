"""Every function of NumPy with calls as programs write them: CALLS["numpy"]["median"] == ["np.median(A)", "np.median(A, axis=0)", ...]

The names in the calls are those of PARAMETERS. A name without a call computes no array of numbers (files, text, calendars, settings of NumPy), or has no
meaning for compiled code."""
import itertools
import re

import numpy as np

import sluice

PARAMETERS = {
    "A": "float64[N, M]", "x": "float64[M]", "I": "int32[N, M]", "y": "float32[M]", "b": "bool_[M]", "z": "complex128[M]", "S": "float64[M, M]", "P": "float64[M, M]",
    "T": "float64[N, M, 2]", "v": "float64[3]", "w": "float64[3]", "J": "int64[M]", "Q": "float64[N, M]", "s": "float64[M]", "u": "uint8[M]", "k": "int64", "h": "float64"}


def arguments():
    rng = np.random.default_rng(3)
    real = lambda *shape: np.round(rng.uniform(-2, 2, shape), 3)  # noqa: E731
    S = real(4, 4)
    Q = real(5, 4)
    Q[1, 2] = Q[3, 0] = np.nan
    return [real(5, 4), real(4), rng.integers(-3, 4, (5, 4)).astype(np.int32), real(4).astype(np.float32), np.array([True, False, True, True]), real(4) + 1j * real(4), S,
            S @ S.T + 4 * np.eye(4), real(5, 4, 2), real(3), real(3), np.array([2, 0, 3, 1]), Q, np.sort(real(4)), np.array([3, 200, 7, 255], dtype=np.uint8), np.int64(2), np.float64(0.5)]


NUMPY = """
abs: np.abs(A)| absolute: np.absolute(x)| acos: np.acos(x / 4)| acosh: np.acosh(np.abs(x) + 1)| add: np.add(A, x)| all: np.all(A > 0, axis=0)| allclose: np.allclose(A, A + h)| amax: np.amax(A, axis=1)| amin: np.amin(A)
angle: np.angle(z); np.angle(z, deg=True)| any: np.any(A > 1)| append: np.append(x, v)| apply_along_axis| apply_over_axes| arange: np.arange(0.0, 1.0, 0.1); np.arange(N); np.arange(1, 2, h); np.arange(h, 3); np.arange(10, 0, -2.5)
arccos: np.arccos(x / 4)| arccosh: np.arccosh(np.abs(x) + 1)| arcsin: np.arcsin(x / 4)| arcsinh: np.arcsinh(A)| arctan: np.arctan(A)| arctan2: np.arctan2(A, x)| arctanh: np.arctanh(x / 4)
argmax: np.argmax(A, axis=1)| argmin: np.argmin(A)| argpartition: x[np.argpartition(x, 2)[:1]] * 0| argsort: np.argsort(x); np.argsort(A, axis=0); np.argsort(J)| argwhere: np.argwhere(A > 0)| around: np.around(A, 1)
array: np.array([1.0, 2.0, 3.0]); np.array([[1, 2], [3, 4]]); np.array([x[0], h, 3]); np.array([x, x * 2]); np.array(A, dtype=np.float32); np.array((1, 2.5))| array2string| array_equal: np.array_equal(A, A); np.array_equal(A, x)| array_equiv: np.array_equiv(A, A[0])
array_repr| array_split: np.array_split(A, 2)[0]; np.array_split(x, 3)[1]| array_str| asanyarray: np.asanyarray(A)| asarray: np.asarray(x); np.asarray([1.0, h])| asarray_chkfinite| ascontiguousarray: np.ascontiguousarray(A.T)
asfortranarray: np.asfortranarray(A)| asin: np.asin(x / 4)| asinh: np.asinh(x)| asmatrix| astype: np.astype(A, np.float32)| atan: np.atan(x)| atan2: np.atan2(x, h)| atanh: np.atanh(x / 4)
atleast_1d: np.atleast_1d(h); np.atleast_1d(x)| atleast_2d: np.atleast_2d(x)| atleast_3d: np.atleast_3d(A); np.atleast_3d(x)| average: np.average(A, axis=0); np.average(A, axis=1, weights=np.abs(x)); np.average(A, weights=np.abs(A))
bartlett: np.bartlett(5)| base_repr| binary_repr| bincount: np.bincount(J, minlength=6); np.bincount(J, weights=x, minlength=8)| bitwise_and: np.bitwise_and(I, 3)| bitwise_count: np.bitwise_count(I)| bitwise_invert: np.bitwise_invert(I)
bitwise_left_shift: np.bitwise_left_shift(I, 2)| bitwise_not: np.bitwise_not(I)| bitwise_or: np.bitwise_or(I, 1)| bitwise_right_shift: np.bitwise_right_shift(I, 1)| bitwise_xor: np.bitwise_xor(I, 5)| blackman: np.blackman(5)
block: np.block([[S, P], [P, S]])| bmat| broadcast_arrays: np.broadcast_arrays(A, x)[1]| broadcast_shapes: np.zeros(np.broadcast_shapes((3, 1), (1, 4)))| broadcast_to: np.broadcast_to(x, (N, M))| busday_count| busday_offset| can_cast
cbrt: np.cbrt(A)| ceil: np.ceil(A)| choose: np.choose(J % 2, (x, s)); np.choose(np.abs(I) % 3, [A, A * 2, 0.0])| clip: np.clip(A, -1, 1); np.clip(A, None, 0.5); np.clip(I, 0, None)| column_stack: np.column_stack((x, s))| common_type
compress: np.compress(b, x)| concat: np.concat((x, v))| concatenate: np.concatenate((A, A), axis=1)| conj: np.conj(z)| conjugate: np.conjugate(z)| convolve: np.convolve(x, v, 'same')| copy: np.copy(A)| copysign: np.copysign(A, x)
copyto: np.copyto(A, x); np.copyto(A, 0.0, where=A > 0)| corrcoef: np.corrcoef(A); np.corrcoef(x, s)| correlate: np.correlate(x, v); np.correlate(x, v, 'full'); np.correlate(v, x, mode='same')| cos: np.cos(A)| cosh: np.cosh(A)
count_nonzero: np.count_nonzero(I, axis=1)| cov: np.cov(A); np.cov(x, s); np.cov(A, bias=True)| cross: np.cross(v, w); np.cross(A[:, :3], v); np.cross(x[:2], s[:2])| cumprod: np.cumprod(A, axis=0)| cumsum: np.cumsum(x); np.cumsum(I, dtype=np.float64)
cumulative_prod: np.cumulative_prod(x)| cumulative_sum: np.cumulative_sum(x); np.cumulative_sum(A, axis=1, include_initial=True)| datetime_as_string| datetime_data| deg2rad: np.deg2rad(A)| degrees: np.degrees(A)
delete: np.delete(x, 1); np.delete(A, 0, axis=1)| diag: np.diag(x)| diag_indices: A[np.diag_indices(3)]| diag_indices_from: S[np.diag_indices_from(S)]| diagflat: np.diagflat(A)| diagonal: np.diagonal(A, 1); np.diagonal(T, axis1=0, axis2=2)
diff: np.diff(x); np.diff(A, n=2, axis=0); np.diff(x, prepend=0.0); np.diff(x, append=x[0])| digitize: np.digitize(x, s); np.digitize(x, s, right=True)| divide: np.divide(A, x)| divmod: np.divmod(I, 3)| dot: np.dot(A, x)
dsplit: np.dsplit(T, 2)[0]| dstack: np.dstack((A, A))| ediff1d: np.ediff1d(x)| einsum: np.einsum('ij,j->i', A, x); np.einsum('ij,kj->ik', A, S); np.einsum('ii', S); np.einsum('ij,jk', A, S); np.einsum('i,i', x, s); np.einsum('ij->ji', A); np.einsum('ijk,j->ik', T, x)| einsum_path
empty: np.zeros(np.empty(3).shape)| empty_like: np.zeros(np.empty_like(A).shape)| equal: np.equal(A, x)| exp: np.exp(A)| exp2: np.exp2(A)| expand_dims: np.expand_dims(A, 1); np.expand_dims(A, (0, 2))| expm1: np.expm1(A)| extract: np.extract(A > 0, A)
eye: np.eye(3)| fabs: np.fabs(A)| fill_diagonal: np.fill_diagonal(S, 5.0)| fix: np.fix(A)| flatnonzero: np.flatnonzero(A > 0)| flip: np.flip(A, 0); np.flip(T, (0, 2))| fliplr: np.fliplr(A)| flipud: np.flipud(A)| float_power: np.float_power(np.abs(I), 2)
floor: np.floor(A)| floor_divide: np.floor_divide(A, x)| fmax: np.fmax(Q, x)| fmin: np.fmin(Q, x)| fmod: np.fmod(A, x)| format_float_positional| format_float_scientific| frexp: np.frexp(A)| from_dlpack| frombuffer| fromfile
fromfunction: np.fromfunction(lambda i, j: i + 2 * j, (3, 4))| fromiter| frompyfunc| fromregex| fromstring| full: np.full((2, 3), h)| full_like: np.full_like(A, 2.0)| gcd: np.gcd(I, 6)| genfromtxt| geomspace: np.geomspace(1.0, 100.0, 5)
get_include| get_printoptions| getbufsize| geterr| geterrcall| gradient: np.gradient(x); np.gradient(x, 0.5); np.gradient(A); np.gradient(A, axis=1); np.gradient(A, h, axis=0); np.gradient(x, edge_order=2); np.gradient(x, s)| greater: np.greater(A, x)
greater_equal: np.greater_equal(A, 0)| hamming: np.hamming(5)| hanning: np.hanning(N)| heaviside: np.heaviside(A, 0.5)| histogram: np.histogram(A, 5); np.histogram(x, bins=s); np.histogram(A, bins=4, range=(-1.0, 1.0)); np.histogram(A, 5, density=True); np.histogram(x, 3, weights=s)
histogram2d: np.histogram2d(x, s, bins=3)| histogram_bin_edges: np.histogram_bin_edges(A, 5)| histogramdd| hsplit: np.hsplit(A, 2)[1]| hstack: np.hstack((x, v))| hypot: np.hypot(A, x)| i0: np.i0(x)| identity: np.identity(3)| imag: np.imag(z); np.imag(x)
indices: np.indices((2, 3))| info| inner: np.inner(A, x); np.inner(T, T[0])| insert: np.insert(x, 1, 5.0)| interp: np.interp(x, s, x); np.interp(h, s, x); np.interp(A, s, x, left=0.0, right=1.0)| intersect1d: np.intersect1d(J, J[:2])
invert: np.invert(I)| is_busday| isclose: np.isclose(A, A + 1e-9)| iscomplex: np.iscomplex(z)| iscomplexobj: np.where(np.iscomplexobj(z), x, 0)| isdtype| isfinite: np.isfinite(Q)| isfortran| isin: np.isin(J, J[:2]); np.isin(I, [1, 2])| isinf: np.isinf(A)
isnan: np.isnan(Q)| isnat| isneginf: np.isneginf(Q)| isposinf: np.isposinf(A / 0.0)| isreal: np.isreal(z)| isrealobj: np.where(np.isrealobj(z), x, 0)| isscalar: np.where(np.isscalar(3), x, 0)| issubdtype| iterable| ix_: A[np.ix_(J[:2], J)]
kaiser: np.kaiser(5, 14.0)| kron: np.kron(A, S)| lcm: np.lcm(I, 6)| ldexp: np.ldexp(A, 3)| left_shift: np.left_shift(I, 1)| less: np.less(A, x)| less_equal: np.less_equal(A, x)| lexsort: np.lexsort((x, J // 2))| linspace: np.linspace(0, 1, 7)
load| loadtxt| log: np.log(np.abs(A))| log10: np.log10(np.abs(A))| log1p: np.log1p(np.abs(A))| log2: np.log2(np.abs(A))| logaddexp: np.logaddexp(A, x)| logaddexp2: np.logaddexp2(A, x)| logical_and: np.logical_and(A > 0, b)
logical_not: np.logical_not(b)| logical_or: np.logical_or(b, x > 0)| logical_xor: np.logical_xor(b, x > 0)| logspace: np.logspace(0, 2, 5); np.logspace(0, 2, 5, base=2.0)| mask_indices| matmul: np.matmul(A, S)| matrix_transpose: np.matrix_transpose(T)| matvec: np.matvec(A, x)
max: np.max(A, axis=0)| maximum: np.maximum(A, x)| may_share_memory| mean: np.mean(A, axis=1)| median: np.median(A); np.median(A, axis=0); np.median(x); np.median(I, axis=1)| meshgrid: np.meshgrid(x, v); np.meshgrid(x, v, indexing='ij'); np.meshgrid(x, v, w, indexing='ij')
min: np.min(A)| min_scalar_type| minimum: np.minimum(A, x)| mintypecode| mod: np.mod(A, x)| modf: np.modf(A)| moveaxis: np.moveaxis(T, 0, 2); np.moveaxis(T, (0, 1), (1, 2))| multiply: np.multiply(A, x)| nan_to_num: np.nan_to_num(Q); np.nan_to_num(Q, nan=1.0)
nanargmax: np.nanargmax(Q, axis=0)| nanargmin: np.nanargmin(Q)| nancumprod: np.nancumprod(Q, axis=1)| nancumsum: np.nancumsum(Q)| nanmax: np.nanmax(Q); np.nanmax(Q, axis=1)| nanmean: np.nanmean(Q, axis=0)| nanmedian: np.nanmedian(Q); np.nanmedian(Q, axis=0)
nanmin: np.nanmin(Q, axis=0)| nanpercentile: np.nanpercentile(Q, 30)| nanprod: np.nanprod(Q)| nanquantile: np.nanquantile(Q, 0.5)| nanstd: np.nanstd(Q); np.nanstd(Q, axis=0, ddof=1)| nansum: np.nansum(Q, axis=0)| nanvar: np.nanvar(Q, axis=1)
ndim: np.full(3, np.ndim(A))| negative: np.negative(A)| nested_iters| nextafter: np.nextafter(A, 2.0)| nonzero: np.nonzero(x > 0)[0]| not_equal: np.not_equal(A, x)| ones: np.ones((2, 3))| ones_like: np.ones_like(A)| outer: np.outer(x, v)
packbits: np.packbits(b); np.packbits(A > 0, axis=0); np.packbits(I, bitorder='little')| pad: np.pad(x, 2); np.pad(A, 1, mode='edge'); np.pad(A, ((1, 2), (0, 1)), 'wrap'); np.pad(x, (1, 2), mode='reflect'); np.pad(A, 1, constant_values=3.0); np.pad(x, 1, mode='symmetric')| partition: np.partition(x, 2)[2]
percentile: np.percentile(A, 30); np.percentile(A, 50, axis=0); np.percentile(x, [25, 75])| permute_dims: np.permute_dims(T, (2, 0, 1))| piecewise: np.piecewise(x, [x < 0, x >= 0], [-1.0, 1.0])| place: np.place(A, A > 0, [1.0])| poly: np.poly(v)
polyadd: np.polyadd(v, x)| polyder: np.polyder(v)| polydiv| polyfit: np.polyfit(s, x, 1)| polyint: np.polyint(v)| polymul: np.polymul(v, x)| polysub: np.polysub(v, x)| polyval: np.polyval(v, A); np.polyval(v, h)| positive: np.positive(A)
pow: np.pow(np.abs(A), x)| power: np.power(A, 2)| printoptions| prod: np.prod(A, axis=0)| promote_types| ptp: np.ptp(A, axis=0)| put: np.put(x, J[:2], 5.0)| put_along_axis: np.put_along_axis(A, np.argmax(A, axis=1)[:, None], 9.0, axis=1)
putmask: np.putmask(A, A > 0, 2.0)| quantile: np.quantile(A, 0.3); np.quantile(A, 0.5, axis=1); np.quantile(x, [0.1, 0.9])| rad2deg: np.rad2deg(A)| radians: np.radians(A)| ravel: np.ravel(A)| ravel_multi_index: np.ravel_multi_index((J, J), (5, 6))
real: np.real(z)| real_if_close| reciprocal: np.reciprocal(A)| remainder: np.remainder(A, x)| repeat: np.repeat(x, 3); np.repeat(A, 2, axis=1)| require| reshape: np.reshape(A, (M, N))| resize: np.resize(x, (3, 3))| result_type| right_shift: np.right_shift(I, 1)
rint: np.rint(A)| roll: np.roll(x, 1); np.roll(A, (1, 2), axis=(0, 1))| rollaxis: np.rollaxis(T, 2)| roots: np.roots(v)| rot90: np.rot90(A); np.rot90(T, axes=(1, 2))| round: np.round(A, 2); np.round(I, -1)| row_stack| save| savetxt| savez| savez_compressed
searchsorted: np.searchsorted(s, x); np.searchsorted(s, h, side='right'); np.searchsorted(s, A)| select: np.select([x < 0, x > 1], [x, s]); np.select([A > 0], [A * 2], default=h)| set_printoptions| setbufsize| setdiff1d: np.setdiff1d(J, J[:2])| seterr| seterrcall
setxor1d: np.setxor1d(J, J[:2])| shape: np.zeros(np.shape(A))| shares_memory| show_config| show_runtime| sign: np.sign(A)| signbit: np.signbit(A)| sin: np.sin(A)| sinc: np.sinc(A)| sinh: np.sinh(A)| size: np.full(2, np.size(A))
sort: np.sort(x); np.sort(A); np.sort(A, axis=0); np.sort(Q); np.sort(A, axis=None); np.sort(I); np.sort(u); np.sort(y); np.sort(b)| sort_complex: np.sort_complex(z)| spacing: np.spacing(A)| split: np.split(x, 2)[1]; np.split(A, [1, 3])[1]| sqrt: np.sqrt(np.abs(A))
square: np.square(A)| squeeze: np.squeeze(A[:1], 0); np.squeeze(A[None])| stack: np.stack((x, s), axis=1)| std: np.std(A, axis=0)| subtract: np.subtract(A, x)| sum: np.sum(A, axis=0)| swapaxes: np.swapaxes(T, 0, 2)| take: np.take(x, J); np.take(A, J, axis=1); np.take(A, 3); np.take(x, J + 3, mode='wrap'); np.take(x, [0, 2])
take_along_axis: np.take_along_axis(A, np.argsort(A, axis=1), axis=1)| tan: np.tan(A)| tanh: np.tanh(A)| tensordot: np.tensordot(A, S, axes=1); np.tensordot(T, A, axes=([0, 1], [0, 1])); np.tensordot(A, A, axes=2)| test| tile: np.tile(x, 2); np.tile(A, (2, 3)); np.tile(x, (2, 2))
trace: np.trace(S); np.trace(T)| transpose: np.transpose(T, (1, 2, 0))| trapezoid: np.trapezoid(A, x)| tri: np.tri(3)| tril: np.tril(A)| tril_indices: S[np.tril_indices(4)]| tril_indices_from: S[np.tril_indices_from(S)]| trim_zeros: np.trim_zeros(x)
triu: np.triu(A, 1)| triu_indices: S[np.triu_indices(4, k=1)]| triu_indices_from: S[np.triu_indices_from(S)]| true_divide: np.true_divide(A, x)| trunc: np.trunc(A)| typename| union1d: np.union1d(J, I)| unique: np.unique(I); np.unique(I > 0, axis=0)| unique_all| unique_counts: np.unique_counts(I)[0]| unique_inverse| unique_values: np.unique_values(I)
unpackbits: np.unpackbits(u); np.unpackbits(u, count=5); np.unpackbits(u.reshape(-1, 1), axis=1, bitorder='little')| unravel_index: np.unravel_index(J, (2, 2)); np.unravel_index(np.argmax(A), A.shape)| unstack: np.unstack(A[:2])[1]| unwrap: np.unwrap(s * 5)| vander: np.vander(x, 3)| var: np.var(A)| vdot: np.vdot(z, z)| vecdot: np.vecdot(A, x); np.vecdot(z, z)| vecmat: np.vecmat(x, S)
vsplit: np.vsplit(A[:4], 2)[0]| vstack: np.vstack((A, x))| where: np.where(A > 0, A, 0.0)| zeros: np.zeros((2, 3))| zeros_like: np.zeros_like(A)
"""
LINALG = """
cholesky: np.linalg.cholesky(P)| cond: np.linalg.cond(S); np.linalg.cond(S, 1)| cross: np.linalg.cross(v, w)| det: np.linalg.det(S); np.linalg.det(P[:3, :3])| diagonal: np.linalg.diagonal(S)| eig: np.linalg.eig(P)[0]| eigh: np.linalg.eigh(P)[0]| eigvals: np.linalg.eigvals(P)| eigvalsh: np.linalg.eigvalsh(P)
inv: np.linalg.inv(S); np.linalg.inv(np.stack((S, P)))| lstsq: np.linalg.lstsq(A, A[:, 0])[0]| matmul: np.linalg.matmul(A, S)| matrix_norm: np.linalg.matrix_norm(A)| matrix_power: np.linalg.matrix_power(S, 3); np.linalg.matrix_power(S, -1); np.linalg.matrix_power(S, 0)| matrix_rank: np.full(2, np.linalg.matrix_rank(S))
matrix_transpose: np.linalg.matrix_transpose(A)| multi_dot: np.linalg.multi_dot([A, S, P])| norm: np.linalg.norm(A); np.linalg.norm(x, np.inf); np.linalg.norm(A, 1); np.linalg.norm(A, np.inf); np.linalg.norm(A, 'fro'); np.linalg.norm(x, 3); np.linalg.norm(A, axis=1); np.linalg.norm(A, -np.inf); np.linalg.norm(x, 0)
outer: np.linalg.outer(x, v)| pinv: np.linalg.pinv(A)| qr: np.linalg.qr(A)[1]| slogdet: np.linalg.slogdet(S)| solve: np.linalg.solve(S, x); np.linalg.solve(S, P)| svd: np.linalg.svd(A)[1]| svdvals: np.linalg.svdvals(A)| tensordot: np.linalg.tensordot(A, S, axes=1)| tensorinv| tensorsolve| trace: np.linalg.trace(S)| vecdot: np.linalg.vecdot(A, x)| vector_norm: np.linalg.vector_norm(x); np.linalg.vector_norm(A, axis=1)
"""
FFT = """
fft: np.fft.fft(x)| fft2: np.fft.fft2(A)| fftfreq: np.fft.fftfreq(8, 0.5)| fftn: np.fft.fftn(A)| fftshift: np.fft.fftshift(A); np.fft.fftshift(x)| hfft| ifft: np.fft.ifft(z)| ifft2: np.fft.ifft2(A)| ifftn: np.fft.ifftn(A)| ifftshift: np.fft.ifftshift(x)| ihfft| irfft: np.fft.irfft(z)| irfft2| irfftn| rfft: np.fft.rfft(x)| rfft2| rfftfreq: np.fft.rfftfreq(8)| rfftn
"""
RANDOM = """
default_rng: np.random.default_rng(7).random(3); np.random.default_rng([1, 2]).random(3)| Generator.random: np.random.default_rng(7).random((2, 3))| Generator.integers: np.random.default_rng(7).integers(0, 9, 5); np.random.default_rng(7).integers(0, 9, 5, dtype=np.int8)
Generator.standard_normal: np.random.default_rng(7).standard_normal(4)| Generator.normal: np.random.default_rng(7).normal(1.0, 2.0, 4); np.random.default_rng(7).normal(x, 2.0)| Generator.uniform: np.random.default_rng(7).uniform(-1.0, 1.0, (2, 2))
Generator.exponential: np.random.default_rng(7).exponential(2.0, 3)| Generator.standard_exponential: np.random.default_rng(7).standard_exponential(3)| Generator.permutation: np.random.default_rng(7).permutation(x); np.random.default_rng(7).permutation(5)
Generator.shuffle: np.random.default_rng(7).shuffle(x)| Generator.choice: np.random.default_rng(7).choice(x, 3); np.random.default_rng(7).choice(9, 4, replace=False); np.random.default_rng(7).choice(3, 4, p=[0.25, 0.5, 0.25]); np.random.default_rng(7).choice(3, 2, replace=False, p=[0.25, 0.5, 0.25])
Generator.poisson: np.random.default_rng(7).poisson(3.0, 4)| Generator.binomial: np.random.default_rng(7).binomial(9, 0.5, 4)| Generator.gamma: np.random.default_rng(7).gamma(2.0, 1.0, 4)| Generator.beta: np.random.default_rng(7).beta(2.0, 1.0, 4)| Generator.multivariate_normal: np.random.default_rng(7).multivariate_normal(v, np.eye(3))
seed: np.random.seed(3)| rand: np.random.rand(3)| randn: np.random.randn(3)| randint: np.random.randint(0, 5, 3)| RandomState: np.random.RandomState(7).rand(3)
"""
METHODS = """
all: (A > 0).all()| any: (A > 0).any(axis=0)| argmax: A.argmax()| argmin: A.argmin(axis=1)| argpartition| argsort: x.argsort()| astype: A.astype(np.int32)| choose: (J % 2).choose((x, s))| clip: A.clip(0, 1)| compress: x.compress(b)| conj: z.conj()| conjugate: z.conjugate()| copy: A.copy()| cumprod: x.cumprod()| cumsum: A.cumsum(axis=0)| diagonal: A.diagonal()| dot: A.dot(x)
fill: x.fill(2.0)| flatten: A.flatten()| item: x[:1].item() + x| max: A.max()| mean: A.mean(axis=0)| min: A.min(axis=1)| nonzero: x.nonzero()[0]| partition: x.partition(2)| prod: x.prod()| put: x.put([0, 1], 7.0)| ravel: A.ravel()| repeat: x.repeat(2)| reshape: A.reshape(M, N)| resize| round: A.round(1)| searchsorted: s.searchsorted(x)| sort: x.sort(); A.sort(axis=0)| squeeze: A[:1].squeeze(0); A[None].squeeze()
std: A.std()| sum: A.sum(axis=1)| swapaxes: T.swapaxes(0, 1)| take: x.take(J)| tolist| trace: S.trace()| transpose: T.transpose(2, 0, 1)| var: A.var(axis=0)| view
T: A.T| mT: T.mT| real: z.real| imag: z.imag| shape: np.zeros(A.shape)| size: np.full(2, A.size)| ndim: np.full(2, A.ndim)| dtype: np.zeros(3, dtype=y.dtype)| flat: A.flat[3] + x| nbytes: np.full(2, A.nbytes)| itemsize: np.full(2, y.itemsize)
"""
MORE = """
mgrid: np.mgrid[0:3, 0:4]; np.mgrid[0:2]| ogrid: np.ogrid[0:3, 0:4]| r_: np.r_[x, v]; np.r_[0:3, h]| c_: np.c_[x, s]| s_: A[np.s_[1:3, 0]]| add.reduce: np.add.reduce(A)| add.accumulate: np.add.accumulate(A)| maximum.accumulate: np.maximum.accumulate(A, axis=1); np.maximum.accumulate(x)| minimum.accumulate: np.minimum.accumulate(I)
multiply.outer: np.multiply.outer(x, v)| logical_and.accumulate: np.logical_and.accumulate(b)| hypot.reduce: np.hypot.reduce(A, axis=0)| bitwise_or.reduce: np.bitwise_or.reduce(I)| bitwise_xor.reduce: np.bitwise_xor.reduce(I, axis=1)| add.at: np.add.at(x, J, 1.0)| subtract.at: np.subtract.at(x, J, h)| maximum.at: np.maximum.at(x, J, 0.5)
add.reduceat: np.add.reduceat(x, [0, 2])| add with where: np.add(A, 1.0, where=A > 0, out=A)| sqrt with where: np.sqrt(np.abs(A), where=A > 0, out=A)| add with dtype: np.add(I, I, dtype=np.float64)| logaddexp.reduce: np.logaddexp.reduce(x)| subtract.accumulate: np.subtract.accumulate(A, axis=0)
"""


def calls(text):
    """{name: [call, ...]} of a table above."""
    table = {}
    for entry in text.strip().replace("\n", "| ").split("| "):
        name, _, some = entry.partition(": ")
        table[name] = [call for call in some.split("; ") if call]
    return table


SECTIONS = {"numpy": calls(NUMPY), "numpy.linalg": calls(LINALG), "numpy.fft": calls(FFT), "numpy.random": calls(RANDOM), "ndarray": calls(METHODS), "more": calls(MORE)}

HEADER = "".join(["import numpy as np\nimport sluice\nN, M = sluice.symbol('N'), sluice.symbol('M')\n\n\n@sluice.program\ndef f(",
                  ", ".join(f"{name}: sluice.{kind}" for name, kind in PARAMETERS.items()), "):\n"])
WRITES = re.compile(r"\.shuffle\(|^np\.(copyto|fill_diagonal|place|put|put_along_axis|putmask|\w+\.at)\(|^\w+\.(fill|sort|put|partition)\(|out=A")
counter = itertools.count()


def statements(calls, counts=None):
    """A body that returns what the calls return; a call that writes to arrays returns copies of these. counts: of the elements of each result
    that is a tuple, which is then unpacked (elsewhere 0): among others it is no value."""
    if any(WRITES.search(call) for call in calls):
        return [*calls, "return A + 0, x + 0, S + 0"]
    names = [[f"r{at}_{i}" for i in range(count)] or [f"r{at}"] for at, count in enumerate(counts or [0] * len(calls))]
    return [f"{', '.join(some)} = {call}" for some, call in zip(names, calls)] + ["return (" + ", ".join(sum(names, [])) + ",)"]


def program(calls, folder, counts=None):
    path = folder / f"calls{next(counter)}.py"
    path.write_text(HEADER + "".join(f"    {line}\n" for line in statements(calls, counts)))
    scope = {"__name__": "calls"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope["f"]


def wanted(calls):
    scope = {"np": np, "N": 5, "M": 4}
    exec("def f(" + ", ".join(PARAMETERS) + "):\n" + "".join(f"    {line}\n" for line in statements(calls)), scope)
    with np.errstate(all="ignore"):
        return scope["f"](*arguments())


def translates(call, folder):
    try:
        program([call], folder).to_sdfg()
    except sluice.CompileError:
        return False
    return True
