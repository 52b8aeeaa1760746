"""Optimal transport: geomloss's Sinkhorn divergences and kernels, POT with its PyTorch backend."""

import geomloss
import ot
import torch

x = (torch.arange(12, dtype=torch.float64) * 1.3).sin().reshape(6, 2).requires_grad_()
y = (torch.arange(10, dtype=torch.float64) * 0.7).cos().reshape(5, 2)
results = []
for loss, options in (
    ("sinkhorn", {"p": 2, "blur": 0.1}),
    ("sinkhorn", {"p": 1, "blur": 0.2, "reach": 0.5}),
    ("gaussian", {"blur": 0.5}),
    ("energy", {}),
    ("laplacian", {"blur": 0.5}),
):
    value = geomloss.SamplesLoss(loss, backend="tensorized", **options)(x, y)
    results += [value.detach(), *torch.autograd.grad(value, x)]
a, b = torch.full((6,), 1 / 6, dtype=torch.float64), torch.full((5,), 0.2, dtype=torch.float64)
cost = ot.dist(x, y)
plan = ot.sinkhorn(a, b, cost, reg=0.5)
results += [plan.detach(), *torch.autograd.grad((plan * cost).sum(), x, retain_graph=True)]
exact = ot.emd2(a, b, cost)
results += [exact.detach(), *torch.autograd.grad(exact, x)]
results += [ot.unbalanced.sinkhorn_unbalanced(a, b, cost.detach(), 0.5, 1.0)]
results += [ot.sliced_wasserstein_distance(x, y, projections=torch.eye(2, dtype=torch.float64)).detach()]
print([round(v, 5) + 0.0 for r in results for v in r.flatten().tolist()])
