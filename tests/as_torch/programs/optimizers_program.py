"""Optimizers of torch-optimizer, lion-pytorch and pytorch-ranger: ten steps of each."""

import lion_pytorch
import pytorch_ranger
import torch
import torch_optimizer

results = []
names = (
    "A2GradUni AccSGD AdaBelief AdaBound AdaMod Adafactor AdamP AggMo Apollo DiffGrad LARS Lamb MADGRAD NovoGrad "
    "PID QHAdam QHM RAdam Ranger RangerQH RangerVA SGDP SGDW SWATS Shampoo Yogi"
).split()
makers = [(n, getattr(torch_optimizer, n)) for n in names] + [("Lion", lion_pytorch.Lion), ("R", pytorch_ranger.Ranger)]
for name, make in makers:
    p = torch.nn.Parameter(torch.linspace(-1, 2, 12, dtype=torch.float64).reshape(3, 4))
    options = {"lips": 10} if name.startswith("A2") else {}
    optimizer = make([p], **options) if name in ("Adafactor",) or options else make([p], lr=0.01)
    for _ in range(10):
        optimizer.zero_grad()
        ((p**2 - 1) ** 2).sum().backward()
        optimizer.step()
    results.append(p.detach())
print([round(v, 6) for r in results for v in r.flatten().tolist()])
