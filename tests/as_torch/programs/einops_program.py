"""Rearrange, reduce, repeat, pack and contract; layers of einops."""

import torch
from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce

x = torch.arange(2 * 3 * 4 * 6, dtype=torch.float64).reshape(2, 3, 4, 6).sin().requires_grad_()
y = rearrange(x, "b c (h p) (w q) -> b (h w) (p q c)", p=2, q=3)
z = reduce(y, "b n d -> b d", "mean") + reduce(y, "b n d -> b d", "max")
w = repeat(z, "b d -> b r d", r=2)
v = einsum(w, w, "b i d, b j d -> b i j")
packed, shapes = pack([z, w], "b * d")
a, b = unpack(packed, shapes, "b * d")
net = torch.nn.Sequential(Rearrange("b c h w -> b (c h) w"), Reduce("b c w -> b w", "sum"))
mix = EinMix("b w -> b k", weight_shape="w k", bias_shape="k", w=6, k=2)
with torch.no_grad():
    for p in mix.parameters():
        p.copy_(torch.arange(p.numel()).reshape(p.shape) * 0.1)
m = mix(net(x.float()))
loss = (v**2).sum() + (a * 3).sum() + m.sum().double() + b.sum()
loss.backward()
print([round(t, 5) for t in [loss.item(), *x.grad.flatten().tolist(), *mix.weight.grad.flatten().tolist()]])
