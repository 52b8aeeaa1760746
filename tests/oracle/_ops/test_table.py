"""Every operator against PyTorch: value, shape, dtype, gradients, second derivatives, and the names of nodes."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support import checks
from tests.support.cases import Given, Run, find, load, runs, substitute
from tests.support.grouping import on_each
from tests.support.running import invoke, to_numpy, weights_for

torch = pytest.importorskip("torch")
torch.set_num_threads(1)
pytestmark = pytest.mark.oracle

_WRAPPED = "numbers become tensors before the node is made"

_ARRANGED = "is one operator here; PyTorch's result is a view, a permutation or a sum of another operator's"
_COMPOSED = "is made of other operators here"

_VIEWED = "is a clone of a view here"

_COPIES = """
alias_copy as_strided_copy diagonal_copy expand_copy narrow_copy permute_copy select_copy slice_copy split_copy
split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy unfold_copy unsqueeze_copy view_as_real_copy
view_copy
"""

OTHER_NODE_NAMES: dict[str, str] = {
    **dict.fromkeys(_COPIES.split(), _VIEWED),
    "affine_grid": _COMPOSED,
    "bilinear": _ARRANGED,
    "cdist.2": _COMPOSED,
    "chain_matmul": _ARRANGED,
    "channel_shuffle": _COMPOSED,
    "conv_tbc": _COMPOSED,
    **dict.fromkeys((f"fractional_max_pool{n}d{end}" for n in (2, 3) for end in ("", "_with_indices")), _COMPOSED),
    "multi_head_attention_forward": _COMPOSED,
    "multi_head_attention_forward.2": _COMPOSED,
    "native_channel_shuffle": _COMPOSED,
    "rms_norm.2": "complex ones are made of other operators in PyTorch",
    "cholesky": _COMPOSED,
    "conv1d": "complex ones are made of real ones in PyTorch",
    "conv_transpose1d": "complex ones are made of real ones in PyTorch",
    "copysign.3": _WRAPPED,
    "cross_entropy": _COMPOSED,
    "cross_entropy.2": _COMPOSED,
    "cumulative_trapezoid": _COMPOSED,
    "diff": _COMPOSED,
    "einsum": _ARRANGED,
    "einsum.2": _ARRANGED,
    "embedding_bag": _COMPOSED,
    "embedding_bag.3": _COMPOSED,
    "fft_ifft": "of real numbers PyTorch computes the conjugate",
    "fill": "is a clone of what shows the value again and again",
    "lstm": "a layer is one node; in PyTorch too in single precision, but not in double",
    "fill.2": "has the name of the in-place variant's node",
    "frobenius_norm": _COMPOSED,
    "grid_sample": _COMPOSED,
    "grid_sample.3": _COMPOSED,
    "gru": _COMPOSED,
    "inner": _ARRANGED,
    "instance_norm": _COMPOSED,
    "istft": _COMPOSED,
    "linalg_cond.2": "the oracle is a formula",
    "linalg_det.3": "the oracle is a formula",
    "linalg_householder_product": _COMPOSED,
    "linalg_lstsq": _COMPOSED,
    "linalg_lstsq.2": _COMPOSED,
    "linalg_lu_solve": _COMPOSED,
    "linalg_matrix_power": _ARRANGED,
    "linalg_multi_dot": _ARRANGED,
    "linalg_tensorinv": _ARRANGED,
    "linear": _COMPOSED,
    "lu_solve": _COMPOSED,
    "lu_unpack": _COMPOSED,
    "matmul.2": _ARRANGED,
    "matrix_power": _ARRANGED,
    "max_unpool1d": _COMPOSED,
    "max_unpool2d": _COMPOSED,
    "max_unpool2d.2": _COMPOSED,
    "max_unpool3d": _COMPOSED,
    "multi_margin_loss": _COMPOSED,
    "multi_margin_loss.2": _COMPOSED,
    "multilabel_margin_loss": _COMPOSED,
    "multilabel_margin_loss.2": _COMPOSED,
    "nanquantile": _COMPOSED,
    "nanquantile.2": _COMPOSED,
    "nll_loss": _COMPOSED,
    "orgqr": _COMPOSED,
    "ormqr": _COMPOSED,
    "pad.2": "PyTorch writes the parts into an empty tensor",
    "pairwise_distance": _COMPOSED,
    "pdist": _COMPOSED,
    "quantile": _COMPOSED,
    "rms_norm": _COMPOSED,
    "rnn_relu": _COMPOSED,
    "rnn_tanh": _COMPOSED,
    "rrelu": "without training it is `leaky_relu`",
    "rrelu_": "without training it is `leaky_relu`",
    "scaled_dot_product_attention": _COMPOSED,
    "smooth_l1_loss": _COMPOSED,
    "special_ndtr": "is made of other operators in PyTorch",
    "special_xlog1py.2": _WRAPPED,
    "special_zeta.2": _WRAPPED,
    "stft": _COMPOSED,
    "stft.2": _COMPOSED,
    "tensordot": _ARRANGED,
    "trapezoid": _COMPOSED,
    "trapz": _COMPOSED,
    "triangular_solve": _COMPOSED,
    "xlogy.2": _WRAPPED,
}
"""Cases whose result has a differently named node than PyTorch's, with the reason."""

