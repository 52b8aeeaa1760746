"""Meta-learning: gradients through steps of an optimizer."""

import higher
import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1)).double()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_((torch.arange(p.numel(), dtype=torch.float64) + i).sin().reshape(p.shape))
x = torch.linspace(-1, 1, 10, dtype=torch.float64).reshape(5, 2)
results = []
for make in (lambda ps: torch.optim.SGD(ps, lr=0.1, momentum=0.9), lambda ps: torch.optim.Adam(ps, lr=0.01)):
    optimizer = make(net.parameters())
    net.zero_grad()
    with higher.innerloop_ctx(net, optimizer, copy_initial_weights=False) as (fnet, diffopt):
        for _ in range(3):
            diffopt.step(((fnet(x) - x.sum(1, keepdim=True)) ** 2).mean())
        (fnet(x) ** 2).mean().backward()
    results += [p.grad.clone() for p in net.parameters()]
print([round(v, 6) for r in results for v in r.flatten().tolist()])
