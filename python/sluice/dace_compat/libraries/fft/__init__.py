"""Fourier transforms."""
from .._operations import operation

FFT, IFFT = map(operation, ("FFT", "IFFT"))
