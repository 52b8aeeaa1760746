"""Normalizing flows of normflows: densities, their gradients, both directions."""

import normflows as nf
import torch

torch.manual_seed(0)


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32) * 0.37 + i).sin().reshape(p.shape) * 0.3)
    return module


x = (torch.arange(16, dtype=torch.float32) * 0.7).sin().reshape(8, 2)
results = []
for flows in (
    [nf.flows.AffineCouplingBlock(nf.nets.MLP([1, 8, 2])), nf.flows.Permute(2, mode="swap")],
    [nf.flows.Planar((2,)), nf.flows.Radial((2,))],
    [nf.flows.AutoregressiveRationalQuadraticSpline(2, 1, 8)],
    [nf.flows.CoupledRationalQuadraticSpline(2, 1, 8)],
    [nf.flows.MaskedAffineAutoregressive(2, 8), nf.flows.ActNorm(2)],
):
    model = fill(nf.NormalizingFlow(nf.distributions.DiagGaussian(2), flows))
    try:
        loss = model.forward_kld(x)
        loss.backward()
        results += [loss.detach(), *[p.grad for p in model.parameters() if p.grad is not None]]
    except NotImplementedError:
        pass
    z, log_det = model.forward_and_log_det(x)
    results += [z.detach(), log_det.detach()]
print([round(v, 3) + 0.0 for r in results for v in r.flatten().tolist()[:60]])
