"""Neural networks: PyTorch's `torch.nn`."""

from adjoint.nn import attention as attention
from adjoint.nn import functional as functional
from adjoint.nn import grad as grad
from adjoint.nn import init as init
from adjoint.nn import modules as modules
from adjoint.nn import parallel as parallel
from adjoint.nn import parameter as parameter
from adjoint.nn import utils as utils
from adjoint.nn.modules import *  # noqa: F403
from adjoint.nn.parallel import DataParallel as DataParallel
from adjoint.nn.parameter import Buffer as Buffer
from adjoint.nn.parameter import Parameter as Parameter
from adjoint.nn.parameter import UninitializedBuffer as UninitializedBuffer
from adjoint.nn.parameter import UninitializedParameter as UninitializedParameter
