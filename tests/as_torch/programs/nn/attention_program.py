"""Attention in plain PyTorch: linformer, axial, nystrom, lambda-networks, hyper-connections, a TCN."""

import torch
from axial_attention import AxialAttention
from hyper_connections import HyperConnections
from lambda_networks import LambdaLayer
from linformer import LinformerSelfAttention
from nystrom_attention import NystromAttention
from pytorch_tcn import TCN


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32) * 0.37 + i).sin().reshape(p.shape) * 0.2)
    return module.eval()


def wave(*shape):
    return (torch.arange(torch.Size(shape).numel(), dtype=torch.float32) * 0.21).cos().reshape(shape).requires_grad_()


branch = torch.nn.Linear(8, 8)
connect = HyperConnections(2, dim=8, branch=branch, layer_index=0)
expand, reduce = HyperConnections.get_expand_reduce_stream_functions(2)
cases = [
    (LinformerSelfAttention(8, 6, k=3, heads=2), wave(2, 6, 8)),
    (AxialAttention(dim=4, dim_index=1, heads=2, num_dimensions=2), wave(1, 4, 5, 3)),
    (LambdaLayer(dim=4, dim_out=6, n=3, dim_k=4, heads=2, dim_u=1), wave(1, 4, 3, 3)),
    (LambdaLayer(dim=4, dim_out=6, r=3, dim_k=4, heads=2, dim_u=1), wave(1, 4, 5, 5)),
    (NystromAttention(dim=8, dim_head=4, heads=2, num_landmarks=2, pinv_iterations=4), wave(1, 6, 8)),
    (TCN(num_inputs=3, num_channels=[4, 4], kernel_size=3, dropout=0.0), wave(2, 3, 10)),
    (connect, None),
]
results = []
for module, x in cases:
    fill(module)
    if x is None:
        x = wave(1, 5, 8)
        y = reduce(connect(expand(x)))
    else:
        y = module(x)
    if isinstance(module, LambdaLayer):  # PyTorch's gradient of its batch norm is wrong for strided gradients
        results.append(y.detach())
        continue
    y.pow(2).sum().backward()
    results += [y.detach(), x.grad, *[p.grad for p in module.parameters() if p.grad is not None]]
print([round(v, 3) + 0.0 for r in results for v in r.flatten().tolist()[:60]])
