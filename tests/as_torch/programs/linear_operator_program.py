"""The linear algebra of Gaussian processes, lazily."""

import torch
from linear_operator.operators import (
    DenseLinearOperator,
    DiagLinearOperator,
    KroneckerProductLinearOperator,
    ToeplitzLinearOperator,
)

results = []
a = torch.arange(16, dtype=torch.float64).sin().reshape(4, 4)
a = (a @ a.T + 4 * torch.eye(4, dtype=torch.float64)).requires_grad_()
b = torch.arange(4, dtype=torch.float64).reshape(4, 1)
diag = DiagLinearOperator(torch.ones(4, dtype=torch.float64))
for f in (
    lambda op: op.solve(b).sum(),
    lambda op: op.logdet(),
    lambda op: op.inv_quad(b),
    lambda op: (op + diag).solve(b).sum(),
    lambda op: (op @ op).to_dense().sum(),
    lambda op: op.cholesky().to_dense().sum(),
    lambda op: op.inv_quad_logdet(b, logdet=True)[1],
    lambda op: op.sqrt_inv_matmul(b, b.T)[0].sum(),
    lambda op: op.root_decomposition().to_dense().sum(),
    lambda op: op.diagonalization()[0].sum(),
):
    value = f(DenseLinearOperator(a))
    (g,) = torch.autograd.grad(value.sum(), a)
    results += [value.detach().reshape(-1), g]
k = KroneckerProductLinearOperator(DenseLinearOperator(a[:2, :2]), DenseLinearOperator(a[2:, 2:]))
results.append((k @ b).detach())
results.append(ToeplitzLinearOperator(torch.tensor([4.0, 1.0, 0.5, 0.2], dtype=torch.float64)).matmul(b).detach())
print([round(v, 4) + 0.0 for r in results for v in r.flatten().tolist()])
