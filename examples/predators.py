"""Fit a century-old record of hares and lynxes, by gradients through `scipy.integrate.solve_ivp`.

The Hudson's Bay Company counted the pelts it bought. Hares feed lynxes, and lynxes eat hares, so both numbers swing,
one behind the other; Lotka and Volterra wrote that down as two differential equations with four parameters. SciPy
solves them with steps of its own choice, which nothing differentiates. The gradient comes from the adjoint method
instead: another differential equation, solved backwards in time (docs/extending.md explains it step by step).
"""

import argparse

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize
from tqdm import tqdm

import adjoint as ad

NAMES = ("hares born", "hares eaten", "lynxes dying", "lynxes born", "hares at first", "lynxes at first")
YEARS = np.arange(1900.0, 1921.0)
HARES = np.array([
    30.0, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22.0, 25.4, 27.1,
    40.3, 57.0, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7,
])  # fmt: skip
LYNXES = np.array([
    4.0, 6.1, 9.8, 35.2, 59.4, 41.7, 19.0, 13.0, 8.3, 9.1, 7.4,
    8.0, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6,
])  # fmt: skip
PELTS = np.log(np.stack([HARES, LYNXES], axis=1))  # thousands, on the scale where errors are alike
START = np.log([0.5, 0.02, 0.8, 0.02, 30.0, 4.0])
ACCURACY = {"rtol": 1e-7, "atol": 1e-7}


def growth(log_animals, rates):
    """How fast the logarithms of both numbers grow."""
    hares, lynxes = log_animals.exp()
    born, eaten, dying, fed = rates
    return ad.stack([born - eaten * lynxes, fed * hares - dying])


class Populations(ad.autograd.Function):
    """The logarithms of both numbers in each year, from those of the first and the rates."""

    @staticmethod
    def forward(first, rates):
        def slope(_, y):
            return growth(ad.tensor(y), rates).numpy()

        return ad.tensor(solve_ivp(slope, (YEARS[0], YEARS[-1]), first.numpy(), t_eval=YEARS, **ACCURACY).y.T)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[1], output)

    @staticmethod
    @ad.autograd.function.once_differentiable
    def backward(ctx, grad):
        rates, path = ctx.saved_tensors

        def slope(_, state):
            here, sensitivity = ad.tensor(state[:2]), ad.tensor(state[2:4])
            value, pull = ad.func.vjp(growth, here, rates)
            by_state, by_rates = pull(sensitivity)
            return np.concatenate([value.numpy(), -by_state.numpy(), -by_rates.numpy()])

        state = np.zeros(8)  # both numbers, the loss's sensitivity to them, and that to the rates
        for k in range(len(YEARS) - 1, 0, -1):
            state[:2] = path[k].numpy()
            state[2:4] += grad[k].numpy()
            state = solve_ivp(slope, (YEARS[k], YEARS[k - 1]), state, **ACCURACY).y[:, -1]
        return ad.tensor(state[2:4]) + grad[0], ad.tensor(state[4:])


def loss_of(parameters):
    """The sum of squared errors for the logarithms of all six parameters, which are positive."""
    rates, first = parameters[:4].exp(), parameters[4:]
    return (Populations.apply(first, rates) - ad.tensor(PELTS)).square().sum()


def loss_and_gradient(parameters):
    p = ad.tensor(parameters, requires_grad=True)
    loss = loss_of(p)
    loss.backward()
    return loss.item(), p.grad.numpy()


def fit(steps):
    """The best parameters, and the loss after every step of a quasi-Newton method, which wants the gradient only."""
    history = [loss_and_gradient(START)[0]]
    with tqdm(total=steps, desc="fitting", unit="step") as progress:

        def after_step(intermediate_result):
            history.append(intermediate_result.fun)
            progress.set_postfix(error=f"{history[-1]:.4f}", refresh=False)
            progress.update()

        found = minimize(
            loss_and_gradient,
            START,
            jac=True,
            method="BFGS",
            callback=after_step,
            options={"maxiter": steps, "gtol": 1e-4},
        )
    return found.x, np.array(history)


def animals(parameters, years):
    """Both numbers at any times."""
    rates, first = np.exp(parameters[:4]), parameters[4:]

    def slope(_, y):
        return growth(ad.tensor(y), ad.tensor(rates)).numpy()

    return np.exp(solve_ivp(slope, (years[0], years[-1]), first, t_eval=years, **ACCURACY).y)


def draw(path, found, history):
    figure, (numbers, cycle) = plt.subplots(1, 2, figsize=(12, 4.5), layout="constrained", width_ratios=[2, 1])
    fine = np.linspace(YEARS[0], YEARS[-1], 600)
    hares, lynxes = animals(found, fine)
    for record, curve, color, label in ((HARES, hares, "tab:brown", "hares"), (LYNXES, lynxes, "tab:green", "lynxes")):
        numbers.plot(YEARS, record, "o", color=color, markersize=5, label=f"{label}, pelts counted")
        numbers.plot(fine, curve, color=color, label=f"{label}, fitted")
    numbers.set(title="Hares and lynxes of the Hudson Bay", xlabel="year", ylabel="thousands of pelts")
    numbers.set_xticks(YEARS[::4].astype(int))
    numbers.legend()
    cycle.plot(HARES, LYNXES, "o", color="0.6", markersize=5, label="counted")
    cycle.plot(hares, lynxes, color="tab:red", label="fitted")
    cycle.set(title=f"One around the other ({len(history) - 1} steps)", xlabel="hares", ylabel="lynxes")
    cycle.legend()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="predators.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--steps", type=int, default=40, help="at most so many steps (%(default)s)")
    options = parser.parse_args(arguments)

    found, history = fit(options.steps)
    for name, value in zip(NAMES, np.exp(found)):
        print(f"{name:16}{value:10.4f}")
    spread = np.sqrt(history[-1] / PELTS.size)
    print(f"\nThe curves miss a count by {np.expm1(spread):.0%} on average. The picture is in {options.out}")
    draw(options.out, found, history)
    return found, history


if __name__ == "__main__":
    main()
