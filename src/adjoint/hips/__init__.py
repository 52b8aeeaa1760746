"""HIPS autograd's functions (`grad`, `jacobian`, `make_vjp`, ...) over NumPy arrays.

For programs written for the package `autograd`: ``from autograd import grad`` becomes ``from adjoint.hips import
grad``, and ``import autograd.numpy as np`` becomes ``import adjoint.numpy as np``. Arguments and results are NumPy
arrays and Python numbers. The functions of `adjoint.func` do the same for tensors.
"""

from adjoint.hips import core as core
from adjoint.hips import extend as extend
from adjoint.hips import misc as misc
from adjoint.hips import test_util as test_util
from adjoint.hips._transforms import deriv as deriv
from adjoint.hips._transforms import elementwise_grad as elementwise_grad
from adjoint.hips._transforms import grad as grad
from adjoint.hips._transforms import grad_and_aux as grad_and_aux
from adjoint.hips._transforms import grad_named as grad_named
from adjoint.hips._transforms import hessian as hessian
from adjoint.hips._transforms import hessian_tensor_product as hessian_tensor_product
from adjoint.hips._transforms import holomorphic_grad as holomorphic_grad
from adjoint.hips._transforms import jacobian as jacobian
from adjoint.hips._transforms import make_ggnvp as make_ggnvp
from adjoint.hips._transforms import make_hvp as make_hvp
from adjoint.hips._transforms import make_jvp as make_jvp
from adjoint.hips._transforms import make_vjp as make_vjp
from adjoint.hips._transforms import multigrad_dict as multigrad_dict
from adjoint.hips._transforms import tensor_jacobian_product as tensor_jacobian_product
from adjoint.hips._transforms import value_and_grad as value_and_grad
from adjoint.hips.builtins import dict as dict
from adjoint.hips.builtins import isinstance as isinstance
from adjoint.hips.builtins import list as list
from adjoint.hips.builtins import tuple as tuple
from adjoint.hips.builtins import type as type
from adjoint.hips.extend import checkpoint as checkpoint
from adjoint.hips.extend import primitive as primitive

hessian_vector_product = hessian_tensor_product
vector_jacobian_product = tensor_jacobian_product
