"""The layers of `nn`, by the files they have in PyTorch."""

from adjoint.nn.modules import container as container
from adjoint.nn.modules import lazy as lazy
from adjoint.nn.modules import linear as linear
from adjoint.nn.modules import module as module
from adjoint.nn.modules import utils as utils
from adjoint.nn.modules.module import Module as Module
