"""Sequences of different lengths: padded to one length, or packed without padding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from adjoint import _dtypes
from adjoint._dispatch.table import ops
from adjoint._tensor.methods import Tensor


class PackedSequence_(NamedTuple):
    """The fields of a packed sequence."""

    data: Any
    batch_sizes: Any
    sorted_indices: Any
    unsorted_indices: Any


class PackedSequence(PackedSequence_):
    """Sequences without padding: first the first steps of all, then the second steps, and so on.

    They are made by `pack_sequence` and `pack_padded_sequence`.

    Args:
        data: all steps.
        batch_sizes: how many sequences have each step.
        sorted_indices: the order of the sequences by length, if they were sorted.
        unsorted_indices: the order back.

    Example:
        >>> nn.utils.rnn.pack_sequence([ad.tensor([1, 2]), ad.tensor([3])]).data
        tensor([1, 3, 2])
    """

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Any = None, unsorted_indices: Any = None
    ) -> PackedSequence:
        if batch_sizes is None:
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Return it with data of another dtype or device.

        Args:
            args, kwargs: as of `Tensor.to`.
        """
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        orders = [order if order is None else order.to(data.device) for order in self[2:]]
        return type(self)(data, self.batch_sizes, *orders)

    def cpu(self) -> PackedSequence:
        """Return it on the CPU."""
        return self.to("cpu")

    def cuda(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Return it on a GPU."""
        return self.to("cuda", *args, **kwargs)

    def double(self) -> PackedSequence:
        """Return it with float64 data."""
        return self.to(_dtypes.float64)

    def float(self) -> PackedSequence:
        """Return it with float32 data."""
        return self.to(_dtypes.float32)

    def half(self) -> PackedSequence:
        """Return it with float16 data."""
        return self.to(_dtypes.float16)

    def long(self) -> PackedSequence:
        """Return it with int64 data."""
        return self.to(_dtypes.int64)

    def int(self) -> PackedSequence:
        """Return it with int32 data."""
        return self.to(_dtypes.int32)

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a GPU."""
        return self.data.device.type == "cuda"

    def pin_memory(self) -> PackedSequence:
        """Return it; accepted for compatibility."""
        return self

    def is_pinned(self) -> bool:
        """Return False; accepted for compatibility."""
        return False


def invert_permutation(permutation: Any) -> Any:
    """The permutation that undoes another one; None for None.

    Args:
        permutation: each index once.

    Example:
        >>> nn.utils.rnn.invert_permutation(ad.tensor([2, 0, 1]))
        tensor([1, 2, 0])
    """
    return None if permutation is None else ops.argsort(permutation)


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack padded sequences.

    Args:
        input: of shape (time, batch, ...), or (batch, time, ...) with `batch_first`.
        lengths: the lengths of the sequences.
        batch_first: whether the first dimension is the batch.
        enforce_sorted: whether they have to be sorted by length, the longest one first; otherwise they become so.

    Example:
        >>> packed = nn.utils.rnn.pack_padded_sequence(ad.tensor([[1, 3], [2, 0]]), [2, 1])
        >>> packed.data, packed.batch_sizes
        (tensor([1, 3, 2]), tensor([2, 1]))
    """
    given = lengths.tolist() if isinstance(lengths, Tensor) else list(lengths)
    counts = [int(length) for length in given]
    order = None
    if batch_first:
        input = input.transpose(0, 1)
    if not enforce_sorted:
        places = sorted(range(len(counts)), key=counts.__getitem__, reverse=True)
        order = ops.tensor(places, dtype=_dtypes.int64, device=input.device)
        counts, input = [counts[place] for place in places], input.index_select(1, order)
    if len(counts) != input.shape[1]:
        raise RuntimeError(f"there are {input.shape[1]} sequences in the input, and {len(counts)} lengths")
    if not counts or counts[-1] <= 0:
        raise RuntimeError(f"the lengths of sequences have to be positive, got {given}")
    if counts != sorted(counts, reverse=True):
        raise RuntimeError(
            f"the lengths of sequences have to be sorted, the longest one first, got {given}; enforce_sorted=False "
            "sorts them"
        )
    if counts[0] > input.shape[0]:
        raise RuntimeError(f"the input has {input.shape[0]} steps, and the longest sequence {counts[0]}")
    sizes = [sum(count > step for count in counts) for step in range(counts[0])]
    data = ops.cat([input[step, :size] for step, size in enumerate(sizes)])
    return PackedSequence(data, ops.tensor(sizes, dtype=_dtypes.int64), order)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Any, Any]:
    """Pad packed sequences to one length.

    Args:
        sequence: the packed sequences.
        batch_first: whether the first dimension of the output is the batch.
        padding_value: what the padding is.
        total_length: the length; by default that of the longest one.

    Returns:
        The padded sequences, and their lengths.

    Example:
        >>> packed = nn.utils.rnn.pack_sequence([ad.tensor([1, 2]), ad.tensor([3])])
        >>> nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
        (tensor([[1, 2],
                [3, 0]]), tensor([2, 1]))
    """
    sizes = [int(size) for size in sequence.batch_sizes.tolist()]
    length = len(sizes) if total_length is None else total_length
    if length < len(sizes):
        raise ValueError(f"total_length is {length}, and the longest sequence has {len(sizes)} steps")
    data, batch = sequence.data, sizes[0]
    shape = (length * batch, *data.shape[1:])
    places = [step * batch + number for step, size in enumerate(sizes) for number in range(size)]
    padded = ops.full(shape, padding_value, dtype=data.dtype, device=data.device)
    padded = ops.index_put(padded, (ops.tensor(places, device=data.device),), data)
    padded = padded.reshape(length, batch, *data.shape[1:])
    lengths = ops.tensor([sum(size > number for size in sizes) for number in range(batch)], dtype=_dtypes.int64)
    order = sequence.unsorted_indices
    if order is not None:
        padded, lengths = padded.index_select(1, order), lengths.index_select(0, order)
    return (padded.transpose(0, 1) if batch_first else padded), lengths


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Any:
    """Pad sequences to the length of the longest one.

    Args:
        sequences: tensors whose first dimensions differ.
        batch_first: whether the first dimension of the output is the batch.
        padding_value: what the padding is.
        padding_side: ``'right'`` or ``'left'``.

    Example:
        >>> nn.utils.rnn.pad_sequence([ad.tensor([1, 2]), ad.tensor([3])], batch_first=True)
        tensor([[1, 2],
                [3, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(f"pad_sequence() takes several sequences, not a {type(sequences).__name__}")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"padding_side is 'left' or 'right', not {padding_side!r:.80}")
    parts = list(sequences)
    if not parts:
        raise RuntimeError("pad_sequence() needs at least one sequence")
    length = max(part.shape[0] for part in parts)
    padded: list[Any] = []
    for part in parts:
        missing = (length - part.shape[0], *part.shape[1:])
        filling = ops.full(missing, padding_value, dtype=part.dtype, device=part.device)
        padded.append(ops.cat([part, filling] if padding_side == "right" else [filling, part]))
    return ops.stack(padded, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: bool = False) -> list[Any]:
    """Cut padded sequences to their lengths.

    Args:
        padded_sequences: of shape (time, batch, ...), or (batch, time, ...) with `batch_first`.
        lengths: the lengths.
        batch_first: whether the first dimension is the batch.

    Example:
        >>> nn.utils.rnn.unpad_sequence(ad.tensor([[1, 2], [3, 0]]), ad.tensor([2, 1]), batch_first=True)
        [tensor([1, 2]), tensor([3])]
    """
    batch = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [part[: int(length)] for part, length in zip(batch, lengths, strict=True)]


def pack_sequence(sequences: list[Any], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences.

    Args:
        sequences: tensors whose first dimensions differ.
        enforce_sorted: whether they have to be sorted by length, the longest one first; otherwise they become so.

    Example:
        >>> nn.utils.rnn.pack_sequence([ad.tensor([1, 2]), ad.tensor([3])]).batch_sizes
        tensor([2, 1])
    """
    lengths = [sequence.shape[0] for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Any]:
    """Undo `pack_sequence`.

    Args:
        packed_sequences: the packed sequences.

    Example:
        >>> nn.utils.rnn.unpack_sequence(nn.utils.rnn.pack_sequence([ad.tensor([1, 2]), ad.tensor([3])]))
        [tensor([1, 2]), tensor([3])]
    """
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)
