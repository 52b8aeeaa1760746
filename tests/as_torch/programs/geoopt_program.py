"""Optimization on manifolds: the Poincare ball, Stiefel matrices, the sphere."""

import geoopt
import torch

torch.manual_seed(0)
results = []
ball = geoopt.PoincareBall(c=1.0).double()
x = geoopt.ManifoldParameter(torch.tensor([[0.3, 0.2], [-0.4, 0.5]], dtype=torch.float64), manifold=ball)
target = torch.tensor([[0.1, -0.3], [0.2, 0.2]], dtype=torch.float64)
for make in (
    lambda p: geoopt.optim.RiemannianSGD(p, lr=0.1, momentum=0.9),
    lambda p: geoopt.optim.RiemannianAdam(p, lr=0.05),
):
    optimizer = make([x])
    for _ in range(8):
        optimizer.zero_grad()
        ball.dist(x, target).pow(2).sum().backward()
        optimizer.step()
    results.append(x.detach().clone())
stiefel = geoopt.EuclideanStiefel()
w = geoopt.ManifoldParameter(
    stiefel.projx((torch.arange(12, dtype=torch.float64) ** 2).sin().reshape(4, 3)), manifold=stiefel
)
optimizer = geoopt.optim.RiemannianSGD([w], lr=0.05)
for _ in range(6):
    optimizer.zero_grad()
    (w * torch.arange(12, dtype=torch.float64).reshape(4, 3)).sum().backward()
    optimizer.step()
results += [w.detach(), (w.T @ w).detach()]
sphere = geoopt.Sphere()
results.append(sphere.expmap(torch.tensor([1.0, 0.0, 0.0]).double(), torch.tensor([0.0, 0.5, 0.2]).double()))
print([round(v, 5) + 0.0 for r in results for v in r.flatten().tolist()])
