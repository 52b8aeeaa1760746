"""A program as users write them. pyright in strict mode accepts it and knows every type in it; and it runs."""

from __future__ import annotations

from typing import assert_type

import numpy as np

import adjoint as ad
from adjoint import Tensor, nn
from adjoint.autograd import forward_ad
from adjoint.autograd.function import FunctionCtx, once_differentiable


class Cube(ad.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, scale: float = 1.0) -> Tensor:
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x**3 * scale

    @staticmethod
    @once_differentiable
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return grad * 3 * ctx.scale * x**2, None


@ad.library.custom_op("client::double", mutates_args=())
def double(x: Tensor) -> Tensor:
    return ad.from_numpy(2 * x.numpy())


def loss(weight: Tensor, x: Tensor) -> Tensor:
    return (x @ weight).tanh().square().mean()


def cubes(x: Tensor) -> Tensor:
    return (x**3).sum()


def total(parameters: dict[str, Tensor], x: Tensor) -> tuple[Tensor, Tensor]:
    prediction = x @ parameters["weight"] + parameters["bias"]
    return prediction.sum(), prediction


@ad.no_grad()
def step(weight: Tensor, gradient: Tensor, rate: float = 0.1) -> float:
    weight.sub_(gradient, alpha=rate).clamp_(min=-10)
    return weight.abs().max().item()


def creation_and_arithmetic() -> Tensor:
    x = ad.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=ad.float64, requires_grad=True)
    y = ad.zeros(2, 2, dtype=ad.float64) + ad.ones_like(x) - ad.arange(0, 2, dtype=ad.float64)
    y += 1
    y[0, :1] = 5.0
    mask = (x > 2) & ~(y == 1)
    picked = 2 / x[mask] + x[0, None, ..., -1] @ np.ones(1)
    assert_type(x.shape, ad.Size)
    assert_type(x.shape[0], int)
    assert_type((x.dtype, x.device.type, x.size(-1)), tuple[ad.dtype, str, int])
    assert_type(ad.cat([x, y], dim=1).reshape(4, -1).permute(1, 0).to(ad.float32), Tensor)
    return ad.where(x > 0, x, y).sum(dim=(0, 1)) + picked.sum(axis=0, keepdims=True)


def reductions(x: Tensor) -> None:
    assert_type(x.max(), Tensor)
    values, indices = x.max(dim=0)
    assert_type(values.mul(indices), Tensor)
    assert_type(ad.sort(x, descending=True).indices, Tensor)
    assert_type(x.topk(1).values, Tensor)
    assert_type(ad.std_mean(x, 0), tuple[Tensor, Tensor])
    assert_type(ad.unique(x, return_inverse=True), tuple[Tensor, Tensor])
    assert_type(x.split([1, 1], dim=1), tuple[Tensor, ...])
    assert_type(ad.where(x > 0), tuple[Tensor, ...])
    assert_type(ad.linalg.svd(x, full_matrices=False).Vh, Tensor)
    assert_type(ad.fft.rfft(x, norm="ortho").abs(), Tensor)
    assert_type(ad.special.logit(x.sigmoid(), eps=1e-6), Tensor)
    assert_type(ad.nonzero(x, as_tuple=True), tuple[Tensor, ...])


def differentiation(x: Tensor) -> None:
    seen: list[Tensor] = []
    handle = x.register_hook(seen.append)
    Cube.apply(x, 2.0).sum().backward(retain_graph=True)
    handle.remove()
    assert x.grad is not None
    assert_type(Cube.apply(x), Tensor)
    assert_type(double(x.detach()), Tensor)
    assert_type(ad.autograd.grad((x * x).sum(), [x], create_graph=True), tuple[Tensor, ...])
    assert_type(ad.autograd.grad((x * x).sum(), x, allow_unused=True), tuple[Tensor | None, ...])
    with forward_ad.dual_level():
        assert_type(forward_ad.unpack_dual(forward_ad.make_dual(x, ad.ones_like(x))).tangent, Tensor | None)
    with ad.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t), ad.enable_grad():
        node = (x * 2).grad_fn
    assert node is not None and node.name()


def transforms(weight: Tensor, x: Tensor) -> None:
    assert_type(ad.func.grad(loss)(weight, x), Tensor)
    assert_type(ad.vmap(ad.func.grad(loss), in_dims=(None, 0))(weight, x), Tensor)
    gradients, prediction = ad.func.grad(total, has_aux=True)({"weight": weight, "bias": weight[0]}, x)
    assert_type((gradients, prediction), tuple[dict[str, Tensor], Tensor])
    value, pull_back = ad.func.vjp(loss, weight, x)
    assert_type((value, pull_back(ad.ones(()))), tuple[Tensor, tuple[Tensor, ...]])
    assert_type(ad.func.jvp(lambda t: t.exp(), (x,), (x,)), tuple[Tensor, Tensor])
    assert_type(ad.func.hessian(cubes)(weight), Tensor)
    assert_type(step(weight, ad.func.grad(loss, argnums=(0, 1))(weight, x)[0]), float)


class Net(nn.Module):
    conv: nn.Conv2d

    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, width, 3, padding="same")
        self.norm = nn.BatchNorm2d(width)
        self.pool = nn.Sequential(nn.LeakyReLU(0.1, inplace=True), nn.MaxPool2d(2, stride=2))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(p=0.3), nn.Linear(width * 4, 10))
        self.scale = nn.Parameter(ad.ones(1))
        self.register_buffer("count", ad.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.pool(self.norm(self.conv(x)))) * self.scale


def network() -> None:
    net = Net()
    for loss_fn in (nn.CrossEntropyLoss(ad.ones(10), reduction="sum"), nn.CrossEntropyLoss(label_smoothing=0.1)):
        loss_fn(net(ad.ones(2, 1, 4, 4)), ad.tensor([1, 2])).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    net.conv.weight = nn.Parameter(ad.zeros(4, 1, 3, 3))
    net.load_state_dict(net.state_dict())
    assert_type(net.to(ad.float64).eval().requires_grad_(False), Net)
    _, (hidden, _) = nn.LSTM(3, 4, bidirectional=True)(ad.ones(5, 2, 3))
    assert_type(nn.functional.relu(nn.ConstantPad1d(1, 3.5)(hidden)), Tensor)
    nn.GaussianNLLLoss(full=True, eps=1e-3)(ad.ones(2), ad.zeros(2), ad.ones(2))


def main() -> None:
    ad.manual_seed(0)
    generator = ad.Generator().manual_seed(1)
    x = ad.rand(3, 2, generator=generator) + ad.randint(1, 3, (2,))
    creation_and_arithmetic().backward(ad.ones(1, dtype=ad.float64))
    reductions(x)
    differentiation(ad.randn(3, requires_grad=True))
    transforms(ad.randn(2), x)
    network()


if __name__ == "__main__":
    main()