DOUBLE, SINGLE = 1e-9, 2e-4
"""How far values may be apart, relative to the largest, in double and single precision."""


class Side:
    """One of the two systems: how to make tensors, call operators, and differentiate."""

    def __init__(self, function: Callable[..., Any], tensor: Callable[..., Any], library: Any) -> None:
        self.function = function
        self.tensor = tensor
        self.library = library
        self.grad = library.autograd.grad
        self.is_tensor = lambda x: isinstance(x, library.Tensor)

    def flatten(self, result: Any) -> list[Any]:
        if self.is_tensor(result):
            return [result]
        return [t for item in result for t in self.flatten(item)] if isinstance(result, (tuple, list)) else []


def ours(run: Run) -> Side:
    return Side(run.case.function, lambda array, grad=False: ad.Tensor(array, requires_grad=grad), ad)


def theirs(run: Run) -> Side:
    return Side(oracle_of(run), lambda array, grad=False: torch.tensor(array, requires_grad=grad), torch)


def oracle_of(run: Run) -> Callable[..., Any]:
    """PyTorch's function for a case."""
    oracle = run.case.oracle
    if oracle is True:
        return find(torch, run.case.name)
    if isinstance(oracle, str):
        return functools.reduce(getattr, oracle.split("."), torch)
    return oracle


def translated(side: Side, leaf: Any) -> Any:
    """An argument that is no tensor, in a system's own types."""
    if isinstance(leaf, ad.dtype) and side.library is torch:
        return getattr(torch, leaf.name)
    if isinstance(leaf, np.ndarray):
        return side.tensor(leaf)
    return leaf


class Seen:
    """What one system makes of a run: results, and the gradients of random weighted sums, as NumPy arrays."""

    def __init__(self, run: Run, side: Side, single: bool = False, second: bool = False) -> None:
        made = {id(g): side.tensor(narrow(g.array.copy(), single), g.requires_grad) for g in run.sample.givens}
        change = lambda leaf: made[id(leaf)] if isinstance(leaf, Given) else translated(side, leaf)
        args, kwargs = substitute((run.sample.args, run.sample.kwargs), change)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch's advice is not our subject
            result = invoke(run.case, side.function, args, kwargs)
        self.outputs = side.flatten(result)
        self.values = [as_numpy(output) for output in self.outputs]
        self.dtypes = [str(output.dtype).rpartition(".")[2] for output in self.outputs]
        self.chosen = [run.sample.givens[i] for i in run.sample.variables]
        variables = [made[id(given)] for given in self.chosen]
        recorded = [output for output in self.outputs if output.requires_grad]
        self.required = [output.requires_grad for output in self.outputs]
        self.gradients: list[Any] = []
        self.second: list[Any] = []
        if recorded and variables:
            weights = [side.tensor(weights_for(output, k), second) for k, output in enumerate(recorded)]
            found = side.grad(recorded, variables, weights, allow_unused=True, create_graph=second)
            self.gradients = [self._array(given, g) for given, g in zip(self.chosen, found)]
            if second:
                self.second = self._again(side, found, variables, weights)

    def _array(self, given: Given, gradient: Any) -> np.ndarray:
        if gradient is None:  # whether a gradient that is zero is said to be absent is left open
            return np.zeros_like(given.array)
        return given.project(as_numpy(gradient))

    def _again(self, side: Side, found: Sequence[Any], variables: list[Any], weights: list[Any]) -> list[Any]:
        kept = [(k, g) for k, g in enumerate(found) if g is not None and g.requires_grad]
        if not kept:
            return []
        seeds = [side.tensor(self.chosen[k].project(weights_for(g, 10 + k))) for k, g in kept]
        second = side.grad([g for _, g in kept], [*variables, *weights], seeds, allow_unused=True)
        by_input = [self._array(given, g) for given, g in zip(self.chosen, second)]
        by_weight = [np.zeros(w.shape) if g is None else as_numpy(g) for w, g in zip(weights, second[len(variables) :])]
        return [*by_input, *by_weight]


