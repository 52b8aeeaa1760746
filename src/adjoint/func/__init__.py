"""Composable function transforms (`grad`, `vjp`, `jvp`, `vmap`, `jacrev`, ...): the public names of `torch.func`."""

from adjoint.func.grad import grad as grad
from adjoint.func.grad import grad_and_value as grad_and_value
from adjoint.func.grad import vjp as vjp
from adjoint.func.jacobian import hessian as hessian
from adjoint.func.jacobian import jacfwd as jacfwd
from adjoint.func.jacobian import jacrev as jacrev
from adjoint.func.jvp import jvp as jvp
from adjoint.func.linear_operator import linear_operator as linear_operator
from adjoint.func.linearize import linearize as linearize
from adjoint.func.vmap import set_vmap_fallback_warning_enabled as set_vmap_fallback_warning_enabled
from adjoint.func.vmap import vmap as vmap
