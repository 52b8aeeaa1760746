"""What `Tensor` has beside operators: methods, conversion, copying, printing.

The bulk of the package is imported from here, with the garbage collector paused: what is made while importing stays, so
the collections that it would set off find nothing and take a millisecond or two. NumPy comes first, as it always would:
this is about our own import only.
"""

import gc

import numpy as numpy

_was_enabled = gc.isenabled()
gc.disable()
try:
    from adjoint._tensor import methods as methods
finally:
    if _was_enabled:
        gc.enable()
