"""Function transforms: derivatives and batching of functions, which nest in any order."""

from adjoint.func.forward import jvp as jvp
from adjoint.func.jacobians import hessian as hessian
from adjoint.func.jacobians import jacfwd as jacfwd
from adjoint.func.jacobians import jacrev as jacrev
from adjoint.func.linear import linearize as linearize
from adjoint.func.linear_operator import linear_operator as linear_operator
from adjoint.func.reverse import grad as grad
from adjoint.func.reverse import grad_and_value as grad_and_value
from adjoint.func.reverse import vjp as vjp
from adjoint.func.vmap import set_vmap_fallback_warning_enabled as set_vmap_fallback_warning_enabled
from adjoint.func.vmap import vmap as vmap
