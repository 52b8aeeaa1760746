"""`scipy.misc` as it once was: `logsumexp`."""

from adjoint.scipy.special import logsumexp as logsumexp

__all__ = ["logsumexp"]
