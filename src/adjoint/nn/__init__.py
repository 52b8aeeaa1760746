"""Neural networks: PyTorch's `torch.nn`."""

from adjoint.nn import functional as functional
from adjoint.nn import init as init
from adjoint.nn import modules as modules
from adjoint.nn import parameter as parameter
from adjoint.nn.modules.container import ModuleDict as ModuleDict
from adjoint.nn.modules.container import ModuleList as ModuleList
from adjoint.nn.modules.container import ParameterDict as ParameterDict
from adjoint.nn.modules.container import ParameterList as ParameterList
from adjoint.nn.modules.container import Sequential as Sequential
from adjoint.nn.modules.linear import Bilinear as Bilinear
from adjoint.nn.modules.linear import Identity as Identity
from adjoint.nn.modules.linear import LazyLinear as LazyLinear
from adjoint.nn.modules.linear import Linear as Linear
from adjoint.nn.modules.module import Module as Module
from adjoint.nn.parameter import Buffer as Buffer
from adjoint.nn.parameter import Parameter as Parameter
from adjoint.nn.parameter import UninitializedBuffer as UninitializedBuffer
from adjoint.nn.parameter import UninitializedParameter as UninitializedParameter
