"""Learning rate schedules: one `scheduler.step()` after each epoch, or after each `optimizer.step()`."""

from adjoint.optim.lr_scheduler._base import LRScheduler as LRScheduler
from adjoint.optim.lr_scheduler._combined import ChainedScheduler as ChainedScheduler
from adjoint.optim.lr_scheduler._combined import ReduceLROnPlateau as ReduceLROnPlateau
from adjoint.optim.lr_scheduler._combined import SequentialLR as SequentialLR
from adjoint.optim.lr_scheduler._cycles import CosineAnnealingLR as CosineAnnealingLR
from adjoint.optim.lr_scheduler._cycles import CosineAnnealingWarmRestarts as CosineAnnealingWarmRestarts
from adjoint.optim.lr_scheduler._cycles import CyclicLR as CyclicLR
from adjoint.optim.lr_scheduler._cycles import OneCycleLR as OneCycleLR
from adjoint.optim.lr_scheduler._factors import ConstantLR as ConstantLR
from adjoint.optim.lr_scheduler._factors import ExponentialLR as ExponentialLR
from adjoint.optim.lr_scheduler._factors import LambdaLR as LambdaLR
from adjoint.optim.lr_scheduler._factors import LinearLR as LinearLR
from adjoint.optim.lr_scheduler._factors import MultiplicativeLR as MultiplicativeLR
from adjoint.optim.lr_scheduler._factors import MultiStepLR as MultiStepLR
from adjoint.optim.lr_scheduler._factors import PolynomialLR as PolynomialLR
from adjoint.optim.lr_scheduler._factors import StepLR as StepLR

_LRScheduler = LRScheduler  # PyTorch's older name
