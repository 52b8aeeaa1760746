"""A moving average of a network that is trained."""

import torch
from ema_pytorch import EMA

torch.manual_seed(0)
net = torch.nn.Linear(3, 2)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_((torch.arange(p.numel(), dtype=torch.float32) + i).sin().reshape(p.shape))
ema = EMA(net, beta=0.9, update_after_step=1, update_every=1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(6):
    optimizer.zero_grad()
    net(torch.ones(4, 3)).pow(2).sum().backward()
    optimizer.step()
    ema.update()
print(
    [
        round(v, 5) + 0.0
        for t in [*net.parameters(), *ema.ema_model.parameters(), ema(torch.ones(1, 3))]
        for v in t.flatten().tolist()
    ]
)
