"""Fit a damped oscillator to noisy measurements, by gradients through a numerical integrator.

The model is x'' = -2 ζω x' - ω² x, integrated by Runge-Kutta steps and observed with an offset and noise. A row of
first guesses, an order of magnitude apart, is fitted side by side as one batch: it costs little more than one, and
when they end in the same place that place is no local optimum. The data come from the exact solution, which the fit
never sees.
"""

import argparse
import math

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from tqdm import trange

import adjoint as ad

NAMES = ("frequency ω", "damping ratio ζ", "amplitude", "phase", "offset")
TRUTH = np.array([2.6, 0.05, 1.5, 0.6, 0.3])
NOISE = 0.15
STEP = 0.1
TIMES = STEP * np.arange(121)


def exact(parameters, times):
    omega, zeta, amplitude, phase, offset = parameters
    damped = omega * math.sqrt(1 - zeta**2)
    return offset + amplitude * np.exp(-zeta * omega * times) * np.cos(damped * times + phase)


def simulate(omega, zeta, amplitude, phase, offset):
    """Positions at TIMES, shape (121, ...), for parameters of any common shape."""
    friction = -2 * zeta * omega
    stiffness = -omega * omega

    def acceleration(x, v):
        return friction * v + stiffness * x

    x = amplitude * phase.cos()
    v = -amplitude * omega * (zeta * phase.cos() + (1 - zeta * zeta).sqrt() * phase.sin())
    positions = [x]
    for _ in TIMES[1:]:
        x, v = runge_kutta(acceleration, x, v)
        positions.append(x)
    return ad.stack(positions) + offset


def runge_kutta(acceleration, x, v, h=STEP):
    # v1..v4 and a1..a4 are the slopes of x and of v at the four stages.
    v1, a1 = v, acceleration(x, v)
    v2 = v + h / 2 * a1
    a2 = acceleration(x + h / 2 * v1, v2)
    v3 = v + h / 2 * a2
    a3 = acceleration(x + h / 2 * v2, v3)
    v4 = v + h * a3
    a4 = acceleration(x + h * v3, v4)
    return x + h / 6 * (v1 + 2 * (v2 + v3) + v4), v + h / 6 * (a1 + 2 * (a2 + a3) + a4)


def fit(measured, steps):
    """The best guess's parameters and the loss of every guess at every step."""
    guesses = np.linspace(1.0, 10.0, 16)
    ones = np.ones_like(guesses)
    # Frequency and damping are fitted as logarithms, which keeps them positive.
    start = np.stack([np.log(guesses), np.log(0.1) * ones, ones, 0 * ones, 0 * ones])
    raw = ad.tensor(start, requires_grad=True)
    target = ad.tensor(measured)[:, None]
    adam = Adam(raw)
    history = []
    progress = trange(steps, desc="fitting", unit="step")
    for step in progress:
        losses = (simulate(*natural(raw)) - target).square().mean(0)
        losses.sum().backward()  # the guesses are independent: each gets the gradient of its own loss
        adam.update(0.1 * (1 + math.cos(math.pi * step / steps)) / 2)
        history.append(losses.detach().numpy().copy())
        if step % 10 == 0:
            progress.set_postfix(best=f"{history[-1].min():.4f}")
    best = history[-1].argmin()
    found = np.array([float(row[best]) for row in natural(raw.detach())])
    return one_of_equals(found), np.array(history), best


def natural(raw):
    log_omega, log_zeta, amplitude, phase, offset = raw
    return log_omega.exp(), log_zeta.exp(), amplitude, phase, offset


def one_of_equals(parameters):
    """Of the parameters that mean the same motion, those with positive amplitude and phase within ±π."""
    omega, zeta, amplitude, phase, offset = parameters
    if amplitude < 0:
        amplitude, phase = -amplitude, phase + math.pi
    return np.array([omega, zeta, amplitude, math.remainder(phase, 2 * math.pi), offset])


class Adam:
    def __init__(self, parameter, decay=(0.9, 0.99)):
        self.parameter, self.decay, self.count = parameter, decay, 0
        self.mean, self.square = ad.zeros_like(parameter), ad.zeros_like(parameter)

    def update(self, rate):
        (b1, b2), g = self.decay, self.parameter.grad
        self.count += 1
        with ad.no_grad():
            self.mean = b1 * self.mean + (1 - b1) * g
            self.square = b2 * self.square + (1 - b2) * g * g
            mean, square = self.mean / (1 - b1**self.count), self.square / (1 - b2**self.count)
            self.parameter -= rate * mean / (square.sqrt() + 1e-12)
        self.parameter.grad = None


def standard_errors(parameters, measured):
    """From the curvature of the sum of squares: its second derivatives are gradients of its gradient."""
    p = ad.tensor(parameters, requires_grad=True)
    residuals = simulate(*p) - ad.tensor(measured)
    half_squares = residuals.square().sum() / 2
    (gradient,) = ad.autograd.grad(half_squares, p, create_graph=True)
    rows = [ad.autograd.grad(g, p, retain_graph=True)[0].numpy() for g in gradient]
    variance = 2 * half_squares.item() / (len(measured) - len(parameters))
    return np.sqrt(variance * np.diag(np.linalg.inv(np.stack(rows))))


def report(found, errors):
    print(f"\n{'':16}{'result':>10}{'truth':>10}{'std. error':>12}")
    for name, value, truth, error in zip(NAMES, found, TRUTH, errors):
        print(f"{name:16}{value:10.4f}{truth:10.4f}{error:12.4f}")


def draw(path, measured, found, history, best):
    figure, (motion, loss) = plt.subplots(2, figsize=(8, 7), layout="constrained", height_ratios=[3, 2])
    fine = np.linspace(TIMES[0], TIMES[-1], 1000)
    motion.plot(TIMES, measured, ".", color="0.55", label="measured")
    motion.plot(fine, exact(TRUTH, fine), color="tab:blue", linewidth=4, alpha=0.4, label="truth")
    motion.plot(fine, exact(found, fine), color="tab:red", linewidth=1.2, label="fit")
    motion.set(title="A damped oscillator, fitted through its integrator", xlabel="time", ylabel="position")
    motion.legend()
    loss.semilogy(history, color="0.8", linewidth=0.8)
    loss.semilogy(history[:, best], color="tab:red", label="the best of the guesses")
    loss.axhline(NOISE**2, color="0.3", linestyle=":", label="the noise's variance")
    loss.set(xlabel="step", ylabel="mean squared error")
    loss.legend()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="oscillator.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--steps", type=int, default=200, help="steps of gradient descent (%(default)s)")
    options = parser.parse_args(arguments)

    noise = np.random.default_rng(0).normal(0, NOISE, TIMES.shape)
    measured = exact(TRUTH, TIMES) + noise
    found, history, best = fit(measured, options.steps)
    errors = standard_errors(found, measured)
    report(found, errors)
    draw(options.out, measured, found, history, best)
    print(f"\nThe picture is in {options.out}")
    return found, errors


if __name__ == "__main__":
    main()
