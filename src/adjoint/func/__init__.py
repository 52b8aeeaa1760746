"""Composable function transforms (`grad`, `vjp`, `jvp`, `vmap`, `jacrev`, ...): the public names of `torch.func`."""

from types import FunctionType as _Function

from adjoint.func._functional_call import functional_call as functional_call
from adjoint.func._functional_call import stack_module_state as stack_module_state
from adjoint.func._grad import grad as grad
from adjoint.func._grad import grad_and_value as grad_and_value
from adjoint.func._grad import vjp as vjp
from adjoint.func._jacobian import hessian as hessian
from adjoint.func._jacobian import jacfwd as jacfwd
from adjoint.func._jacobian import jacrev as jacrev
from adjoint.func._jvp import jvp as jvp
from adjoint.func._linear_operator import linear_operator as linear_operator
from adjoint.func._linearize import linearize as linearize
from adjoint.func._vmap import set_vmap_fallback_warning_enabled as set_vmap_fallback_warning_enabled
from adjoint.func._vmap import vmap as vmap

_PUBLIC = [name for name, value in globals().items() if name[0] != "_" and isinstance(value, _Function)]


def __dir__() -> list[str]:
    return sorted(_PUBLIC)
