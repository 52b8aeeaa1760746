"""Solve controlled differential equations along splines."""

import torch
import torchcde


class F(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 6).double()
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_((torch.arange(p.numel(), dtype=torch.float64) + i).sin().reshape(p.shape) * 0.4)

    def forward(self, t, z):
        return self.linear(z).tanh().view(z.shape[0], 3, 2)


results = []
x = (torch.arange(40, dtype=torch.float64) * 0.3).sin().reshape(2, 10, 2)
for coeffs_of, interpolation in (
    (torchcde.hermite_cubic_coefficients_with_backward_differences, torchcde.CubicSpline),
    (torchcde.natural_cubic_coeffs, torchcde.CubicSpline),
    (torchcde.linear_interpolation_coeffs, torchcde.LinearInterpolation),
):
    func = F()
    X = interpolation(coeffs_of(x))
    z = torchcde.cdeint(
        X=X,
        func=func,
        z0=torch.ones(2, 3, dtype=torch.float64) * 0.1,
        t=X.interval,
        method="rk4",
        options={"step_size": 0.5},
    )
    z[:, -1].sum().backward()
    results += [z.detach()] + [p.grad for p in func.parameters()]
print([round(v, 5) + 0.0 for r in results for v in r.flatten().tolist()])
