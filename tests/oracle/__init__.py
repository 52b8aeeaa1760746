"""Differential tests: the same program in PyTorch and in adjoint, with the same outcome."""
