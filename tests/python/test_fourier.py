"""Discrete Fourier transforms against NumPy's."""
import numpy as np
import pytest

import sluice

RANDOM = np.random.default_rng(3)


def real(*shape):
    return RANDOM.random(shape)


def complexes(*shape):
    return RANDOM.random(shape) + 1j * RANDOM.random(shape)


def agree(function, *arguments):
    expected, got = function(*arguments), sluice.program(strict=True)(function)(*arguments)
    for one, other in zip(expected, got, strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        tolerance = 1e-5 if one.dtype in (np.complex64, np.float32) else 1e-12
        np.testing.assert_allclose(other, one, rtol=0, atol=tolerance * max(1.0, np.abs(one).max()))


def one_dimension(x, z):
    return np.fft.fft(x), np.fft.ifft(z), np.fft.rfft(x), np.fft.irfft(z), np.fft.hfft(z), np.fft.ihfft(x)


@pytest.mark.parametrize("n", [1, 2, 5, 12, 64, 101, 106, 360])
def test_every_kind_of_length(n):
    agree(one_dimension, real(n), complexes(max(n, 2)))


def cut_and_filled(x, z, n):
    return np.fft.fft(x, 8), np.fft.ifft(z, 20), np.fft.rfft(x, n), np.fft.irfft(z, n), np.fft.fft(x, n=n)


def test_other_numbers_of_samples():
    agree(cut_and_filled, real(12), complexes(15), 9)


def several(x, z):
    return (np.fft.fft(x), np.fft.fft(x, axis=0), np.fft.fft2(x), np.fft.ifft2(x), np.fft.fftn(z), np.fft.ifftn(z, axes=(0, 2)), np.fft.rfft2(x),
            np.fft.irfft2(np.fft.rfft2(x)), np.fft.rfftn(z.real), np.fft.irfftn(z), np.fft.fftn(x, s=(3, 8)), np.fft.irfftn(np.fft.rfftn(x), s=(5, 12)))


def test_several_dimensions():
    agree(several, real(5, 12), complexes(3, 4, 6))


def factors(x, z):
    return np.fft.rfft(x, norm="ortho"), np.fft.irfft(z, 11, norm="forward"), np.fft.fft(z, norm="forward"), np.fft.ifft(z, norm="ortho"), np.fft.ifft(z, norm="forward")


def test_factors():
    agree(factors, real(9), complexes(7))


def test_single_precision_and_integers():
    agree(one_dimension, real(16).astype(np.float32), complexes(9).astype(np.complex64))
    agree(one_dimension, np.arange(10), complexes(5))


def by_rows_and_columns(x):
    y = np.zeros(x.shape, dtype=complex)
    for i in range(x.shape[0]):
        y[i] = np.fft.fft(x[i])
    for j in range(x.shape[1]):
        y[:, j] = np.fft.fft(y[:, j])
    return y,


def test_strided_operands():
    agree(by_rows_and_columns, real(6, 8))


def filtered(x, cut):
    spectrum = np.fft.rfft(x)
    spectrum[np.fft.rfftfreq(x.size) > cut] = 0
    return np.fft.irfft(spectrum, n=x.size),


def test_a_filter():
    agree(filtered, real(64), 0.2)


def test_wrong_calls_say_numpys_sentence():
    with pytest.raises(sluice.CompileError, match="Invalid norm value"):
        sluice.program(strict=True)(lambda x: np.fft.fft(x, norm="none"))(real(4))
    with pytest.raises(sluice.CompileError, match="did not contain a loop"):
        sluice.program(strict=True)(lambda z: np.fft.rfft(z))(complexes(4))


@sluice.program
def of_any_length(x: sluice.complex128[sluice.symbol("N")], y: sluice.complex64[sluice.symbol("M")]):
    return np.fft.fft(x), np.fft.ifft(x), np.fft.fft(y)


def test_numbers_that_are_real():
    for n in (30, 32, 34, 45, 60, 64, 81, 90, 106, 125, 128, 225, 1000, 1024, 6000):
        for imaginary in (0.0, 1.0):
            x = RANDOM.normal(size=n) + 1j * imaginary * RANDOM.normal(size=n)
            y = x.astype(np.complex64)
            got = of_any_length(x, y)
            for mine, theirs, places in zip(got, (np.fft.fft(x), np.fft.ifft(x), np.fft.fft(y)), (1e-13, 1e-13, 2e-5)):
                assert mine.dtype == theirs.dtype
                assert np.max(np.abs(mine - theirs)) <= places * np.max(np.abs(theirs))


@sluice.program
def halves(x: sluice.float64[sluice.symbol("N")], z: sluice.complex128[sluice.symbol("M")]):
    y = x.astype(np.float32)
    return np.fft.rfft(x), np.fft.irfft(z, x.shape[0]), np.fft.rfft(y), np.fft.irfft(z.astype(np.complex64), x.shape[0])


def test_halves_of_any_length():
    for n in (1, 2, 3, 30, 31, 32, 34, 36, 38, 45, 64, 101, 106, 225, 1000, 1024, 2048, 6000):
        for given in (n // 2 + 1, max(n // 2, 1), 3, n + 7):
            x, z = RANDOM.normal(size=n), RANDOM.normal(size=given) + 1j * RANDOM.normal(size=given)
            y = x.astype(np.float32)
            expected = np.fft.rfft(x), np.fft.irfft(z, n), np.fft.rfft(y), np.fft.irfft(z.astype(np.complex64), n)
            for mine, theirs, places in zip(halves(x, z), expected, (1e-13, 1e-13, 2e-5, 2e-5)):
                assert mine.dtype == theirs.dtype and mine.shape == theirs.shape
                largest = np.max(np.abs(np.concatenate((theirs, x, z))))
                assert np.max(np.abs(mine - theirs)) <= places * largest


def rows_of_halves(x, z):
    return np.fft.rfft(x), np.fft.rfft(x, axis=0), np.fft.irfft(z, 50), np.fft.irfft(z, axis=1), np.fft.rfft(x[0], 70), np.fft.hfft(z, 34)


def test_rows_of_halves():
    agree(rows_of_halves, real(48, 40), complexes(3, 33, 26))
