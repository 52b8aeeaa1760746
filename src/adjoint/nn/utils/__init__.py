"""Helpers of networks: PyTorch's `torch.nn.utils`."""

from adjoint.nn.utils import rnn as rnn
