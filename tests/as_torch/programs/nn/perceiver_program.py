"""Attention: Perceiver and PerceiverIO."""

import torch
from perceiver_pytorch import Perceiver, PerceiverIO


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32) * 0.37 + i).sin().reshape(p.shape) * 0.2)


m = Perceiver(
    input_channels=3,
    input_axis=2,
    num_freq_bands=2,
    max_freq=4.0,
    depth=2,
    num_latents=4,
    latent_dim=8,
    cross_heads=1,
    latent_heads=2,
    cross_dim_head=4,
    latent_dim_head=4,
    num_classes=3,
    attn_dropout=0.0,
    ff_dropout=0.0,
    weight_tie_layers=False,
)
fill(m)
x = (torch.arange(2 * 5 * 5 * 3, dtype=torch.float32) * 0.21).cos().reshape(2, 5, 5, 3)
y = m(x)
y.pow(2).sum().backward()
io = PerceiverIO(
    dim=4,
    queries_dim=6,
    logits_dim=3,
    depth=1,
    num_latents=4,
    latent_dim=8,
    cross_heads=1,
    latent_heads=2,
    cross_dim_head=4,
    latent_dim_head=4,
    seq_dropout_prob=0.0,
)
fill(io)
z = io(torch.ones(1, 7, 4) * 0.3, queries=torch.ones(5, 6) * 0.2)
print(
    [
        round(v, 3) + 0.0
        for t in [y.detach(), z.detach(), *[p.grad for p in m.parameters() if p.grad is not None]]
        for v in t.flatten().tolist()
    ]
)
