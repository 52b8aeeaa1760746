"""Losses and optimizers: pytorch-metric-learning, torchjd, schedulefree, prodigyopt, adan-pytorch."""

import torch
from adan_pytorch import Adan
from prodigyopt import Prodigy
from pytorch_metric_learning import distances, losses, miners
from schedulefree import AdamWScheduleFree
from torchjd.aggregation import MGDA, Mean

x = (torch.arange(48, dtype=torch.float64) * 0.77).sin().reshape(8, 6).requires_grad_()
labels = torch.tensor([0, 0, 1, 1, 2, 2, 0, 1])
results = []
for loss in (
    losses.TripletMarginLoss(margin=0.2),
    losses.ContrastiveLoss(),
    losses.NTXentLoss(temperature=0.2),
    losses.MultiSimilarityLoss(),
    losses.CircleLoss(),
    losses.SupConLoss(),
    losses.LiftedStructureLoss(),
    losses.TripletMarginLoss(distance=distances.CosineSimilarity()),
):
    value = loss(x, labels)
    results += [value.detach(), *torch.autograd.grad(value, x)]
mined = miners.MultiSimilarityMiner()(x, labels)
results += [losses.ContrastiveLoss()(x, labels, mined).detach(), *mined]
jacobian = (torch.arange(12, dtype=torch.float64) ** 1.5).cos().reshape(3, 4)
results += [aggregate(jacobian) for aggregate in (Mean(), MGDA())]
for make in (lambda p: Adan(p, lr=0.01), lambda p: Prodigy(p), lambda p: AdamWScheduleFree(p, lr=0.01)):
    p = torch.nn.Parameter(torch.linspace(-1, 2, 6, dtype=torch.float64))
    optimizer = make([p])
    if hasattr(optimizer, "train"):
        optimizer.train()
    for _ in range(8):
        optimizer.zero_grad()
        ((p**2 - 1) ** 2).sum().backward()
        optimizer.step()
    results.append(p.detach())
print([round(v, 5) + 0.0 for r in results for v in r.flatten().tolist()])
