"""Annotations that are no strings: computed with the function up to Python 3.13, from then on when somebody asks.

This module does without ``from __future__ import annotations``, which would make strings of them.
"""

import inspect
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, List, Optional, Union  # noqa: UP035

import pytest

import adjoint as ad
from adjoint import Tensor, library
from tests.library.helpers import fresh

if TYPE_CHECKING:
    from nowhere import Missing

late = pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations are computed with the function")


def everything(
    x: Tensor,
    y: Optional[Tensor],  # noqa: UP045
    zs: List[Tensor],  # noqa: UP006
    ws: Sequence[Tensor | None],
    n: int,
    ns: list[int] | None,
    number: Union[int, float],  # noqa: UP007
    text: "Tensor | None",
    texts: list["Tensor"],
    d: ad.dtype | None = None,
    *,
    flag: bool = False,
    device: ad.device = "cpu",
) -> tuple[Tensor, list[Tensor], int]: ...  # type: ignore[empty-body]


def test_schema() -> None:
    assert library.infer_schema(everything, mutates_args=(), op_name="f") == (
        "f(Tensor x, Tensor? y, Tensor[] zs, Tensor?[] ws, SymInt n, SymInt[]? ns, Scalar number, Tensor? text, "
        'Tensor[] texts, ScalarType? d=None, *, bool flag=False, Device device="cpu") -> (Tensor, Tensor[], SymInt)'
    )


def test_custom_operator() -> None:
    @library.custom_op(fresh("scale"), mutates_args=())
    def scale(x: Tensor, by: float = 3.0) -> Tensor:
        return ad.from_numpy(x.numpy() * by)

    scale.register_autograd(
        lambda ctx, grad: (grad * ctx.by, None),
        setup_context=lambda ctx, inputs, output: setattr(ctx, "by", inputs[1]),
    )
    x = ad.ones(2).requires_grad_()
    assert ad.autograd.grad(scale(x, 2.0).sum(), x)[0].tolist() == [2.0, 2.0]
    assert inspect.signature(scale) == inspect.signature(scale.prototype)
    assert inspect.get_annotations(scale) == {"x": Tensor, "by": float, "return": Tensor}


def test_wrapped_function() -> None:
    @library.wrap_numpy
    def double(x: Any) -> Any:
        return 2 * x

    assert inspect.get_annotations(double) == {"x": Any, "return": Any}


def _namespace_without_tensor(source: str) -> dict[str, Any]:
    """The names that a module of this text would have, in which an annotation cannot be computed."""
    names: dict[str, Any] = {"__name__": "elsewhere", "Optional": Optional, "Sequence": Sequence}
    exec(compile(source, "elsewhere.py", "exec", dont_inherit=True), names)
    return names


@late
def test_names_that_annotations_may_use_without_importing_them() -> None:
    """The same names as in annotations that are strings."""
    made = _namespace_without_tensor(
        "def f(x: Tensor, y: Tensor | None, z: Optional[Tensor], ws: Sequence[Tensor], n: int, d: dtype) "
        "-> tuple[Tensor, Tensor]: ..."
    )
    assert library.infer_schema(made["f"], mutates_args=()) == (
        "(Tensor x, Tensor? y, Tensor? z, Tensor[] ws, SymInt n, ScalarType d) -> (Tensor, Tensor)"
    )


@late
def test_name_that_means_nothing() -> None:
    def f(x: Missing) -> Tensor: ...  # type: ignore[empty-body]

    with pytest.raises(ValueError, match="the annotation 'Missing' means nothing there"):
        library.infer_schema(f, mutates_args=())


@late
def test_functions_whose_annotations_do_not_matter() -> None:
    """Rules and kernels may be annotated with what is imported for type checkers only."""

    def kernel(x: Missing, by: Missing = 2.0) -> Missing:
        return x * by

    op = library.custom_op(fresh(), kernel, mutates_args=(), schema="(Tensor x, float by=2.0) -> Tensor")
    assert list(inspect.signature(op, annotation_format=_forward_references()).parameters) == ["x", "by"]

    def save(inputs: Missing, output: Missing) -> Missing:
        return inputs.by

    def backward(ctx: Missing, saved: Missing, grad: Missing) -> Missing:
        return {"x": grad * saved}

    op.impl_save_for_backward(save)
    op.impl_backward(backward)
    x = ad.ones(2).requires_grad_()
    assert ad.autograd.grad(op(x, 3.0).sum(), x)[0].tolist() == [3.0, 3.0]

    def too_few(x: Missing) -> Missing: ...

    short = library.custom_op(fresh(), too_few, mutates_args=(), schema="(Tensor x, float by=2.0) -> Tensor")
    with pytest.raises(TypeError, match="takes"):
        short(ad.ones(2), 3.0)


def _forward_references() -> Any:
    from annotationlib import Format

    return Format.FORWARDREF


@late
def test_custom_function() -> None:
    class Scale(ad.autograd.Function):
        @staticmethod
        def forward(x: Missing, by: Missing = 2.0) -> Missing:
            return x * by

        @staticmethod
        def setup_context(ctx: Missing, inputs: Missing, output: Missing) -> Missing:
            ctx.by = inputs[1]

        @staticmethod
        def backward(ctx: Missing, grad: Missing) -> Missing:
            return grad * ctx.by, None

    x = ad.ones(2).requires_grad_()
    assert ad.autograd.grad(Scale.apply(x).sum(), x)[0].tolist() == [2.0, 2.0]
