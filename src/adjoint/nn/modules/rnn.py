"""Recurrent layers: `RNN`, `LSTM`, `GRU` over sequences or packed sequences, and their cells."""

from __future__ import annotations

import math
import warnings
from typing import Any

from adjoint._dispatch.table import ops
from adjoint._ops.nn.recurrent import run_packed
from adjoint.nn import init
from adjoint.nn.modules.module import Module, Registered
from adjoint.nn.parameter import new_parameter
from adjoint.nn.utils.rnn import PackedSequence

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}
_ARGUMENTS = """
    Args:
        input_size: the number of features of inputs.
        hidden_size: that of hidden states.
        num_layers: the number of layers.
{nonlinearity}        bias: whether biases are added.
        batch_first: whether the first dimension of inputs and outputs is the batch, and not the second.
        dropout: the probability of dropout after each layer but the last.
        bidirectional: whether each layer goes in both directions.
{projection}        device, dtype: those of the parameters.
"""  # the arguments of all recurrent layers, put into their docstrings


class RNNBase(Module):
    """Base class of recurrent layers.

    Args:
        mode: ``'LSTM'``, ``'GRU'``, ``'RNN_TANH'`` or ``'RNN_RELU'``.
        input_size: the number of features of inputs.
        hidden_size: that of hidden states.
        num_layers: the number of layers.
        bias: whether biases are added.
        batch_first: whether the first dimension of inputs and outputs is the batch, and not the second.
        dropout: the probability of dropout after each layer but the last.
        bidirectional: whether each layer goes in both directions.
        proj_size: the size to which hidden states of an LSTM are projected; 0 for none.
        device, dtype: those of the parameters.
    """

    __constants__ = [
        "mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional",
        "proj_size",
    ]  # fmt: skip

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.bidirectional, self.proj_size = bias, batch_first, bidirectional, proj_size
        self.dropout = dropout
        self._check_arguments()
        self.dropout = float(dropout)
        self._all_weights: list[list[str]] = []
        shown = proj_size or hidden_size
        gates = _GATES[mode] * hidden_size
        for layer in range(num_layers):
            features = input_size if layer == 0 else shown * (2 if bidirectional else 1)
            shapes: dict[str, Any] = {"weight_ih": (gates, features), "weight_hh": (gates, shown)}
            shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)} if bias else {}
            shapes |= {"weight_hr": (proj_size, hidden_size)} if proj_size else {}
            for suffix in ("", "_reverse") if bidirectional else ("",):
                names = [f"{name}_l{layer}{suffix}" for name in shapes]
                self._all_weights.append(names)
                for name, shape in zip(names, shapes.values()):
                    self.register_parameter(name, new_parameter(shape, device, dtype))
        self._flat_weights_names = [name for names in self._all_weights for name in names]
        self.reset_parameters()

    def _check_arguments(self) -> None:
        if self.mode not in _GATES:
            raise ValueError(f"the mode of a recurrent layer is one of {', '.join(_GATES)}, not {self.mode!r:.80}")
        for name, kind in (("bias", bool), ("batch_first", bool), ("input_size", int), ("hidden_size", int)):
            if not isinstance(getattr(self, name), kind):
                raise TypeError(f"{name} is of type {kind.__name__}, not {type(getattr(self, name)).__name__}")
        for name in ("input_size", "hidden_size", "num_layers"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} has to be positive, got {getattr(self, name)}")
        if not 0 <= self.proj_size < self.hidden_size:
            raise ValueError(f"proj_size is from 0 to hidden_size - 1, {self.hidden_size - 1}, not {self.proj_size}")
        dropout = self.dropout
        if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
            raise ValueError(f"dropout is a probability, between 0 and 1, not {dropout!r:.80}")
        if dropout > 0 and self.num_layers == 1:
            warnings.warn("dropout comes after each layer but the last, and there is one layer only", stacklevel=4)

    def reset_parameters(self) -> None:
        """Fill the parameters with new random values."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing; accepted for compatibility."""

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters, by layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights(self) -> list[Any]:
        own = self._parameters
        return [own[name] if name in own else getattr(self, name) for name in self._flat_weights_names]

    def extra_repr(self) -> str:
        """Return what `repr` shows: the sizes, and what is not as usual."""
        usual = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0}
        shown = [f"{name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        shown += ["bidirectional=True"] if self.bidirectional else []
        return ", ".join([f"{self.input_size}, {self.hidden_size}", *shown])

    def forward(self, input: Any, hx: Any = None) -> Any:
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        if input.dim() not in (2, 3):
            raise ValueError(f"{self._get_name()} takes 2 or 3 dimensions; the shape is {tuple(input.shape)}")
        batch = 0 if self.batch_first else 1
        alone = input.dim() == 2
        if alone:
            input = input.unsqueeze(batch)
        states = self._states(hx, input, input.shape[batch], alone)
        run = getattr(ops, self.mode.lower())
        options = (self.bias, self.num_layers, self.dropout, self.training, self.bidirectional, self.batch_first)
        output, *ends = run(input, states if self.mode == "LSTM" else states[0], self._flat_weights, *options)
        if alone:
            output, ends = output.squeeze(batch), [end.squeeze(1) for end in ends]
        return output, tuple(ends) if self.mode == "LSTM" else ends[0]

    def _forward_packed(self, input: PackedSequence, hx: Any) -> Any:
        data, batch_sizes, order, back = input
        sizes = [int(size) for size in batch_sizes.tolist()]
        states = _permute(self._states(hx, data, sizes[0], False), None if hx is None else order)
        options = (self.bias, self.num_layers, self.dropout, self.training, self.bidirectional)
        output, *ends = run_packed(self.mode, data, sizes, states, self._flat_weights, *options)
        ends = _permute(ends, back)
        packed = PackedSequence(output, batch_sizes, order, back)
        return packed, tuple(ends) if self.mode == "LSTM" else ends[0]

    def _states(self, hx: Any, input: Any, batch: int, alone: bool) -> tuple[Any, ...]:
        """Return the first states, which are zeros by default, as a tuple; checked."""
        first = self._flat_weights[0]
        if input.dtype != first.dtype:
            raise ValueError(
                f"the input is {input.dtype}, and the parameters are {first.dtype}; convert one of them with to()"
            )
        if input.shape[-1] != self.input_size:
            raise RuntimeError(f"the input has {input.shape[-1]} features, and input_size is {self.input_size}")
        lead = (self.num_layers * (2 if self.bidirectional else 1), batch)
        shapes = [(*lead, self.proj_size or self.hidden_size), (*lead, self.hidden_size)]
        shapes = shapes if self.mode == "LSTM" else shapes[:1]
        if hx is None:
            return tuple(ops.zeros(shape, dtype=input.dtype, device=input.device) for shape in shapes)
        given = tuple(hx) if self.mode == "LSTM" else (hx,)
        if any(state.dim() != (2 if alone else 3) for state in given):
            raise RuntimeError(
                f"states have as many dimensions as the input: {2 if alone else 3}, not {[s.dim() for s in given]}"
            )
        given = tuple(state.unsqueeze(1) for state in given) if alone else given
        for state, shape in zip(given, shapes):
            if tuple(state.shape) != shape:
                raise RuntimeError(f"a state of {self._get_name()} has shape {shape} here, not {tuple(state.shape)}")
        return given


def _permute(states: Any, order: Any) -> tuple[Any, ...]:
    """Put the batch of states into another order."""
    return tuple(states) if order is None else tuple(state.index_select(1, order) for state in states)


class RNN(RNNBase):
    """A recurrent (Elman) network with tanh or ReLU.
    {arguments}
        Example:
            >>> output, last = nn.RNN(2, 3)(ad.ones(5, 1, 2))
            >>> output.shape, last.shape
            (adjoint.Size([5, 1, 3]), adjoint.Size([1, 1, 3]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"nonlinearity is 'tanh' or 'relu', not {nonlinearity!r:.80}")
        options = (bias, batch_first, dropout, bidirectional, 0, device, dtype)
        super().__init__(f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, *options)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """A long short-term memory network.
    {arguments}
        Example:
            >>> output, (hidden, cell) = nn.LSTM(2, 3)(ad.ones(5, 1, 2))
            >>> output.shape, hidden.shape, cell.shape
            (adjoint.Size([5, 1, 3]), adjoint.Size([1, 1, 3]), adjoint.Size([1, 1, 3]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        options = (bias, batch_first, dropout, bidirectional, proj_size, device, dtype)
        super().__init__("LSTM", input_size, hidden_size, num_layers, *options)


class GRU(RNNBase):
    """A network of gated recurrent units.
    {arguments}
        Example:
            >>> output, last = nn.GRU(2, 3)(ad.ones(5, 1, 2))
            >>> output.shape, last.shape
            (adjoint.Size([5, 1, 3]), adjoint.Size([1, 1, 3]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        options = (bias, batch_first, dropout, bidirectional, 0, device, dtype)
        super().__init__("GRU", input_size, hidden_size, num_layers, *options)


for _cls in (RNN, LSTM, GRU):
    _text = _ARGUMENTS.format(
        nonlinearity="        nonlinearity: ``'tanh'`` or ``'relu'``.\n" if _cls is RNN else "",
        projection="        proj_size: the size to which hidden states are projected; 0 for none.\n"
        if _cls is LSTM
        else "",
    )
    _cls.__doc__ = (_cls.__doc__ or "").replace("{arguments}\n", _text.removeprefix("\n"))


# ---- cells -----------------------------------------------------------------------------------------------------------


class RNNCellBase(Module):
    """Base class of recurrent cells: one step for a batch, or for one input."""

    __constants__ = ["input_size", "hidden_size", "bias"]
    weight_ih = Registered()
    weight_hh = Registered()
    bias_ih = Registered()
    bias_hh = Registered()

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        gates = num_chunks * hidden_size
        self.weight_ih = new_parameter((gates, input_size), device, dtype)
        self.weight_hh = new_parameter((gates, hidden_size), device, dtype)
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, new_parameter(gates, device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Fill the parameters with new random values."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def extra_repr(self) -> str:
        """Return what `repr` shows: the sizes, and what is not as usual."""
        text = f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else f", bias={self.bias}")
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        return text if nonlinearity == "tanh" else f"{text}, nonlinearity={nonlinearity}"

    def _run(self, cell: Any, input: Any, states: Any, count: int) -> tuple[Any, ...]:
        """Run a cell: `count` states, which are zeros by default."""
        for value in (input, *(states or ())):
            if value.dim() not in (1, 2):
                raise ValueError(f"{self._get_name()} takes 1 or 2 dimensions; a shape is {tuple(value.shape)}")
        alone = input.dim() == 1
        if alone:
            input, states = input.unsqueeze(0), states and [state.unsqueeze(0) for state in states]
        if states is None:
            states = [ops.zeros(len(input), self.hidden_size, dtype=input.dtype, device=input.device)] * count
        given = tuple(states) if count > 1 else states[0]
        result = cell(input, given, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        results = result if count > 1 else (result,)
        return tuple(one.squeeze(0) for one in results) if alone else tuple(results)


class RNNCell(RNNCellBase):
    """One step of a recurrent (Elman) network.

    Args:
        input_size: the number of features of inputs.
        hidden_size: that of hidden states.
        bias: whether biases are added.
        nonlinearity: ``'tanh'`` or ``'relu'``.
        device, dtype: those of the parameters.

    Example:
        >>> nn.RNNCell(2, 3)(ad.ones(1, 2)).shape
        adjoint.Size([1, 3])
    """

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Any = None) -> Any:
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"nonlinearity is 'tanh' or 'relu', not {self.nonlinearity!r:.80}")
        cell = ops.rnn_tanh_cell if self.nonlinearity == "tanh" else ops.rnn_relu_cell
        return self._run(cell, input, None if hx is None else (hx,), 1)[0]


class LSTMCell(RNNCellBase):
    """One step of a long short-term memory network.

    Args:
        input_size: the number of features of inputs.
        hidden_size: that of hidden states.
        bias: whether biases are added.
        device, dtype: those of the parameters.

    Example:
        >>> hidden, cell = nn.LSTMCell(2, 3)(ad.ones(1, 2))
        >>> hidden.shape, cell.shape
        (adjoint.Size([1, 3]), adjoint.Size([1, 3]))
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Any, hx: Any = None) -> Any:
        return self._run(ops.lstm_cell, input, hx, 2)


class GRUCell(RNNCellBase):
    """One step of a network of gated recurrent units.

    Args:
        input_size: the number of features of inputs.
        hidden_size: that of hidden states.
        bias: whether biases are added.
        device, dtype: those of the parameters.

    Example:
        >>> nn.GRUCell(2, 3)(ad.ones(1, 2)).shape
        adjoint.Size([1, 3])
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Any, hx: Any = None) -> Any:
        return self._run(ops.gru_cell, input, None if hx is None else (hx,), 1)[0]
