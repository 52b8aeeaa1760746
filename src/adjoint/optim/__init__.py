"""Optimizers: `Optimizer` and PyTorch's, learning rate schedules in `lr_scheduler`, weight averages in `swa_utils`."""

import importlib as _importlib
from typing import Any as _Any

from adjoint.optim import lr_scheduler as lr_scheduler
from adjoint.optim.adafactor import Adafactor as Adafactor
from adjoint.optim.adagrad import Adadelta as Adadelta
from adjoint.optim.adagrad import Adagrad as Adagrad
from adjoint.optim.adagrad import RMSprop as RMSprop
from adjoint.optim.adam import Adam as Adam
from adjoint.optim.adam import Adamax as Adamax
from adjoint.optim.adam import AdamW as AdamW
from adjoint.optim.adam import NAdam as NAdam
from adjoint.optim.adam import RAdam as RAdam
from adjoint.optim.adam import SparseAdam as SparseAdam
from adjoint.optim.lbfgs import LBFGS as LBFGS
from adjoint.optim.muon import Muon as Muon
from adjoint.optim.optimizer import Optimizer as Optimizer
from adjoint.optim.sgd import ASGD as ASGD
from adjoint.optim.sgd import SGD as SGD
from adjoint.optim.sgd import Rprop as Rprop


def __getattr__(name: str) -> _Any:
    if name == "swa_utils":  # it imports `nn`
        return _importlib.import_module("adjoint.optim.swa_utils")
    raise AttributeError(f"module 'adjoint.optim' has no attribute {name!r}")
