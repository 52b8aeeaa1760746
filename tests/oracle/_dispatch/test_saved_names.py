"""What nodes show of what they have saved: under PyTorch's names, and where `dir` finds it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.compare import compare

pytestmark = pytest.mark.oracle

SEVERAL = {
    "sort": (lambda lib, x: x.sort()[0], ["indices"]),
    "topk": (lambda lib, x: x.topk(2)[0], ["indices"]),
    "max": (lambda lib, x: x.max(0)[0], ["indices"]),
    "qr": (lambda lib, x: lib.linalg.qr(x)[0], ["Q", "R"]),
    "svd": (lambda lib, x: lib.linalg.svd(x)[1], ["S"]),
    "eigh": (lambda lib, x: lib.linalg.eigh(x @ x.T)[0], ["eigenvalues"]),
    "slogdet": (lambda lib, x: lib.linalg.slogdet(x)[1], ["A", "sign"]),
    "cholesky": (lambda lib, x: lib.linalg.cholesky(x @ x.T), ["L"]),
    "inv": (lambda lib, x: lib.linalg.inv(x), ["inverse"]),
    "mul": (lambda lib, x: x * x.sin(), ["self", "other"]),
    "exp": (lambda lib, x: x.exp(), ["result"]),
}
VALUES = np.array([[2.0, 1.0, 0.5], [0.3, -3.0, 1.0], [1.0, 0.2, 4.0]])


@pytest.mark.parametrize("name", SEVERAL)
def test_names_are_those_of_pytorch(name: str) -> None:
    function, saved = SEVERAL[name]

    def scenario(lib: Any) -> Any:
        node = function(lib, lib.tensor(VALUES, requires_grad=True)).grad_fn
        listed = [f"_saved_{one}" in dir(node) and f"_raw_saved_{one}" in dir(node) for one in saved if one != "L"]
        return [listed[: 0 if name == "inv" else None], [abs(getattr(node, f"_saved_{one}")) for one in saved]]

    compare(scenario)


def test_one_of_several_outputs_can_be_packed() -> None:
    def scenario(lib: Any) -> Any:
        x = lib.tensor(VALUES, requires_grad=True)
        q, r = lib.linalg.qr(x)
        seen: list[str] = []
        q.grad_fn._raw_saved_Q.register_hooks(lambda t: (seen.append("packed"), t)[1], lambda t: t)
        (q.sum() + r.sum()).backward()
        return [seen, x.grad]

    compare(scenario)


def test_everything_that_dir_names_can_be_read() -> None:
    x = ad.tensor(VALUES, requires_grad=True)
    for result in (x * x, x.sort()[0], x.sum(0), ad.linalg.qr(x)[0], x[0], x.clone().mul_(2)):
        for name in dir(result.grad_fn):
            getattr(result.grad_fn, name)
