"""Positions and windows: rotary-embedding-torch, local-attention."""

import torch
from local_attention import LocalAttention, LocalTransformer
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32) * 0.37 + i).sin().reshape(p.shape) * 0.2)
    return module.eval()


def wave(*shape):
    return (torch.arange(torch.Size(shape).numel(), dtype=torch.float32) * 0.21).cos().reshape(shape).requires_grad_()


results = []
q, k, v = wave(1, 2, 12, 8), wave(1, 2, 12, 8), wave(1, 2, 12, 8)
rotary = RotaryEmbedding(dim=4)
y = rotary.rotate_queries_or_keys(q) * rotary.rotate_queries_or_keys(k)
results += [y.detach(), *torch.autograd.grad(y.pow(2).sum(), [q, k])]
axial = RotaryEmbedding(dim=4, freqs_for="pixel", max_freq=10)
y = apply_rotary_emb(axial.get_axial_freqs(3, 4), wave(1, 3, 4, 8))
results.append(y.detach())
for options in ({"causal": True, "look_backward": 1}, {"causal": False, "look_forward": 1, "exact_windowsize": True}):
    attention = LocalAttention(dim=8, window_size=4, dropout=0.0, autopad=True, **options)
    y = attention(q, k, v, mask=torch.ones(1, 12).bool())
    results += [y.detach(), *torch.autograd.grad(y.pow(2).sum(), [q, k, v])]
model = fill(
    LocalTransformer(num_tokens=10, dim=8, depth=1, max_seq_len=16, local_attn_window_size=4, heads=2, dim_head=4)
)
tokens = torch.arange(16)[None] * 3 % 10
loss = model(tokens, return_loss=True)
loss.backward()
results += [loss.detach(), model(tokens).detach(), *[p.grad for p in model.parameters() if p.grad is not None]]
print([round(v, 3) + 0.0 for r in results for v in r.flatten().tolist()[:100]])
