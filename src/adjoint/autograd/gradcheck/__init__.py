"""Numerical checks of derivatives: `gradcheck`, `gradgradcheck` and `dotcheck` (dot product test).

The implementation is in `autograd/gradcheck/compare.py`, which is imported when one of them is first called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["GradcheckError", "dotcheck", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """Error of a failed check: the message has the wrong derivative, its place and its error."""


def _comparison() -> Any:
    from adjoint.autograd.gradcheck import compare  # half of the import time of `adjoint.autograd`, and rarely needed

    return compare


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float | None = None,
    rtol: float | None = None,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the derivatives of a function with finite differences.

    Without `atol` and `rtol` the tolerance is the accuracy of the differences: relative errors of 1e-6 are found. With
    either of them the test is ``|analytical - numerical| <= atol + rtol * |numerical|``, where the other one has
    PyTorch's default (1e-5 and 1e-3). Central differences of step `eps` come first; where they are too inaccurate, they
    are replaced by larger ones that are extrapolated to step zero, accurate to 1e-10 and better.

    Complex numbers are treated as pairs of real ones, for inputs and outputs.

    The result is about the given inputs alone. Where the function jumps, or a mask and with it an output's shape
    changes, within a step of them, that is an error; farther away it is no matter.

    Args:
        func: takes the inputs, returns a tensor or a tuple of them.
        inputs: a tensor or a tuple; those that require grad are checked. They should be of double precision.
        eps: the step of the differences.
        atol, rtol: tolerances.
        raise_exception: raise `GradcheckError` instead of returning False.
        nondet_tol: how far two backward passes may differ.
        check_undefined_grad: check that backward works if outputs have no gradient (None).
        check_grad_dtypes: check that gradients have the dtypes of their inputs.
        check_batched_grad: check backward passes of a batch of gradients, by `vmap`.
        check_batched_forward_grad: the same for a batch of tangents.
        check_forward_ad: check forward mode; if reverse mode is checked too, also `dotcheck`.
        check_backward_ad: check reverse mode.
        fast_mode: check in random directions only instead of element by element.
        masked: accepted for compatibility and ignored: there are no sparse tensors.

    Returns:
        True if everything is right.

    Example:
        >>> x = ad.tensor([1.0, 2.0], dtype=ad.float64, requires_grad=True)
        >>> ad.autograd.gradcheck(lambda x: x.sin() * x, (x,))
        True
    """
    compare = _comparison()
    options = compare.Options(
        eps=eps,
        atol=atol,
        rtol=rtol,
        nondet_tol=nondet_tol,
        undefined=check_undefined_grad,
        dtypes=check_grad_dtypes,
        batched=check_batched_grad,
        batched_forward=check_batched_forward_grad,
        forward=check_forward_ad,
        reverse=check_backward_ad,
        fast=fast_mode,
    )
    try:
        compare.check(func, inputs, options)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float | None = None,
    rtol: float | None = None,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Check second derivatives by finite differences: `gradcheck` of the backward pass.

    Args:
        func, inputs: as for `gradcheck`.
        grad_outputs: the gradients of the outputs with which the first pass starts (default: random ones).
        gen_non_contig_grad_outputs: make random ones that are not contiguous.
        check_fwd_over_rev: check forward mode through the backward pass.
        check_rev_over_rev: check reverse mode through the backward pass.
        eps, atol, rtol, raise_exception, nondet_tol, fast_mode, masked: as for `gradcheck`.
        check_undefined_grad, check_grad_dtypes, check_batched_grad: as for `gradcheck`.

    Returns:
        True if everything is right.

    Example:
        >>> x = ad.tensor([1.0, 2.0], dtype=ad.float64, requires_grad=True)
        >>> ad.autograd.gradgradcheck(lambda x: x.sin() * x, (x,))
        True
    """
    function, arguments = _comparison().backward_as_function(func, inputs, grad_outputs, gen_non_contig_grad_outputs)
    return gradcheck(
        function,
        arguments,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


def dotcheck(
    func: Callable[..., Any], inputs: Any, *, tolerance: float = 100.0, trials: int = 3, raise_exception: bool = True
) -> bool:
    """Compare forward and reverse mode by the dot product test: <J t, g> = <t, J^T g> up to rounding.

    There are no finite differences, so the test is exact: a rule that is wrong by 1e-13 in one of the two modes is
    found. An error that both have in common is not; `gradcheck` finds that.

    Args:
        func: takes the inputs, returns a tensor or a tuple of them.
        inputs: a tensor or a tuple; those that require grad get tangents.
        tolerance: rounding errors that are allowed, in units of eps times the sum of the absolute values of all terms.
            If that is exceeded, the rounding error is measured, for the sake of ill-conditioned functions.
        trials: how many pairs of random t and g to try.
        raise_exception: raise `GradcheckError` instead of returning False.

    Returns:
        True if the modes agree.

    Example:
        >>> x = ad.tensor([1.0, 2.0], dtype=ad.float64, requires_grad=True)
        >>> ad.autograd.dotcheck(lambda x: ad.cumprod(x, 0), (x,))
        True
    """
    try:
        _comparison().check_dot_products(func, inputs, tolerance, trials)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True
