"""`Module`, `Parameter`, layers and containers on their own; `tests/oracle/nn` compares them with PyTorch's."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import adjoint as ad
from adjoint import nn


def test_import_of_adjoint_does_not_import_nn():
    program = "import sys, adjoint; assert 'adjoint.nn' not in sys.modules; adjoint.nn.Linear(1, 1)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_pytorchs_paths_can_be_imported():
    for name in (
        "activation adaptive batchnorm channelshuffle container conv distance dropout flatten fold instancenorm".split()
    ):
        assert hasattr(nn.modules, name)
    from adjoint.nn.modules.instancenorm import _InstanceNorm
    from adjoint.nn.modules.pixelshuffle import PixelShuffle

    assert issubclass(nn.InstanceNorm1d, _InstanceNorm) and PixelShuffle is nn.PixelShuffle


# ---- Parameter -------------------------------------------------------------------------------------------------------


def test_a_parameter_takes_the_fast_paths_of_a_plain_leaf():
    parameter = nn.Parameter(ad.ones(2))
    assert parameter._spec is ad.ones(2)._spec and parameter._spec.plain
    assert type(parameter * 2) is ad.Tensor and type(parameter.detach()) is ad.Tensor
    assert nn.Linear(1, 2).weight._spec is ad.ones(2, 1)._spec


def test_a_parameter_shares_the_memory_of_its_data():
    data = ad.zeros(2)
    parameter = nn.Parameter(data)
    data[0] = 3.0
    assert parameter.tolist() == [3.0, 0.0]
    with ad.no_grad():
        parameter[1] = 4.0
    assert data.tolist() == [3.0, 4.0]


def test_a_write_to_a_parameter_that_a_graph_needs_is_noticed():
    layer = nn.Linear(2, 2)
    result = layer(ad.ones(1, 2, requires_grad=True)).sum()
    with ad.no_grad():
        layer.weight.add_(1)
    with pytest.raises(RuntimeError):
        result.backward()


def test_a_parameter_of_a_subclass_keeps_the_class():
    class Marked(ad.Tensor):
        pass

    parameter = nn.Parameter(ad.ones(2).as_subclass(Marked))
    assert type(parameter) is Marked and isinstance(parameter, nn.Parameter) and parameter.requires_grad
    module = nn.Module()
    module.weight = parameter
    assert list(module._parameters) == ["weight"]


def test_a_materialized_parameter_is_an_ordinary_one():
    layer = nn.LazyLinear(2)
    weight = layer.weight
    with pytest.raises(ValueError, match="no values yet"):
        weight + 1
    layer(ad.ones(1, 3))
    assert layer.weight is weight and type(weight) is nn.Parameter and weight._spec.plain
    layer(ad.ones(1, 3)).sum().backward()
    assert weight.grad.shape == (2, 3)


# ---- attributes ------------------------------------------------------------------------------------------------------


def test_others_may_walk_and_change_the_dictionaries():
    layer = nn.Linear(2, 2)
    assert type(layer._parameters) is dict and type(layer._modules) is dict and type(layer._buffers) is dict
    replaced = ad.zeros(2, 2)
    layer._parameters["weight"] = replaced
    assert layer.weight is replaced and (layer(ad.ones(1, 2)) == layer.bias).all()
    del layer._parameters["weight"]
    assert not hasattr(layer, "weight")
    layer.weight = ad.ones(2, 2)  # what weight_norm does: an ordinary attribute
    assert layer.__dict__["weight"] is layer.weight and not hasattr(nn.Linear, "weight")
    layer.register_buffer("bias_", None)
    with pytest.raises(AttributeError, match="'Linear' object has no attribute 'nothing'"):
        layer.nothing


def test_a_subclass_may_compute_a_declared_parameter():
    class Doubled(nn.Linear):
        @property
        def weight(self):
            return self.original * 2

        @weight.setter
        def weight(self, value):
            self.original = value

    layer = Doubled(2, 1, bias=False)
    assert list(layer.state_dict()) == ["weight"] or list(layer.state_dict()) == ["original"]


def test_a_module_must_be_initialised():
    class Bare(nn.Module):
        def __init__(self):
            pass

    with pytest.raises(AttributeError, match="super"):
        Bare()(1)
    with pytest.raises(AttributeError, match="super"):
        Bare().layer = nn.ReLU()
    with pytest.raises(NotImplementedError, match="forward"):
        nn.Module()(1)


def test_a_register_buffer_without_persistent_is_called_as_it_is():
    class Old(nn.Module):
        def register_buffer(self, name, tensor):
            super().register_buffer(name, tensor)

    module = Old()
    module.register_buffer("mean", ad.zeros(1))
    module.mean = ad.ones(1)
    assert module.mean.tolist() == [1.0]


def test_lazy_layers_are_what_they_become():
    for name in ("Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"):
        assert issubclass(getattr(nn, f"Lazy{name}"), getattr(nn, name))
        assert getattr(nn, f"Lazy{name}").cls_to_become is getattr(nn, name)


# ---- layers that are declared ----------------------------------------------------------------------------------------


def test_a_declared_layer_can_be_subclassed_and_called_by_keyword():
    class Leaky(nn.LeakyReLU):
        note: str = "no field"

        def __init__(self, slope):
            super().__init__(negative_slope=slope)
            self.slope = slope

    layer = Leaky(0.5)
    assert layer(ad.tensor([-2.0])).tolist() == [-1.0] and repr(layer) == "Leaky(negative_slope=0.5)"
    assert str(inspect.signature(nn.LeakyReLU)) == "(negative_slope: 'float' = 0.01, inplace: 'bool' = False) -> None"
    with pytest.raises(TypeError, match=r"Softplus.*nothing"):
        nn.Softplus(nothing=1)
    with pytest.raises(TypeError, match=r"Threshold.*'value'"):
        nn.Threshold(1.0)


def test_a_field_may_be_changed():
    pool = nn.MaxPool1d(2)
    pool.kernel_size = pool.stride = 3
    assert pool(ad.arange(6.0).reshape(1, 6)).tolist() == [[2.0, 5.0]]
    assert repr(pool) == "MaxPool1d(kernel_size=3, stride=3, padding=0, dilation=1, ceil_mode=False)"


def test_weights_of_losses_are_buffers():
    loss = nn.CrossEntropyLoss(ad.ones(3)).double()
    assert list(loss.state_dict()) == ["weight"] and loss.weight.dtype is ad.float64


# ---- hooks -----------------------------------------------------------------------------------------------------------


def test_a_removed_hook_leaves_nothing_behind():
    layer = nn.ReLU()
    handles = [
        layer.register_forward_pre_hook(print, with_kwargs=True),
        layer.register_forward_hook(print, with_kwargs=True, always_call=True),
        layer.register_full_backward_hook(print),
        layer.register_full_backward_pre_hook(print),
    ]
    for handle in handles:
        handle.remove()
        handle.remove()
    assert not any(value for name, value in vars(layer).items() if "hooks" in name)


def test_an_always_called_hook_that_raises_is_passed_over():
    layer = nn.ReLU()
    layer.register_forward_hook(lambda *args: 1 / 0, always_call=True)
    layer.forward = lambda x: [][x]
    with pytest.warns(UserWarning, match="division"), pytest.raises(IndexError):
        layer(0)


def test_full_backward_hooks_without_inputs_that_require_grad_warn():
    layer, seen = nn.Linear(2, 2), []
    layer.register_full_backward_hook(lambda module, grad_input, grad_output: seen.append((grad_input, grad_output)))
    with pytest.warns(UserWarning, match="none of its inputs requires grad"):
        layer(ad.ones(1, 2)).sum().backward()
    assert seen[0][0] == (None,) and seen[0][1][0].tolist() == [[1.0, 1.0]]


def test_backward_hooks_work_twice_and_with_create_graph():
    layer, count = nn.Tanh(), []
    layer.register_full_backward_hook(lambda *args: count.append(1))
    x = ad.ones(2, requires_grad=True)
    (grad,) = ad.autograd.grad(layer(x).sum(), x, create_graph=True)
    grad.sum().backward()
    result = layer(x).sum()
    result.backward(retain_graph=True)
    result.backward()
    assert len(count) >= 3


def test_a_module_is_freed_with_its_hooks():
    layer = nn.Linear(2, 2)
    layer.register_full_backward_hook(lambda *args: None)
    layer(ad.ones(1, 2, requires_grad=True)).sum().backward()
    reference = weakref.ref(layer)
    del layer
    gc.collect()
    assert reference() is None


# ---- state -----------------------------------------------------------------------------------------------------------


def test_a_pickle_has_no_hooks_of_memory_and_keeps_ties():
    layer = nn.Linear(2, 2)
    net = nn.ModuleList([layer, layer])
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert other[0] is other[1] and other[0].weight is not layer.weight
        assert ad.equal(other[0].weight, layer.weight)


def test_loading_does_not_record_and_keeps_objects():
    net, other = nn.BatchNorm1d(2), nn.BatchNorm1d(2)
    weight = net.weight
    with ad.no_grad():
        other.weight.fill_(5.0)
    net.load_state_dict(other.state_dict())
    assert net.weight is weight and weight.tolist() == [5.0, 5.0] and weight.is_leaf
    old = {name: value for name, value in other.state_dict().items() if name != "num_batches_tracked"}
    net.load_state_dict(old)  # from before batches were counted


def test_parameters_of_immutable_arrays():
    jax = pytest.importorskip("jax")
    layer = nn.Linear(2, 3)
    weights = {name: ad.Tensor(jax.numpy.asarray(p.detach().numpy())) for name, p in layer.named_parameters()}
    x = ad.Tensor(jax.numpy.ones((1, 2)))
    result = ad.func.functional_call(layer, weights, x)
    np.testing.assert_allclose(np.asarray(result), layer(ad.ones(1, 2)).detach().numpy(), rtol=1e-6)
    for name, value in weights.items():
        setattr(layer, name, nn.Parameter(value))
    layer(x).sum().backward()
    with ad.no_grad():
        for parameter in layer.parameters():
            parameter.sub_(parameter.grad)
    assert layer.bias.grad.tolist() == [1.0, 1.0, 1.0]


def test_vmap_over_an_ensemble_and_per_sample_gradients():
    models = [nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)) for _ in range(3)]
    parameters, buffers = ad.func.stack_module_state(models)
    x = ad.linspace(-1, 1, 8).reshape(4, 2)
    together = ad.func.vmap(lambda p: ad.func.functional_call(models[0], (p, buffers), x))(parameters)
    assert all(ad.allclose(together[i], model(x), atol=1e-6) for i, model in enumerate(models))
    own = dict(models[0].named_parameters())
    loss = lambda p, one: ad.func.functional_call(models[0], p, one).sum()
    each = ad.func.vmap(ad.func.grad(loss), (None, 0))(own, x)
    loss(own, x).backward()
    assert all(ad.allclose(each[name].sum(0), p.grad, atol=1e-5) for name, p in own.items())


def test_default_initialisation_has_pytorchs_bounds():
    ad.manual_seed(0)
    layer = nn.Linear(100, 200)
    bound = 0.1
    for values in (layer.weight, layer.bias, nn.Conv1d(25, 99, 4).weight, nn.GRU(3, 100).weight_ih_l0):
        values = values.detach().numpy()
        assert np.abs(values).max() <= bound and np.abs(values).max() > 0.95 * bound and abs(values.mean()) < 0.02
    assert abs(float(nn.Embedding(99, 99).weight.detach().std()) - 1) < 0.05
    ad.manual_seed(0)
    assert ad.equal(nn.Linear(100, 200).weight, layer.weight)


def test_cross_map_lrn_is_local_response_norm():
    x = ad.linspace(-2, 2, 72).reshape(2, 4, 3, 3)
    assert ad.equal(nn.CrossMapLRN2d(3, 0.1)(x), nn.LocalResponseNorm(3, 0.1)(x))


def test_dropout_drops_in_training_only():
    ad.manual_seed(0)
    x = ad.ones(4, 100, 5)
    for layer in (nn.Dropout(0.5), nn.Dropout1d(0.5)):
        y = layer(x)
        assert set(y.unique().tolist()) == {0.0, 2.0} and 0.3 < float(y.mean()) / 2 < 0.7
        assert layer.eval()(x) is x or ad.equal(layer(x), x)
    channels = nn.Dropout1d(0.5)(x)
    assert set((channels == 0).sum(-1).unique().tolist()) == {0, 5}
    with pytest.raises(ValueError, match="probability"):
        nn.Dropout(1.5)
