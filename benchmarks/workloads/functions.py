"""Custom Functions: what one costs beyond the operators in it. Both libraries run the same class."""

import numpy as np

from benchmarks.harness import Timed

SMALL = np.linspace(0.5, 1.5, 10, dtype=np.float32)


def square(lib):
    """A Function as the documentation writes it."""

    class Square(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    return Square


function = Timed("function", "one custom Function on 10 elements, forward and backward", {"torch": 0.6}, detail=True)


@function.contender("adjoint", "torch")
def _(lib):
    x, ones = lib.tensor(SMALL, requires_grad=True), lib.ones(10)
    apply = square(lib).apply

    def step():
        x.grad = None
        apply(x).backward(ones)
        return [x.grad]

    return step


functions = Timed("functions", "20 custom Functions with a context set up afterwards", {"torch": 0.6}, detail=True)


@functions.contender("adjoint", "torch")
def _(lib):
    class Scale(lib.autograd.Function):
        @staticmethod
        def forward(x, factor):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.factor, None

    x = lib.tensor(SMALL, requires_grad=True)

    def step():
        x.grad = None
        y = x
        for _ in range(20):
            y = Scale.apply(y, 1.01)
        y.sum().backward()
        return [x.grad]

    return step
