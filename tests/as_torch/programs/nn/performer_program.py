"""performer-pytorch with given features, and invariant-point-attention."""

import torch
from invariant_point_attention import IPABlock
from performer_pytorch.performer_pytorch import FastAttention, linear_attention


def wave(*shape):
    return (torch.arange(torch.Size(shape).numel(), dtype=torch.float32) * 0.21).cos().reshape(shape).requires_grad_()


results = []
q, k, v = wave(1, 2, 6, 8), wave(1, 2, 6, 8), wave(1, 2, 6, 8)
attention = FastAttention(8, nb_features=8, generalized_attention=True)
with torch.no_grad():
    attention.projection_matrix.copy_((torch.arange(64) * 0.3).sin().reshape(8, 8))
for y in (attention(q, k, v), linear_attention(q.softmax(-1), k.softmax(-1), v)):
    results += [y.detach(), *torch.autograd.grad(y.pow(2).sum(), [q, k, v])]
block = IPABlock(
    dim=8, heads=2, scalar_key_dim=4, scalar_value_dim=4, point_key_dim=2, point_value_dim=2, pairwise_repr_dim=4
)
with torch.no_grad():
    for i, p in enumerate(block.parameters()):
        p.copy_((torch.arange(p.numel(), dtype=torch.float32) * 0.37 + i).sin().reshape(p.shape) * 0.2)
x, pairs = wave(1, 5, 8), wave(1, 5, 5, 4)
rotations = torch.linalg.qr(wave(1, 5, 3, 3).detach() + torch.eye(3))[0]
y = block(
    x, pairwise_repr=pairs, rotations=rotations, translations=wave(1, 5, 3).detach(), mask=torch.ones(1, 5).bool()
)
results += [y.detach(), *torch.autograd.grad(y.pow(2).sum(), [x, pairs])]
print([round(v, 3) + 0.0 for r in results for v in r.flatten().tolist()[:100]])
