"""Solve a partial differential equation with a physics-informed network: Burgers' equation, on its way to a shock.

u_t + u u_x = ν u_xx describes a fluid whose waves steepen as they travel, and viscosity ν that smooths them. The
network maps (t, x) to u. It never sees a solution: its loss is how far its own derivatives, which autograd takes, miss
the equation at scattered points. Initial and boundary values, -sin πx and 0, are built into it. The exact solution
(Cole and Hopf) is only compared with. The initial weights come from a formula: the file gives the same curve when its
line `import adjoint as ad` says `import torch as ad`.
"""

import argparse

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from tqdm import tqdm

import adjoint as ad

nn = ad.nn
VISCOSITY = 0.03


class Solution(nn.Module):
    """u(t, x), right at t = 0 and at x = ±1 whatever the weights."""

    def __init__(self, width=24):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(),
            nn.Linear(width, 1),
        )  # fmt: skip
        self.double()
        set_weights(self)

    def forward(self, t, x):
        free = self.layers(ad.stack([2 * t - 1, x], dim=-1))[:, 0]
        return -ad.sin(np.pi * x) + t * (1 - x * x) * free


def set_weights(model):
    """Weights of variance 1/(number of inputs), from the digits of sines, which look random and are always the same."""
    with ad.no_grad():
        for seed, parameter in enumerate(model.parameters()):
            n = np.arange(parameter.numel()) + 1 + 0.1 * seed
            noise = 2 * (43758.5453 * np.sin(12.9898 * n) % 1) - 1
            bound = (3 / parameter.shape[1]) ** 0.5 if parameter.ndim > 1 else 0.5
            parameter.copy_(ad.tensor(bound * noise.reshape(parameter.shape)))


def miss_equation(u, t, x):
    """u_t + u u_x - ν u_xx at the points (t, x), which require gradients."""
    value = u(t, x)
    by_t, by_x = ad.autograd.grad(value.sum(), (t, x), create_graph=True)
    (by_xx,) = ad.autograd.grad(by_x.sum(), x, create_graph=True)
    return by_t + value * by_x - VISCOSITY * by_xx


def scatter_points(count):
    """Points that fill the domain evenly (a Kronecker sequence), with more of them where the shock will be."""
    n = np.arange(1, count + 1)
    t, x = n * 0.7548776662 % 1, 2 * (n * 0.5698402910 % 1) - 1
    x = np.where(n % 2, x, x**3)
    return ad.tensor(t, requires_grad=True), ad.tensor(x, requires_grad=True)


def train(steps, points):
    """The solution, and the loss before each step, which is twenty iterations of a quasi-Newton method."""
    u = Solution()
    t, x = scatter_points(points)
    optimizer = ad.optim.LBFGS(u.parameters(), max_iter=20, history_size=50, line_search_fn="strong_wolfe")

    def evaluate():
        optimizer.zero_grad()
        loss = miss_equation(u, t, x).square().mean()
        loss.backward()
        return loss

    losses = []
    with tqdm(total=steps, desc="solving", unit="step") as progress:
        for _ in range(steps):
            losses.append(optimizer.step(evaluate).item())
            progress.set_postfix(loss=f"{losses[-1]:.2e}", refresh=False)
            progress.update()
    return u, np.array(losses)


def exact(t, x):
    """Cole and Hopf turn the equation into that of heat; its integral over a Gaussian is a sum (Gauss and Hermite)."""
    nodes, weights = np.polynomial.hermite.hermgauss(80)
    y = x[..., None] - np.sqrt(4 * VISCOSITY * t[..., None]) * nodes
    heat = weights * np.exp(-(np.cos(np.pi * y)) / (2 * np.pi * VISCOSITY))
    return -(np.sin(np.pi * y) * heat).sum(-1) / heat.sum(-1)


def evaluate_on_grid(u, shape=(101, 201)):
    t, x = np.meshgrid(np.linspace(0, 1, shape[0]), np.linspace(-1, 1, shape[1]), indexing="ij")
    with ad.no_grad():
        found = u(ad.tensor(t.ravel()), ad.tensor(x.ravel())).numpy().reshape(shape)
    return t, x, found, exact(t, x)


def draw(path, t, x, found, truth, losses):
    figure, axes = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
    field, error, slices, loss = axes.flat
    mesh = field.pcolormesh(t, x, found, cmap="RdBu_r", vmin=-1, vmax=1, shading="gouraud")
    field.set(title="The network's solution u(t, x)", xlabel="time", ylabel="x")
    figure.colorbar(mesh, ax=field)
    mesh = error.pcolormesh(t, x, np.abs(found - truth), cmap="magma", shading="gouraud")
    error.set(title="Distance from the exact solution", xlabel="time", ylabel="x")
    figure.colorbar(mesh, ax=error)
    for row, color in zip((0, 25, 50, 100), plt.cm.viridis(np.linspace(0, 0.85, 4))):
        slices.plot(x[row], truth[row], color=color, linewidth=4, alpha=0.35)
        slices.plot(x[row], found[row], color=color, linewidth=1.2, label=f"t = {t[row, 0]:.2f}")
    slices.set(title="A wave steepens (wide lines: exact)", xlabel="x", ylabel="u")
    slices.legend()
    loss.semilogy(losses, color="tab:red")
    loss.set(title="Mean squared miss of the equation", xlabel="step of twenty iterations")
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="physics_informed.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--steps", type=int, default=50, help="steps of twenty iterations each (%(default)s)")
    parser.add_argument("--points", type=int, default=1200, help="points where the equation is to hold (%(default)s)")
    options = parser.parse_args(arguments)

    u, losses = train(options.steps, options.points)
    t, x, found, truth = evaluate_on_grid(u)
    error = np.sqrt(((found - truth) ** 2).mean() / (truth**2).mean())
    draw(options.out, t, x, found, truth, losses)
    print(f"The network misses the exact solution by {error:.2%} (root mean square).")
    print(f"The picture is in {options.out}")
    return losses, error


if __name__ == "__main__":
    main()
