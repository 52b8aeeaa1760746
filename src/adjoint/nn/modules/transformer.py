"""Transformers: layers of attention and feed-forward networks, and stacks of them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from adjoint._dispatch.table import ops
from adjoint.nn import functional as F
from adjoint.nn import init
from adjoint.nn._module.attention import MultiheadAttention
from adjoint.nn.modules.container import ModuleList
from adjoint.nn.modules.dropout import Dropout
from adjoint.nn.modules.linear import Linear
from adjoint.nn.modules.module import Module
from adjoint.nn.modules.normalization import LayerNorm


def _get_activation_fn(activation: Any) -> Callable[[Any], Any]:
    """Return the function of a name; a function is returned as it is."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation is 'relu', 'gelu' or a function, not {activation!r:.80}")
    return getattr(F, activation)


def _copies(module: Any, count: int) -> ModuleList:
    return ModuleList(copy.deepcopy(module) for _ in range(count))


class _Layer(Module):
    """What the layers of encoder and decoder share: the feed-forward network, and sums with the input."""

    __constants__ = ["norm_first"]
    _norms: tuple[str, ...]

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        places: dict[str, Any] = {"device": device, "dtype": dtype}
        for name in ("self_attn", "multihead_attn")[: len(self._norms) - 1]:
            attention = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **places)
            self.add_module(name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **places)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **places)
        self.norm_first = norm_first
        for name in self._norms:
            self.add_module(name, LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **places))
        for number in range(1, len(self._norms) + 1):
            self.add_module(f"dropout{number}", Dropout(dropout))
        self.activation = _get_activation_fn(activation)

    def _add(self, norm: str, x: Any, block: Callable[[Any], Any]) -> Any:
        """Add the result of a block, with normalisation before the block or after the sum."""
        normalize = getattr(self, norm)
        return x + block(normalize(x)) if self.norm_first else normalize(x + block(x))

    def _sa_block(self, x: Any, attn_mask: Any, key_padding_mask: Any, is_causal: bool = False) -> Any:
        masks = {"attn_mask": attn_mask, "key_padding_mask": key_padding_mask, "is_causal": is_causal}
        return self.dropout1(self.self_attn(x, x, x, need_weights=False, **masks)[0])

    def _ff_block(self, x: Any) -> Any:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return getattr(self, f"dropout{len(self._norms)}")(x)


_ARGUMENTS = """
    Args:
        d_model: the number of features.
        nhead: the number of heads.
        dim_feedforward: the number of features inside the feed-forward network.
        dropout: the probability of dropout.
        activation: ``'relu'``, ``'gelu'``, or a function.
        layer_norm_eps: `eps` of the normalisations.
        batch_first: whether the first dimension is the batch, and not the second.
        norm_first: whether normalisation comes before attention and feed-forward network, and not after.
        bias: whether linear maps and normalisations have biases.
        device, dtype: those of the parameters.
"""  # the arguments of both layers, put into their docstrings


class TransformerEncoderLayer(_Layer):
    """A layer of a transformer's encoder: attention to itself, and a feed-forward network.
    {arguments}
        Example:
            >>> nn.TransformerEncoderLayer(4, 2, dim_feedforward=8)(ad.ones(5, 1, 4)).shape
            adjoint.Size([5, 1, 4])
    """

    _norms = ("norm1", "norm2")

    def forward(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None, is_causal: bool = False) -> Any:
        x = self._add("norm1", src, lambda x: self._sa_block(x, src_mask, src_key_padding_mask, is_causal))
        return self._add("norm2", x, self._ff_block)


