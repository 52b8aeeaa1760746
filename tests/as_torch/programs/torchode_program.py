"""torchode: a batch of differential equations, each with its own steps, and the gradient by the matrix."""

import torch
import torchode

torch.set_default_dtype(torch.float64)
results = []
matrix = torch.tensor([[-0.5, 2.0], [-2.0, -0.1]], requires_grad=True)
y0 = torch.tensor([[1.0, 0.0], [0.5, -1.0]])
term = torchode.ODETerm(lambda t, y: y @ matrix.T)
step = torchode.Dopri5(term=term)
solver = torchode.AutoDiffAdjoint(step, torchode.IntegralController(atol=1e-8, rtol=1e-8, term=term))
solution = solver.solve(torchode.InitialValueProblem(y0=y0, t_eval=torch.linspace(0, 1, 4).repeat(2, 1)))
results += [solution.ys.detach(), *torch.autograd.grad(solution.ys.pow(2).sum(), matrix)]
print([round(v, 4) + 0.0 for r in results for v in r.flatten().tolist()])
