"""Custom operators: everything that third parties need to extend `adjoint`.

`custom_op` makes an operator from a function. `register_kernel`, `register_fake`, `register_autograd` and
`register_vmap` define how it runs on devices and array libraries, the metadata of its results, its derivative and its
batching rule; `opcheck` tests them. Older interfaces: `Library`, `define` and `impl`, and the two-function style
(`impl_abstract`, `impl_save_for_backward`, `impl_backward`). `from_jax`, `from_torch`, `to_jax`, `to_torch` and
`wrap_numpy` wrap existing functions.
"""

import importlib as _importlib
from types import ModuleType as _Module
from typing import Any as _Any

from adjoint.library._autograd import AutogradNotImplementedError as AutogradNotImplementedError
from adjoint.library._custom_op import CustomOpDef as CustomOpDef
from adjoint.library._custom_op import custom_op as custom_op
from adjoint.library._errors import ArgumentError as ArgumentError
from adjoint.library._errors import DefinitionError as DefinitionError
from adjoint.library._errors import OpCheckError as OpCheckError
from adjoint.library._errors import RegistrationError as RegistrationError
from adjoint.library._errors import SchemaError as SchemaError
from adjoint.library._errors import Tag as Tag
from adjoint.library._fake import get_ctx as get_ctx
from adjoint.library._infer_schema import infer_schema as infer_schema
from adjoint.library._library import Library as Library
from adjoint.library._library import _scoped_library as _scoped_library
from adjoint.library._register import define as define
from adjoint.library._register import fake as fake
from adjoint.library._register import impl as impl
from adjoint.library._register import impl_abstract as impl_abstract
from adjoint.library._register import impl_backward as impl_backward
from adjoint.library._register import impl_save_for_backward as impl_save_for_backward
from adjoint.library._register import register_autograd as register_autograd
from adjoint.library._register import register_dispatch as register_dispatch
from adjoint.library._register import register_fake as register_fake
from adjoint.library._register import register_kernel as register_kernel
from adjoint.library._register import register_torch_dispatch as register_torch_dispatch
from adjoint.library._register import register_vmap as register_vmap
from adjoint.library._registry import autograd_fallback as autograd_fallback
from adjoint.library._registry import get_autograd_fallback as get_autograd_fallback
from adjoint.library._registry import set_autograd_fallback as set_autograd_fallback
from adjoint.library._schema import Schema as Schema
from adjoint.library._schema import parse_schema as parse_schema

_PUBLIC = [name for name, value in globals().items() if name[0] != "_" and not isinstance(value, _Module)]
_LATER = {
    "opcheck": "library._opcheck",
    "from_jax": "_bridges",
    "from_torch": "_bridges",
    "to_jax": "_bridges",
    "to_torch": "_bridges",
    "wrap_numpy": "_bridges.numpy",
}
"""Lazily imported names, and their modules."""


def __getattr__(name: str) -> _Any:
    if name not in _LATER:
        raise AttributeError(f"module 'adjoint.library' has no attribute {name!r}")
    module = _importlib.import_module(f"adjoint.{_LATER[name]}")
    globals().update({other: getattr(module, other) for other, where in _LATER.items() if where == _LATER[name]})
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*_PUBLIC, *_LATER})
