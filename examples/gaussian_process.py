"""Forecast carbon dioxide in the air with a Gaussian process, whose kernel learns from the likelihood's gradient.

C. D. Keeling measured it on Mauna Loa every month. Twenty years of his record are given; the ten that follow test the
forecast and its error bars. The kernel is a sum: a smooth trend, a yearly cycle that slowly changes its shape, weather
on a scale of months, and noise. Their nine numbers maximise the likelihood of the record: gradients go through
building the covariance matrix, its Cholesky factor and the solution of a linear system.
"""

import argparse
import math

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from tqdm import trange

import adjoint as ad

# Parts per million, a line for each year from 1959 on, a number for each month.
RECORD = np.array("""
    315.42 316.31 316.50 317.56 318.13 318.00 316.39 314.65 313.68 313.18 314.66 315.43
    316.27 316.81 317.42 318.87 319.87 319.43 318.01 315.74 314.00 313.68 314.84 316.03
    316.73 317.54 318.38 319.31 320.42 319.61 318.42 316.63 314.83 315.16 315.94 316.85
    317.78 318.40 319.53 320.42 320.85 320.45 319.45 317.25 316.11 315.27 316.53 317.53
    318.58 318.92 319.70 321.22 322.08 321.31 319.58 317.61 316.05 315.83 316.91 318.20
    319.41 320.07 320.74 321.40 322.06 321.73 320.27 318.54 316.54 316.71 317.53 318.55
    319.27 320.28 320.73 321.97 322.00 321.71 321.05 318.71 317.66 317.14 318.70 319.25
    320.46 321.43 322.23 323.54 323.91 323.59 322.24 320.20 318.48 317.94 319.63 320.87
    322.17 322.34 322.88 324.25 324.83 323.93 322.38 320.76 319.10 319.24 320.56 321.80
    322.40 322.99 323.73 324.86 325.40 325.20 323.98 321.95 320.18 320.09 321.16 322.74
    323.83 324.26 325.47 326.50 327.21 326.54 325.72 323.50 322.22 321.62 322.69 323.95
    324.89 325.82 326.77 327.97 327.91 327.50 326.18 324.53 322.93 322.90 323.85 324.96
    326.01 326.51 327.01 327.62 328.76 328.40 327.20 325.27 323.20 323.40 324.63 325.85
    326.60 327.47 327.58 329.56 329.90 328.92 327.88 326.16 324.68 325.04 326.34 327.39
    328.37 329.40 330.14 331.33 332.31 331.90 330.70 329.15 327.35 327.02 327.99 328.48
    329.18 330.55 331.32 332.48 332.92 332.08 331.01 329.23 327.27 327.21 328.29 329.41
    330.23 331.25 331.87 333.14 333.80 333.43 331.73 329.90 328.40 328.17 329.32 330.59
    331.58 332.39 333.33 334.41 334.71 334.17 332.89 330.77 329.14 328.78 330.14 331.52
    332.75 333.24 334.53 335.90 336.57 336.10 334.76 332.59 331.42 330.98 332.24 333.68
    334.80 335.22 336.47 337.59 337.84 337.72 336.37 334.51 332.60 332.38 333.75 334.78
    336.05 336.59 337.79 338.71 339.30 339.12 337.56 335.92 333.75 333.70 335.12 336.56
    337.84 338.19 339.91 340.60 341.29 341.00 339.39 337.43 335.72 335.84 336.93 338.04
    339.06 340.30 341.21 342.33 342.74 342.08 340.32 338.26 336.52 336.68 338.19 339.44
    340.57 341.44 342.53 343.39 343.96 343.18 341.88 339.65 337.81 337.69 339.09 340.32
    341.20 342.35 342.93 344.77 345.58 345.14 343.81 342.21 339.69 339.82 340.98 342.82
    343.52 344.33 345.11 346.88 347.25 346.62 345.22 343.11 340.90 341.18 342.80 344.04
    344.79 345.82 347.25 348.17 348.74 348.07 346.38 344.51 342.92 342.62 344.06 345.38
    346.11 346.78 347.68 349.37 350.03 349.37 347.76 345.73 344.68 343.99 345.48 346.72
    347.84 348.29 349.23 350.80 351.66 351.07 349.33 347.92 346.27 346.18 347.64 348.78
    350.25 351.54 352.05 353.41 354.04 353.62 352.22 350.27 348.55 348.72 349.91 351.18
""".split(), dtype=float)  # fmt: skip
YEARS = 1959 + (np.arange(RECORD.size) + 0.5) / 12
GIVEN = 20 * 12
MEAN = RECORD[:GIVEN].mean()
START = {
    "trend, ppm": 50.0, "trend, years": 50.0,
    "cycle, ppm": 3.0, "cycle, years until it changes": 50.0, "cycle, roughness": 1.0,
    "weather, ppm": 0.5, "weather, years": 1.0, "weather, mix of scales": 1.0,
    "noise, ppm": 0.3,
}  # fmt: skip


