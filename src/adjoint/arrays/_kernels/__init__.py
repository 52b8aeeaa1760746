"""Kernels of NumPy arrays: what NumPy does slowly, or not at all."""
