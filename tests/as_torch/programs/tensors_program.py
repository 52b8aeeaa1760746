"""Tensor notation and decompositions: einx, unfoldNd, tntorch, tensorly, assoc-scan, torch-interpol."""

import einx
import interpol
import tensorly
import tntorch
import torch
import unfoldNd
from assoc_scan import AssocScan
from tensorly.decomposition import parafac, tucker

torch.manual_seed(0)
x = (torch.arange(60, dtype=torch.float64) * 0.37).sin().reshape(3, 4, 5).requires_grad_()
results = []
for y in (
    einx.sum("a [b] c", x),
    einx.id("a b c -> (a c) b", x),
    einx.dot("a b c, c d -> a b d", x, x[0].T),
    einx.softmax("a b [c]", x),
):
    results += [y.detach(), *torch.autograd.grad(y.pow(2).sum(), x)]
image = x.reshape(1, 3, 4, 5)
patches = unfoldNd.unfoldNd(image, 2, stride=1)
results += [patches.detach(), *torch.autograd.grad(patches.pow(3).sum(), x)]
results += [unfoldNd.foldNd(patches.detach(), (4, 5), 2)]
scan = AssocScan()
gates, inputs = torch.sigmoid(x[0]).reshape(1, 4, 5), x[1].reshape(1, 4, 5)
y = scan(gates, inputs)
results += [y.detach(), *torch.autograd.grad(y.sum(), x)]
tensorly.set_backend("pytorch")
results.append(tensorly.cp_to_tensor(parafac(x.detach(), rank=2, init="svd", n_iter_max=20)))
core, factors = tucker(x.detach(), rank=[2, 2, 2], init="svd", n_iter_max=20)
results.append(tensorly.tucker_to_tensor((core, factors)))
train = tntorch.Tensor(x.detach(), ranks_tt=3)
results += [train.torch(), tntorch.dot(train, train), tntorch.sum(train)]
grid = torch.stack(torch.meshgrid(torch.linspace(0, 3, 5), torch.linspace(0, 4, 4), indexing="ij"), -1)[None].double()
y = interpol.grid_pull(image, grid, interpolation=3, bound="dct2", prefilter=True)
results += [y.detach(), *torch.autograd.grad(y.pow(2).sum(), x)]
print([round(v, 4) + 0.0 for r in results for v in r.flatten().tolist()[:80]])
