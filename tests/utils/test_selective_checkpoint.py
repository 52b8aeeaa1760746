"""Selective checkpointing: which operators run again, what is kept, and what is refused."""

import functools

import pytest

import adjoint as ad
from adjoint.utils._python_dispatch import TorchDispatchMode
from adjoint.utils.checkpoint import (
    CheckpointPolicy,
    SelectiveCheckpointContext,
    checkpoint,
    create_selective_checkpoint_contexts,
)

aten = ad.ops.aten


def leaf():
    return ad.tensor([[0.1, 0.7], [1.3, -0.4]], dtype=ad.float64, requires_grad=True)


def body(x):
    return ((x @ x).sin() @ x).exp().max(0).values


class Count(TorchDispatchMode):
    def __init__(self):
        self.counts = {}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.counts[func] = self.counts.get(func, 0) + 1
        return func(*args, **(kwargs or {}))


def run(function, policy, x, **options):
    contexts = functools.partial(create_selective_checkpoint_contexts, policy, **options)
    return checkpoint(function, x, use_reentrant=False, context_fn=contexts)


def expected(function=body):
    x = leaf()
    function(x).sum().backward()
    return x.grad


POLICIES = {
    "list": [aten.mm.default],
    "bool": lambda ctx, op, *args, **kwargs: op is aten.mm.default,
    "save": lambda ctx, op, *args, **kwargs: CheckpointPolicy.PREFER_SAVE,
    "none": lambda ctx, op, *args, **kwargs: CheckpointPolicy.MUST_RECOMPUTE,
    "offload": lambda ctx, op, *args, **kwargs: CheckpointPolicy.MUST_CPU_OFFLOAD,
}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES.keys())
def test_gradients_are_those_without_a_checkpoint(policy):
    x = leaf()
    run(body, policy, x).sum().backward()
    assert ad.equal(x.grad, expected())


def test_only_what_was_not_kept_runs_again():
    x = leaf()
    with Count() as count:
        y = run(body, [aten.mm.default], x)
    assert count.counts[aten.mm.default] == 2 and count.counts[aten.sin.default] == 1
    kept, computed = [], []

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            computed.append(func)
            return func(*args, **(kwargs or {}))

    def contexts():
        first, second = create_selective_checkpoint_contexts([aten.mm.default])
        kept.append(first)

        class Both:
            def __enter__(self):
                self.watch = Watch().__enter__()  # outside: sees what the second run does compute
                second.__enter__()

            def __exit__(self, *exc_info):
                second.__exit__(*exc_info)
                self.watch.__exit__(*exc_info)

        return first, Both()

    y = checkpoint(body, x, use_reentrant=False, context_fn=contexts)
    y.sum().backward()
    assert aten.sin.default in computed and aten.mm.default not in computed
    assert ad.equal(x.grad, expected())


def test_policy_sees_operator_arguments_and_result():
    seen = []

    def policy(ctx, op, *args, **kwargs):
        seen.append((ctx.is_recompute, str(op), tuple(args[0].shape), tuple(ctx.op_output.shape)))
        return CheckpointPolicy.MUST_SAVE

    x = leaf()
    run(lambda t: t.exp().sum(), policy, x).backward()
    assert seen == [(False, "aten.exp.default", (2, 2), (2, 2)), (False, "aten.sum.default", (2, 2), ())]
    assert SelectiveCheckpointContext(is_recompute=True).op_output is None


def test_a_second_pass_is_refused_where_something_was_kept():
    x = leaf()
    y = run(body, [aten.mm.default], x).sum()
    y.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="only one is possible"):
        y.backward()
    y = run(body, [], x).sum()
    y.backward(retain_graph=True)
    y.backward()


def test_a_kept_result_that_was_modified_is_refused():
    def function(x):
        z = x @ x
        w = z.sin()
        z.add_(1)
        return w.cos()

    x = leaf()
    with pytest.raises(RuntimeError, match="modified in place"):
        run(function, [aten.mm.default], x).sum().backward()
    run(function, [aten.mm.default], x, allow_cache_entry_mutation=True).sum()


def test_operators_that_write_run_again():
    def function(x):
        z = x @ x
        z.add_(1)
        return z.sin()

    x = leaf()
    run(function, [aten.add_.Tensor], x).sum().backward()
    assert ad.equal(x.grad, expected(function))


def test_under_a_transform_and_twice():
    x = leaf()
    f = lambda t: run(body, [aten.mm.default], t).sum()
    assert ad.allclose(ad.func.grad(f)(x.detach()), expected())
    (first,) = ad.autograd.grad(body(x).sum(), x, create_graph=True)
    (second,) = ad.autograd.grad(first.square().sum(), x)
    (first,) = ad.autograd.grad(run(body, lambda *args: False, x).sum(), x, create_graph=True)
    assert ad.allclose(ad.autograd.grad(first.square().sum(), x)[0], second)


def test_modes_are_left_after_an_error():
    def fail(ctx, op, *args, **kwargs):
        raise LookupError("policy")

    with pytest.raises(LookupError):
        run(body, fail, leaf())
    with pytest.raises(TypeError, match="CheckpointPolicy or a bool"):
        run(body, lambda *args: "save", leaf())
    with Count() as count:
        ad.ones(2).exp()
    assert count.counts == {aten.exp.default: 1}


def test_a_function_that_does_more_is_refused():
    runs = []

    def function(x):
        runs.append(1)
        return x.sin().cos() if len(runs) == 1 else x.exp().sin().cos()

    with pytest.raises(RuntimeError, match="has to do the same"):
        run(function, [aten.sin.default], leaf()).sum().backward()


def test_what_is_no_policy():
    for wrong, error in (([ad.add], ValueError), ([aten.add], ValueError), ("mm", TypeError), (3, TypeError)):
        with pytest.raises(error):
            create_selective_checkpoint_contexts(wrong)
