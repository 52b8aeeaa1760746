"""Imports the bulk of the package, with the garbage collector at rest.

What is made while importing stays, so the collections that it would set off find nothing; they take a millisecond or
two. NumPy comes first, as it always would: this is about our own import only.
"""

import gc

import numpy as numpy

_was_enabled = gc.isenabled()
gc.disable()
try:
    from adjoint import tensor as tensor
finally:
    if _was_enabled:
        gc.enable()
