"""Sparse softmax functions and losses, by custom autograd functions."""

import torch
from entmax import Entmax15Loss, SparsemaxLoss, entmax15, entmax_bisect, normmax_bisect, sparsemax

x = (torch.arange(15, dtype=torch.float64) * 1.3).sin().reshape(3, 5).requires_grad_()
results = []
for f in (sparsemax, entmax15, lambda t: entmax_bisect(t, alpha=1.7), lambda t: normmax_bisect(t, alpha=3)):
    y = f(x)
    (g,) = torch.autograd.grad((y * torch.arange(5)).sum(), x)
    results += [y.detach(), g]
t = torch.tensor([0, 3, 1])
for loss in (SparsemaxLoss(), Entmax15Loss()):
    value = loss(x, t)
    (g,) = torch.autograd.grad(value, x)
    results += [value.detach().reshape(1), g]
alpha = torch.tensor(1.4, dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad((entmax_bisect(x, alpha) ** 2).sum(), alpha)
results.append(g.reshape(1))
print([round(v, 5) for r in results for v in r.flatten().tolist()])
