"""The benchmarks' workloads: adjoint and PyTorch give the same gradients."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.oracle


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")  # PyTorch's `jacfwd` uses it
def test_both_libraries_agree_on_every_workload() -> None:
    # not at the top, because it makes arrays of millions of elements, also where this test is not selected
    from benchmarks import workloads  # noqa: F401  (they register themselves)
    from benchmarks.harness import REGISTRY, Timed

    timed = [workload for workload in REGISTRY.values() if isinstance(workload, Timed)]
    assert sum(not workload.detail for workload in timed) == 22
    for workload in timed:
        assert len(workload.prepare({"adjoint", "torch 1"})) == 2
