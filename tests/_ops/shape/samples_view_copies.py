"""Samples of `_ops/shape/view_copies.py`."""

from __future__ import annotations

from tests.support.cases import call, cases, register

_COPIED = "as_strided diagonal expand permute split_with_sizes squeeze t transpose unbind unfold unsqueeze"
for _name in _COPIED.split():
    register(f"{_name}_copy", lambda t, name=_name: cases[name].make_samples(t), complex=True)
register("narrow_copy", lambda t: [call(t(3, 4), 1, 1, 2), call(t(3), 0, 1, 2)], complex=True)
register("view_copy", lambda t: [call(t(4, 3), (2, 2, 3)), call(t(6), (2, -1)), call(t(0, 3), (3, 0))], complex=True)
register("split_copy", lambda t: [call(t(5, 2), 2), call(t(3, 4), 3, -1)], complex=True)
register("view_as_real_copy", lambda t: [call(t(3, 4))], complex="only")
for _options in ({}, {"complex": "only", "oracle": None}):  # PyTorch has no derivatives of the complex ones
    register("select_copy", lambda t: [call(t(3, 4), 0, 1), call(t(3, 4), -1, -2)], **_options)
    register("slice_copy", lambda t: [call(t(5, 2), 0, 1, 4, 2), call(t(3, 4), -1, -3), call(t(3))], **_options)
register("view_as_complex_copy", lambda t: [call(t.real(3, 4, 2))], oracle=None)
register("alias_copy", lambda t: [call(t(3, 4)), call(t())], complex=True)
for options in ({}, {"complex": "only", "oracle": None}):  # PyTorch has no derivative of the complex ones
    register("select_scatter", lambda t: [call(t(3, 4), t(4), 0, 1), call(t(3, 4), t(3), -1, -2)], **options)
    register(
        "slice_scatter",
        lambda t: [call(t(3, 4), t(2, 4), 0, 1, 3), call(t(3, 4), t(3, 2), 1, 0, 4, 2), call(t(3), t(3))],
        **options,
    )
register("diagonal_scatter", lambda t: [call(t(3, 4), t(3)), call(t(2, 3, 4), t(2, 3), 1, 1, 2)], complex=True)
register(
    "as_strided_scatter",
    lambda t: [call(t(6), t(2, 2), (2, 2), (3, 1)), call(t(2, 3), t(2), (2,), (2,), 1)],
    complex=True,
    oracle=None,  # PyTorch gives the input the gradient of the part that was replaced
)
