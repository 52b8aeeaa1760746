"""Interception below autograd: modes and subclasses with `__torch_dispatch__`."""
