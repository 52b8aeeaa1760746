"""Solve ordinary differential equations by all methods, and differentiate through them and by the adjoint method."""

import torch
from torchdiffeq import odeint, odeint_adjoint


class Dynamics(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2)).double()
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel(), dtype=p.dtype) + i).reshape(p.shape) * 0.5)

    def forward(self, t, y):
        return self.net(y**3)


results = []
for solve in (odeint, odeint_adjoint):
    for method in (
        "dopri5",
        "rk4",
        "bosh3",
        "euler",
        "midpoint",
        "adaptive_heun",
        "dopri8",
        "explicit_adams",
        "implicit_adams",
    ):
        func = Dynamics()
        y0 = torch.tensor([[2.0, 0.0]], dtype=torch.float64, requires_grad=True)
        t = torch.linspace(0.0, 1.0, 6, dtype=torch.float64)
        options = (
            {"step_size": 0.05} if method in ("rk4", "euler", "midpoint", "explicit_adams", "implicit_adams") else None
        )
        y = solve(func, y0, t, method=method, options=options, rtol=1e-7, atol=1e-9)
        (y[-1] ** 2).sum().backward()
        results += [y[-1].detach(), y0.grad] + [p.grad for p in func.parameters()]
print([round(v, 5) for r in results for v in r.flatten().tolist()])
