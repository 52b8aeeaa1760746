"""Samples of `_ops/elementwise/activation.py`."""

from __future__ import annotations

from tests.support.cases import call, register, register_functional
from tests.support.sampling import unary

unary("relu")
# Those that are no methods have their in-place variants elsewhere (`operator.in_place`, for adjoint.nn).
unary("relu6 selu silu mish hardswish", in_place=False)
# PyTorch's derivative is 1/6 in single precision.
unary("hardsigmoid", in_place=False, rtol=1e-6, second=False)
unary("hardsigmoid", in_place=False, oracle=None)
unary("gelu softsign logsigmoid tanhshrink")
register("gelu", lambda t: [call(t(3, 4), approximate="tanh"), call(t(3), approximate="none")])
register("leaky_relu", lambda t: [call(t(3, 4)), call(t(), 0.2), call(t(0, 2)), call(t(3), -0.5)], in_place=False)
for _name in ("elu", "celu"):
    register(_name, lambda t: [call(t(3, 4)), call(t(3), 0.7), call(t(), 2.0), call(t(0, 2))], in_place=False)
register(
    "softplus",
    lambda t: [call(t(3, 4)), call(t(3), 2.0), call(t(3, low=-40, high=40)), call(t(5), 1.5, 0.3), call(t(0, 2))],
)
register("hardtanh", lambda t: [call(t(3, 4)), call(t(3), -0.4, 1.7), call(t()), call(t(0, 2))], in_place=False)
for _name in ("hardshrink", "softshrink"):
    register(_name, lambda t: [call(t(3, 4)), call(t(3), 1.0), call(t()), call(t(0, 2))])
register("threshold", lambda t: [call(t(3, 4), 0.5, 7.0), call(t(), -0.5, 0.0), call(t(0, 2), 0, 0)], in_place=False)
register(
    "prelu",
    lambda t: [
        call(t(3, 4), t(4)),
        call(t(3, 4), t(1)),
        call(t(2, 3, 2), t(3)),
        call(t(3), t(1)),
        call(t(3), t()),
        call(t(0, 2), t(2)),
    ],
)


register("rrelu", lambda t: [call(t(3, 4)), call(t(3), 0.1, 0.3)], in_place=False)


register("rrelu", lambda t: [call(t(3, 4), 0.1, 0.3, True)], oracle=None, in_place=False)


register("rrelu_", lambda t: [call(t(3, 4)), call(t(3), 0.1, 0.3)])


register_functional("glu", lambda t: [call(t(4)), call(t(3, 6), 1), call(t(4, 3), 0), call(t(2, 4, 3), -2)])
