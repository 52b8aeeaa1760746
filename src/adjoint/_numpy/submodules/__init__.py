"""Functions of `numpy.linalg` and `numpy.fft`, and those of polynomials."""
