"""Embeddings: rows of a table by number, and their sums, means or maxima over bags."""

from __future__ import annotations

from typing import Any

from adjoint._core.modes import no_grad
from adjoint.nn import functional as F
from adjoint.nn import init
from adjoint.nn.modules.module import Module, Registered
from adjoint.nn.parameter import Parameter, new_parameter


class _Table(Module):
    """What `Embedding` and `EmbeddingBag` share: the table, and what `repr` shows."""

    weight = Registered()
    num_embeddings: int
    embedding_dim: int
    padding_idx: int | None
    max_norm: float | None
    norm_type: float
    scale_grad_by_freq: bool
    sparse: bool

    def _set_padding(self, padding_idx: int | None) -> None:
        count = self.num_embeddings
        if padding_idx is not None and not -count <= padding_idx < count:
            raise AssertionError(f"padding_idx {padding_idx} is out of range: there are {count} rows")
        self.padding_idx = None if padding_idx is None else padding_idx % count

    def _set_weight(self, given: Any, freeze: bool, device: Any, dtype: Any) -> None:
        shape = (self.num_embeddings, self.embedding_dim)
        if given is not None:
            if tuple(given.shape) != shape:
                raise AssertionError(f"the weight has shape {tuple(given.shape)}, and should have {shape}")
            self.weight = Parameter(given, requires_grad=not freeze)
            return
        self.weight = new_parameter(shape, device, dtype).requires_grad_(not freeze)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Fill the table with new random values; the row for padding is zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _shown_options(self) -> dict[str, Any]:
        """Return the options that are not as usual."""
        usual = {"padding_idx": None, "max_norm": None, "norm_type": 2.0, "scale_grad_by_freq": False, "sparse": False}
        return {name: getattr(self, name) for name, value in usual.items() if getattr(self, name) != value}


def _rows_and_columns(embeddings: Any) -> Any:
    if embeddings.dim() != 2:
        raise AssertionError(f"embeddings is a matrix, not a tensor of shape {tuple(embeddings.shape)}")
    return embeddings.shape


class Embedding(_Table):
    """A table whose rows are selected by number.

    Args:
        num_embeddings: the number of rows.
        embedding_dim: the length of a row.
        padding_idx: the number of a row that has no gradient, and begins as zeros.
        max_norm: the norm to which rows that are longer are scaled, in place.
        norm_type: the exponent of that norm.
        scale_grad_by_freq: whether gradients are divided by how often a row occurs.
        sparse: accepted for compatibility; gradients are dense.
        device, dtype: those of the table.

    Example:
        >>> nn.Embedding(10, 3)(ad.tensor([[1, 2], [4, 5]])).shape
        adjoint.Size([2, 2, 3])
    """

    __constants__ = [
        "num_embeddings", "embedding_dim", "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse",
    ]  # fmt: skip

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Any = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self._set_padding(padding_idx)
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        self._set_weight(_weight, _freeze, device, dtype)
        self.sparse = sparse

    def forward(self, input: Any) -> Any:
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    def extra_repr(self) -> str:
        """Return what `repr` shows: the sizes, and what is not as usual."""
        options = [f"{name}={value}" for name, value in self._shown_options().items()]
        return ", ".join([f"{self.num_embeddings}, {self.embedding_dim}", *options])

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Any,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Any:
        """Make one from a table.

        Args:
            embeddings: the table, a matrix.
            freeze: whether it is kept as it is, and gets no gradient.
            padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse: as of the constructor.

        Example:
            >>> nn.Embedding.from_pretrained(ad.ones(2, 3))(ad.tensor([1]))
            tensor([[1., 1., 1.]])
        """
        rows, columns = _rows_and_columns(embeddings)
        options = (padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
        return cls(rows, columns, *options, _weight=embeddings, _freeze=freeze)


class EmbeddingBag(_Table):
    """Sums, means or maxima of rows of a table.

    Args:
        num_embeddings: the number of rows.
        embedding_dim: the length of a row.
        max_norm: the norm to which rows that are longer are scaled, in place.
        norm_type: the exponent of that norm.
        scale_grad_by_freq: whether gradients are divided by how often a row occurs.
        mode: ``'sum'``, ``'mean'`` or ``'max'``.
        sparse: accepted for compatibility; gradients are dense.
        include_last_offset: whether the offsets end with the number of inputs.
        padding_idx: the number of a row that does not count, and begins as zeros.
        device, dtype: those of the table.

    Example:
        >>> nn.EmbeddingBag(10, 3)(ad.tensor([1, 2, 4, 5]), ad.tensor([0, 2])).shape
        adjoint.Size([2, 3])
    """

    __constants__ = [
        "num_embeddings", "embedding_dim", "max_norm", "norm_type", "scale_grad_by_freq", "mode", "sparse",
        "include_last_offset", "padding_idx",
    ]  # fmt: skip

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Any = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        self._set_padding(padding_idx)
        self._set_weight(_weight, False, device, dtype)
        self.mode, self.sparse, self.include_last_offset = mode, sparse, include_last_offset

    def forward(self, input: Any, offsets: Any = None, per_sample_weights: Any = None) -> Any:
        return F.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        """Return what `repr` shows: the sizes, the mode, and what is not as usual."""
        options = self._shown_options()
        options.pop("sparse", None)
        padding = {"padding_idx": options.pop("padding_idx")} if "padding_idx" in options else {}
        shown = options | {"mode": self.mode} | padding
        texts = [f"{name}={value!r}" for name, value in shown.items()]
        return ", ".join([f"{self.num_embeddings}, {self.embedding_dim}", *texts])

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Any,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> Any:
        """Make one from a table.

        Args:
            embeddings: the table, a matrix.
            freeze: whether it is kept as it is, and gets no gradient.
            max_norm, norm_type, scale_grad_by_freq, mode, sparse, include_last_offset, padding_idx: as of the
                constructor.

        Example:
            >>> nn.EmbeddingBag.from_pretrained(ad.ones(2, 3))(ad.tensor([[0, 1]]))
            tensor([[1., 1., 1.]])
        """
        rows, columns = _rows_and_columns(embeddings)
        options = (max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings, include_last_offset, padding_idx)
        self = cls(rows, columns, *options)
        self.weight.requires_grad = not freeze
        return self
