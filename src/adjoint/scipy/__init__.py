"""SciPy's functions on tensors, with derivatives: `special`, `stats`, `linalg`, `signal`, `integrate`.

The modules have SciPy's names and signatures. Without tensors among the arguments a function is SciPy's own. A function
that has no derivative here is passed on to SciPy, unless a gradient would be lost: that is an error.

Example:
    >>> x = ad.tensor([0.5, 2.0], dtype=ad.float64, requires_grad=True)
    >>> ad.scipy.stats.norm.logpdf(x, loc=1.0).sum().backward()
    >>> x.grad
    tensor([ 0.5000, -1.0000], dtype=adjoint.float64)
"""

from adjoint.scipy import integrate as integrate
from adjoint.scipy import linalg as linalg
from adjoint.scipy import misc as misc
from adjoint.scipy import signal as signal
from adjoint.scipy import special as special
from adjoint.scipy import stats as stats

__all__ = ["integrate", "linalg", "misc", "signal", "special", "stats"]
