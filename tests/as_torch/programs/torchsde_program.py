"""Solve stochastic differential equations; without noise, so that the result does not depend on random numbers."""

import torch
import torchsde

torch.manual_seed(0)


class SDE(torch.nn.Module):
    noise_type, sde_type = "diagonal", "ito"

    def __init__(self):
        super().__init__()
        self.theta = torch.nn.Parameter(torch.tensor(0.5, dtype=torch.float64))

    def f(self, t, y):
        return -self.theta * y

    def g(self, t, y):
        return 0.0 * y + 0.0 * self.theta


results = []
for method in ("euler", "milstein", "srk"):
    sde = SDE()
    y0 = torch.full((3, 2), 2.0, dtype=torch.float64, requires_grad=True)
    ts = torch.linspace(0, 1, 5, dtype=torch.float64)
    ys = torchsde.sdeint(sde, y0, ts, method=method, dt=1e-2)
    ys[-1].sum().backward()
    results += [ys[-1].detach(), y0.grad, sde.theta.grad.reshape(1)]
sde = SDE()
sde.sde_type = "stratonovich"
y0 = torch.full((3, 2), 2.0, dtype=torch.float64, requires_grad=True)
ys = torchsde.sdeint_adjoint(sde, y0, torch.linspace(0, 1, 5, dtype=torch.float64), method="midpoint", dt=1e-2)
ys[-1].sum().backward()
results += [ys[-1].detach(), y0.grad, sde.theta.grad.reshape(1)]
bm = torchsde.BrownianInterval(t0=0.0, t1=1.0, size=(4, 1), entropy=7)
assert abs((bm(0.0, 0.5) + bm(0.5, 1.0) - bm(0.0, 1.0)).sum().item()) < 1e-5
print([round(v, 6) for r in results for v in r.flatten().tolist()])