def covariance(p, s, t):
    """How much the values at times s (rows) and t (columns) have to do with each other, noise aside."""
    d = s[:, None] - t
    square = d * d
    trend = p["trend, ppm"] ** 2 * (-0.5 * square / p["trend, years"] ** 2).exp()
    cycle = (
        p["cycle, ppm"] ** 2
        * (
            -0.5 * square / p["cycle, years until it changes"] ** 2
            - 2 * (math.pi * d).sin().square() / p["cycle, roughness"] ** 2
        ).exp()
    )
    mix = p["weather, mix of scales"]
    weather = p["weather, ppm"] ** 2 * (1 + 0.5 * square / (mix * p["weather, years"] ** 2)) ** -mix
    return trend + cycle + weather


def condition(p, t, y):
    """The Cholesky factor of the measurements' covariance, and its inverse times the measurements."""
    factor = ad.linalg.cholesky(covariance(p, t, t) + p["noise, ppm"] ** 2 * ad.eye(len(t), dtype=t.dtype))
    return factor, ad.cholesky_solve(y[:, None], factor)


def surprise(p, t, y):
    """The negative logarithm of the likelihood, for each measurement."""
    factor, solved = condition(p, t, y)
    return (y @ solved[:, 0] / 2 + factor.diagonal().log().sum()) / len(t) + math.log(2 * math.pi) / 2


def predict(p, t, y, new):
    """Mean and standard deviation of the next measurements at the times `new`."""
    factor, solved = condition(p, t, y)
    between = covariance(p, new, t)
    mean = (between @ solved)[:, 0]
    explained = ad.linalg.solve_triangular(factor, between.mT, upper=False).square().sum(0)
    alone = covariance(p, new[:1], new[:1])[0, 0] + p["noise, ppm"] ** 2
    return MEAN + mean.numpy(), (alone - explained).sqrt().numpy()


def natural(logarithms):
    return dict(zip(START, logarithms.exp()))


def fit(t, y, steps):
    """The logarithms of the kernel's numbers, which are positive, and the loss at each step."""
    raw = ad.tensor(np.log(list(START.values())), requires_grad=True)
    optimizer = ad.optim.Adam([raw], lr=0.05)
    schedule = ad.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    losses = []
    progress = trange(steps, desc="fitting", unit="step")
    for _ in progress:
        optimizer.zero_grad()
        loss = surprise(natural(raw), t, y)
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        progress.set_postfix(surprise=f"{losses[-1]:.4f}", refresh=False)
    return raw.detach(), np.array(losses)


def draw(path, forecasts, misses):
    figure, (record, miss) = plt.subplots(2, figsize=(11, 7.5), layout="constrained", height_ratios=[3, 1.3])
    record.plot(YEARS[:GIVEN], RECORD[:GIVEN], ".", color="0.25", markersize=3, label="given")
    record.plot(YEARS[GIVEN:], RECORD[GIVEN:], ".", color="tab:red", markersize=4, label="measured later")
    times, mean, spread = forecasts
    record.plot(times, mean, color="tab:blue", linewidth=1, label="Gaussian process")
    band = mean - 2 * spread, mean + 2 * spread
    record.fill_between(times, *band, color="tab:blue", alpha=0.25, label="± two standard deviations")
    record.axvline(YEARS[GIVEN], color="0.5", linestyle=":")
    record.set(title="Carbon dioxide on Mauna Loa, forecast from its first twenty years", ylabel="parts per million")
    record.legend(loc="upper left")
    error, deviation = misses
    miss.fill_between(YEARS[GIVEN:], -2 * deviation, 2 * deviation, color="tab:blue", alpha=0.25)
    miss.plot(YEARS[GIVEN:], error, color="tab:red", linewidth=1)
    miss.axhline(0, color="0.5", linestyle=":")
    miss.set(title="Measured minus forecast", xlabel="year", ylabel="parts per million")
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="gaussian_process.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--steps", type=int, default=300, help="steps of gradient descent (%(default)s)")
    options = parser.parse_args(arguments)

    t, y = ad.tensor(YEARS[:GIVEN]), ad.tensor(RECORD[:GIVEN] - MEAN)
    raw, losses = fit(t, y, options.steps)
    for name, value in natural(raw).items():
        print(f"{name:30}{value.item():10.3f}")
    mean, deviation = predict(natural(raw), t, y, ad.tensor(YEARS[GIVEN:]))
    error = RECORD[GIVEN:] - mean
    fine = np.linspace(YEARS[0], YEARS[-1], 1500)
    draw(options.out, (fine, *predict(natural(raw), t, y, ad.tensor(fine))), (error, deviation))
    inside = (np.abs(error) < 2 * deviation).mean()
    print(f"\nOver ten years the forecast misses by {np.sqrt((error**2).mean()):.2f} ppm (root mean square);")
    print(f"{inside:.0%} of the measurements are within two standard deviations.")
    print(f"The picture is in {options.out}")
    return losses, error, deviation


if __name__ == "__main__":
    main()
