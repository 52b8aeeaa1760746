"""`MultiheadAttention`."""

from __future__ import annotations

from typing import Any

from adjoint.nn import functional as F
from adjoint.nn import init
from adjoint.nn.modules.linear import NonDynamicallyQuantizableLinear
from adjoint.nn.modules.module import Module, Registered
from adjoint.nn.parameter import new_parameter


class MultiheadAttention(Module):
    """Attention of queries to keys and values, by several heads.

    Args:
        embed_dim: the number of features of queries and outputs, divided among the heads.
        num_heads: the number of heads.
        dropout: the probability of dropout of attention weights.
        bias: whether biases are added to projections.
        add_bias_kv: whether a learned key and value are appended.
        add_zero_attn: whether a key and a value of zeros are appended.
        kdim, vdim: the numbers of features of keys and values. Default: `embed_dim`.
        batch_first: whether the first dimension is the batch, and not the second.
        device, dtype: those of the parameters.

    Example:
        >>> x = ad.ones(5, 1, 4)
        >>> output, weights = nn.MultiheadAttention(4, 2)(x, x, x)
        >>> output.shape, weights.shape
        (adjoint.Size([5, 1, 4]), adjoint.Size([1, 5, 5]))
    """

    __constants__ = ["batch_first"]
    in_proj_weight = Registered()
    q_proj_weight = Registered()
    k_proj_weight = Registered()
    v_proj_weight = Registered()
    in_proj_bias = Registered()

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f"embed_dim and num_heads have to be positive, got {embed_dim} and {num_heads}")
        if embed_dim % num_heads:
            raise AssertionError(f"embed_dim, {embed_dim}, has to be divisible by num_heads, {num_heads}")
        super().__init__()
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim = (embed_dim if size is None else size for size in (kdim, vdim))
        self.dropout, self.batch_first, self.add_zero_attn = dropout, batch_first, add_zero_attn
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        shapes: dict[str, Any] = dict.fromkeys(
            ("q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_weight", "in_proj_bias", "bias_k", "bias_v")
        )
        if self._qkv_same_embed_dim:
            shapes["in_proj_weight"] = (3 * embed_dim, embed_dim)
        else:
            for name, size in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
                shapes[f"{name}_proj_weight"] = (embed_dim, size)
        if bias:
            shapes["in_proj_bias"] = (3 * embed_dim,)
        if add_bias_kv:
            shapes["bias_k"] = shapes["bias_v"] = (1, 1, embed_dim)
        for name, shape in shapes.items():
            self.register_parameter(name, None if shape is None else new_parameter(shape, device, dtype))
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, device, dtype)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for name in ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"):
            if self._parameters[name] is not None:
                init.xavier_uniform_(self._parameters[name])
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        for name in ("bias_k", "bias_v"):
            if self._parameters[name] is not None:
                init.xavier_normal_(self._parameters[name])

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> Any:
        swap = self.batch_first and query.dim() == 3
        if swap:
            same = key is value
            query, key, value = (one.transpose(1, 0) for one in (query, key, value))
            value = key if same else value
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (output.transpose(1, 0) if swap else output), weights