def narrow(array: np.ndarray, single: bool) -> np.ndarray:
    kinds = {"float64": np.float32, "complex128": np.complex64}
    return array.astype(kinds.get(array.dtype.name, array.dtype)) if single else array


def as_numpy(tensor: Any) -> np.ndarray:
    if isinstance(tensor, ad.Tensor):
        return to_numpy(tensor)
    return tensor.detach().resolve_conj().resolve_neg().numpy(force=True)


def assert_equal(found: Sequence[np.ndarray], wanted: Sequence[np.ndarray], what: str, rtol: float) -> int:
    assert len(found) == len(wanted), f"{what}: {len(found)} instead of {len(wanted)}"
    compared = 0
    for k, (a, b) in enumerate(zip(found, wanted)):
        assert a.shape == b.shape, f"{what} {k}: shape {a.shape} instead of {b.shape}"
        if b.dtype.kind in "fc":
            scale = float(np.max(np.abs(b[np.isfinite(b)]), initial=0.0))
            np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * scale + 1e-2 * rtol, err_msg=f"{what} {k}")
        else:
            np.testing.assert_array_equal(a, b, err_msg=f"{what} {k}")
        compared += max(1, a.size)
    return compared


def tolerance(run: Run, usual: float) -> float:
    return max(usual, usual / DOUBLE * (run.case.rtol or 0))


with_oracle = [run for run in runs() if run.case.oracle is not None]
every_run = on_each(with_oracle)


@every_run
@pytest.mark.parametrize("single", [False, True], ids=["double", "single"])
def test_value_and_gradient(run: Run, single: bool) -> None:
    found, wanted = Seen(run, ours(run), single), Seen(run, theirs(run), single)
    rtol = tolerance(run, SINGLE if single else DOUBLE)
    assert found.dtypes == wanted.dtypes
    assert assert_equal(found.values, wanted.values, "value", rtol) > 0
    assert found.required == wanted.required, "requires_grad"
    compared = assert_equal(found.gradients, wanted.gradients, "gradient", rtol)
    assert compared or not run.has_derivative or not checks.differentiable(found.outputs), "no gradient was compared"


@on_each(run for run in with_oracle if run.case.second and run.has_derivative)
def test_second_derivative(run: Run) -> None:
    """The derivatives of the gradients by the inputs and by the outputs' gradients."""
    found, wanted = Seen(run, ours(run), second=True), Seen(run, theirs(run), second=True)
    compared = assert_equal(found.second, wanted.second, "second derivative", tolerance(run, 10 * DOUBLE))
    assert compared > 0


@pytest.mark.parametrize("label", list(load()))
def test_node_name(label: str) -> None:
    tried = [run for run in with_oracle if run.case.label == label and run.has_derivative]
    if not tried:
        pytest.skip("no derivative, or no oracle")
    names = [(node_names(run, ours(run)), node_names(run, theirs(run))) for run in tried]
    wrong = sorted({pair for pair in names if pair[0] != pair[1]})
    if label in OTHER_NODE_NAMES:
        assert wrong, "has PyTorch's names now; take it off the list"
        pytest.skip(OTHER_NODE_NAMES[label])
    assert not wrong, f"(ours, theirs): {wrong}"


def node_names(run: Run, side: Side) -> tuple[tuple[str, int], ...]:
    """The names of the nodes of all outputs, and to how many others each leads."""
    made = {id(g): side.tensor(g.array.copy(), g.requires_grad) for g in run.sample.givens}
    change = lambda leaf: made[id(leaf)] if isinstance(leaf, Given) else translated(side, leaf)
    args, kwargs = substitute((run.sample.args, run.sample.kwargs), change)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outputs = side.flatten(side.function(*args, **kwargs))
    nodes = [output.grad_fn for output in outputs if output.requires_grad and output.grad_fn is not None]
    # PyTorch puts a C++ namespace before some names
    return tuple((node.name().rpartition("::")[2], len(node.next_functions)) for node in nodes)
