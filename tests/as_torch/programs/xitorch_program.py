"""Linear algebra, root finding, quadrature, ODEs and interpolation with implicit derivatives."""

import torch
from xitorch import LinearOperator
from xitorch.integrate import quad, solve_ivp
from xitorch.interpolate import Interp1D
from xitorch.linalg import lsymeig, solve
from xitorch.optimize import rootfinder

results = []
a = torch.tensor([[4.0, 1.0, 0.2], [1.0, 3.0, 0.1], [0.2, 0.1, 2.0]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([[1.0], [2.0], [0.5]], dtype=torch.float64)
x = solve(LinearOperator.m(a), b)
results += [x.detach(), torch.autograd.grad((x**2).sum(), a)[0]]
evals, evecs = lsymeig(LinearOperator.m((a + a.T) / 2), neig=2)
results += [evals.detach(), torch.autograd.grad(evals.sum(), a)[0]]
c = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
root = rootfinder(lambda y, c: y**2 - c, torch.tensor([1.0], dtype=torch.float64), params=(c,))
results += [root.detach(), torch.autograd.grad(root.sum(), c)[0].reshape(1)]
integral = quad(
    lambda t, c: torch.exp(-c * t),
    torch.tensor(0.0, dtype=torch.float64),
    torch.tensor(1.0, dtype=torch.float64),
    params=(c,),
)
results += [integral.detach().reshape(1), torch.autograd.grad(integral.sum(), c)[0].reshape(1)]
ts = torch.linspace(0, 1, 5, dtype=torch.float64)
y = solve_ivp(lambda t, y, c: -c * y, ts, torch.tensor([1.0], dtype=torch.float64), params=(c,))
results += [y.detach(), torch.autograd.grad(y[-1].sum(), c)[0].reshape(1)]
knots = torch.linspace(0, 1, 6, dtype=torch.float64)
values = knots.sin().requires_grad_()
z = Interp1D(knots, values, method="cspline")(torch.tensor([0.15, 0.55], dtype=torch.float64))
results += [z.detach(), torch.autograd.grad(z.sum(), values)[0]]
print([round(v, 4) + 0.0 for r in results for v in r.flatten().tolist()])
