"""Normalizing flows: autoregressive transforms, splines, LU layers; forward, inverse and gradients."""

import torch
from nflows import transforms

torch.manual_seed(0)
results = []


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).sin().reshape(p.shape) * 0.3)


x = (torch.arange(24, dtype=torch.float32) * 0.37).cos().reshape(6, 4)
flow = transforms.CompositeTransform(
    [
        transforms.MaskedAffineAutoregressiveTransform(features=4, hidden_features=8),
        transforms.ReversePermutation(4),
        transforms.LULinear(4),
        transforms.BatchNorm(4),
        transforms.MaskedPiecewiseRationalQuadraticAutoregressiveTransform(
            4, 8, tails="linear", tail_bound=3.0, num_bins=5
        ),
    ]
)
fill(flow)
flow.eval()
z, logdet = flow(x)
loss = (0.5 * z**2).sum() - logdet.sum()
loss.backward()
results += [z.detach(), logdet.detach()] + [p.grad for p in flow.parameters() if p.grad is not None]
back, _ = flow.inverse(z)
assert (back - x).abs().max() < 1e-2
print([round(v, 3) + 0.0 for r in results for v in r.flatten().tolist()])