class TransformerDecoderLayer(_Layer):
    """A layer of a transformer's decoder: attention to itself and to the encoder, and a feed-forward network.
    {arguments}
        Example:
            >>> nn.TransformerDecoderLayer(4, 2, dim_feedforward=8)(ad.ones(3, 1, 4), ad.ones(5, 1, 4)).shape
            adjoint.Size([3, 1, 4])
    """

    _norms = ("norm1", "norm2", "norm3")

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Any:
        seen = (memory, memory_mask, memory_key_padding_mask, memory_is_causal)
        x = self._add("norm1", tgt, lambda x: self._sa_block(x, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
        x = self._add("norm2", x, lambda x: self._mha_block(x, *seen))
        return self._add("norm3", x, self._ff_block)

    def _mha_block(self, x: Any, mem: Any, attn_mask: Any, key_padding_mask: Any, is_causal: bool = False) -> Any:
        masks = {"attn_mask": attn_mask, "key_padding_mask": key_padding_mask, "is_causal": is_causal}
        return self.dropout2(self.multihead_attn(x, mem, mem, need_weights=False, **masks)[0])


for _cls in (TransformerEncoderLayer, TransformerDecoderLayer):
    _cls.__doc__ = (_cls.__doc__ or "").replace("{arguments}\n", _ARGUMENTS.removeprefix("\n"))


class TransformerEncoder(Module):
    """A stack of encoder layers.

    Args:
        encoder_layer: the layer, which is copied.
        num_layers: how many times.
        norm: a normalisation at the end.
        enable_nested_tensor, mask_check: accepted for compatibility.

    Example:
        >>> layer = nn.TransformerEncoderLayer(4, 2, dim_feedforward=8)
        >>> nn.TransformerEncoder(layer, 2)(ad.ones(5, 1, 4)).shape
        adjoint.Size([5, 1, 4])
    """

    __constants__ = ["norm"]

    def __init__(
        self,
        encoder_layer: Any,
        num_layers: int,
        norm: Any = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _copies(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor, self.use_nested_tensor, self.mask_check = enable_nested_tensor, False, mask_check

    def forward(
        self, src: Any, mask: Any = None, src_key_padding_mask: Any = None, is_causal: bool | None = None
    ) -> Any:
        for layer in self.layers:
            src = layer(src, src_mask=mask, is_causal=bool(is_causal), src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """A stack of decoder layers.

    Args:
        decoder_layer: the layer, which is copied.
        num_layers: how many times.
        norm: a normalisation at the end.

    Example:
        >>> layer = nn.TransformerDecoderLayer(4, 2, dim_feedforward=8)
        >>> nn.TransformerDecoder(layer, 2)(ad.ones(3, 1, 4), ad.ones(5, 1, 4)).shape
        adjoint.Size([3, 1, 4])
    """

    __constants__ = ["norm"]

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Any = None) -> None:
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Any:
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=bool(tgt_is_causal),
                memory_is_causal=memory_is_causal,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """A transformer: an encoder of one sequence, and a decoder of another one that attends to it.

    Args:
        d_model: the number of features.
        nhead: the number of heads.
        num_encoder_layers, num_decoder_layers: the numbers of layers.
        dim_feedforward: the number of features inside the feed-forward networks.
        dropout: the probability of dropout.
        activation: ``'relu'``, ``'gelu'``, or a function.
        custom_encoder, custom_decoder: modules to be used instead.
        layer_norm_eps: `eps` of the normalisations.
        batch_first: whether the first dimension is the batch, and not the second.
        norm_first: whether normalisation comes before attention and feed-forward network, and not after.
        bias: whether linear maps and normalisations have biases.
        device, dtype: those of the parameters.

    Example:
        >>> model = nn.Transformer(4, 2, 1, 1, dim_feedforward=8)
        >>> model(ad.ones(5, 1, 4), ad.ones(3, 1, 4)).shape
        adjoint.Size([3, 1, 4])
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        shared = (
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias,
            device, dtype,
        )  # fmt: skip

        def make_norm() -> LayerNorm:
            return LayerNorm(d_model, eps=layer_norm_eps, bias=bias, device=device, dtype=dtype)

        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*shared), num_encoder_layers, make_norm()
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*shared), num_decoder_layers, make_norm()
        )
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self,
        src: Any,
        tgt: Any,
        src_mask: Any = None,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        src_key_padding_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Any:
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.shape[batch] != tgt.shape[batch]:
            raise RuntimeError(f"src and tgt have batches of different sizes: {src.shape[batch]}, {tgt.shape[batch]}")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError(
                f"src and tgt have {src.shape[-1]} and {tgt.shape[-1]} features; d_model is {self.d_model}"
            )
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Any:
        """Make the mask with which each step sees itself and those before: minus infinity above the diagonal.

        Args:
            sz: the number of steps.
            device, dtype: those of the mask.

        Example:
            >>> nn.Transformer.generate_square_subsequent_mask(2)
            tensor([[0., -inf],
                    [0., 0.]])
        """
        return ops.triu(ops.full((sz, sz), float("-inf"), device=device, dtype=dtype), 1)
