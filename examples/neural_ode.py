"""Learn the law of motion of a pendulum from noisy measurements: a neural ODE, trained through its integrator.

The network is the right-hand side of x' = f(x), for the angle and the speed of a pendulum with friction, of which it is
told nothing. It sees five short noisy recordings, cut into pieces of two seconds, and integrates them by Runge-Kutta
steps, side by side as one batch. What it has learned is tried from places it never saw, for ten times as long.
"""

import argparse

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from tqdm import trange

import adjoint as ad
from adjoint import nn

STEP = 0.1
RECORDED, PIECE = 120, 20  # steps of a recording, and of the pieces it is cut into
FRICTION = 0.25
NOISE = 0.03
STARTS = np.array([[2.8, 0.0], [1.5, 0.0], [-1.0, 1.5], [-3.0, 2.4], [0.0, -2.2]])
NEW_STARTS = np.array([[-2.4, 0.3], [3.0, -2.0], [0.8, 1.8]])


def true_motion(x):
    angle, speed = x[..., 0], x[..., 1]
    return np.stack([speed, -np.sin(angle) - FRICTION * speed], -1)


def runge_kutta(f, x, h=STEP):
    k1 = f(x)
    k2 = f(x + h / 2 * k1)
    k3 = f(x + h / 2 * k2)
    k4 = f(x + h * k3)
    return x + h / 6 * (k1 + 2 * (k2 + k3) + k4)


def integrate(f, x, steps):
    """All states on the way, the first included."""
    states = [x]
    for _ in range(steps):
        states.append(runge_kutta(f, states[-1]))
    return states


class Motion(nn.Module):
    """The law to be found. The angle comes in by sine and cosine: a full turn later everything is the same."""

    def __init__(self, width=32):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(3, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 2)
        )
        self.double()

    def forward(self, x):
        angle, speed = x[..., 0], x[..., 1]
        return self.layers(ad.stack([angle.sin(), angle.cos(), speed], dim=-1))


def record(random):
    """Measurements of shape (recordings, times, 2)."""
    states = np.stack(integrate(true_motion, STARTS, RECORDED), 1)
    return states + random.normal(0, NOISE, states.shape)


def train(measured, steps, batch=96):
    """The law, and the loss at each step."""
    motion = Motion()
    pieces = np.lib.stride_tricks.sliding_window_view(measured, PIECE + 1, axis=1).transpose(0, 1, 3, 2)
    pieces = ad.tensor(pieces.reshape(-1, PIECE + 1, 2).copy())
    optimizer = ad.optim.Adam(motion.parameters(), lr=0.01)
    schedule = ad.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    losses = []
    progress = trange(steps, desc="learning", unit="step")
    for _ in progress:
        piece = pieces[ad.randperm(len(pieces))[:batch]]
        found = ad.stack(integrate(motion, piece[:, 0], PIECE), dim=1)
        loss = (found - piece).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        progress.set_postfix(loss=f"{losses[-1]:.5f}", refresh=False)
    return motion, np.array(losses)


def forecast(motion, starts, steps):
    with ad.no_grad():
        return ad.stack(integrate(motion, ad.tensor(starts), steps), dim=1).numpy()


def draw(path, motion, measured, truth, found, losses):
    figure, axes = plt.subplots(2, 2, figsize=(12, 8), layout="constrained", width_ratios=[1.25, 1])
    (field, loss), (swing, error) = axes
    angle, speed = np.meshgrid(np.linspace(-5, 5, 60), np.linspace(-3, 3, 50))
    grid = np.stack([angle, speed], -1)
    with ad.no_grad():
        learned = motion(ad.tensor(grid)).numpy()
    arrows = {"color": "0.75", "density": 1.3, "linewidth": 0.7, "arrowsize": 0.7}
    field.streamplot(angle, speed, learned[..., 0], learned[..., 1], **arrows)
    for k, states in enumerate(measured):
        field.plot(*states.T, ".", markersize=3, color="tab:orange", label=None if k else "recorded")
    for k, states in enumerate(found):
        field.plot(*states.T, color="tab:blue", linewidth=1.2, label=None if k else "forecast from new places")
    field.set(title="The law it learned", xlabel="angle", ylabel="speed", xlim=(-5, 5), ylim=(-3, 3))
    field.legend(loc="upper right")
    loss.semilogy(losses, color="tab:red", linewidth=0.8)
    loss.axhline(2 * NOISE**2, color="0.3", linestyle=":", label="noise of the start and of the measurement")
    loss.set(title="Mean squared error of the pieces", xlabel="step")
    loss.legend()
    times = STEP * np.arange(truth.shape[1])
    for states, forecasts, color in zip(truth, found, ("tab:blue", "tab:green", "tab:purple")):
        swing.plot(times, states[:, 0], color=color, linewidth=4, alpha=0.3)
        swing.plot(times, forecasts[:, 0], color=color, linewidth=1.2)
    swing.set(title="Forecasts from new places (wide lines: truth)", xlabel="time", ylabel="angle")
    difference = np.linalg.norm(learned - true_motion(grid), axis=-1)
    mesh = error.pcolormesh(angle, speed, difference, cmap="magma_r", shading="gouraud", vmax=1, vmin=0)
    error.plot(*measured.reshape(-1, 2).T, ".", markersize=1, color="tab:blue")
    error.set(title="How far the law is off (dots: where it was recorded)", xlabel="angle", ylabel="speed")
    error.set(xlim=(-5, 5), ylim=(-3, 3))
    figure.colorbar(mesh, ax=error, extend="max")
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="neural_ode.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--steps", type=int, default=600, help="steps of gradient descent (%(default)s)")
    options = parser.parse_args(arguments)

    ad.manual_seed(0)
    measured = record(np.random.default_rng(0))
    motion, losses = train(measured, options.steps)
    truth = np.stack(integrate(true_motion, NEW_STARTS, 10 * PIECE), 1)
    found = forecast(motion, NEW_STARTS, 10 * PIECE)
    error = np.sqrt(((found - truth) ** 2).mean())
    draw(options.out, motion, measured, truth, found, losses)
    print(f"From places never seen, forecasts over {10 * PIECE * STEP:.0f} seconds miss by {error:.3f} on average.")
    print(f"The picture is in {options.out}")
    return losses, error


if __name__ == "__main__":
    main()
