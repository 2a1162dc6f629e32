"""Arithmetic rounds as NumPy's and Python's does, operation by operation: a product that is added to something is rounded before. Where a
number becomes an integer, is compared, or feeds a recurrence, one bit is another answer."""
import numpy as np
import pytest

import sluice


def gray(image):
    red, green, blue = image[:, :, 0], image[:, :, 1], image[:, :, 2]
    return (0.299 * red + 0.587 * green + 0.114 * blue).astype(np.uint8)


def test_gray_images_have_numpys_levels():
    image = np.random.default_rng(0).integers(0, 256, (60, 70, 3)).astype(np.uint8)
    image[:30] = image[:30, :, :1]  # gray already: the sum is a whole number but for roundings
    np.testing.assert_array_equal(sluice.program(gray)(image), gray(image))


def logistic(x, steps):
    for _ in range(steps):
        x = 3.9 * x * (1 - x) + 0.01 * x
    return x


def oscillator(x, v, dt, steps):
    for _ in range(steps):
        x += dt * v
        v -= dt * x * x * x
    return x, v


def dot(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s


@pytest.mark.parametrize("kind", [float, np.float64, np.float32])
def test_recurrences_are_pythons_to_the_last_bit(kind):
    assert sluice.program(strict=True)(logistic)(kind(0.3), 200) == logistic(kind(0.3), 200)
    arguments = kind(1.0), kind(0.5), kind(0.01), 500
    assert sluice.program(strict=True)(oscillator)(*arguments) == oscillator(*arguments)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_chains_of_elements_are_numpys_to_the_last_bit(dtype):
    def chain(x, y):
        return np.floor(10 * x * y + y) + (x * x - y * y > x * y - y), 2.5 * x + y * x - 0.1 * y

    rng = np.random.default_rng(1)
    x, y = rng.random(5000).astype(dtype), rng.random(5000).astype(dtype)
    for got, expected in zip(sluice.program(strict=True)(chain)(x, y), chain(x, y)):
        np.testing.assert_array_equal(got, expected)


def test_a_loop_of_pythons_adds_in_its_order():
    rng = np.random.default_rng(2)
    x, y = rng.random(1000), rng.random(1000)
    assert sluice.program(strict=True)(dot)(x, y) == dot(x, y)


def test_a_conversion_to_less_precision_and_back_is_none_to_leave_out():
    def apart(x: sluice.float64[20], z: sluice.complex128[20]):
        low = x.astype(np.float32)
        return low * x, x - low, low + z, z.astype(np.complex64) * z

    x = np.random.default_rng(3).random(20)
    z = x[::-1] + 1j * x
    for made, expected in zip(sluice.program(strict=True)(apart)(x, z), apart(x, z)):
        np.testing.assert_allclose(made, expected, rtol=1e-15, atol=1e-15)  # what GCC left out is up to 6e-8
