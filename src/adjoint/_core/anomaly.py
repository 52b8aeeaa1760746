"""Anomaly detection: traceback of the forward call behind a failing node, and the first node that returns NaN."""

from __future__ import annotations

import warnings
from typing import Any

from adjoint._core import modes
from adjoint._core.graph import Node
from adjoint._core.tensor import Tensor
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray

_TOKEN = object()
_OFF = (False, True)  # whether anomaly mode is on, and whether it checks for NaN
_process_wide = _OFF
_writes: dict[int, str] = {}  # time of an in-place write -> where it happened; see _core/views/versions.py
_WRITES_KEPT = 10_000


def is_anomaly_enabled() -> bool:
    """Test whether anomaly mode is on.

    Example:
        >>> ad.is_anomaly_enabled()
        False
    """
    return _current()[0]


def is_anomaly_check_nan_enabled() -> bool:
    """Test whether anomaly mode treats NaN in gradients as an error.

    Example:
        >>> ad.is_anomaly_check_nan_enabled()
        True
    """
    return _current()[1]


def is_nan_check_enabled() -> bool:
    """Test whether backward passes check for NaN."""
    return all(_current())


class set_detect_anomaly(modes.ContextManager):
    """Switch anomaly mode on or off: at once, or for a block.

    Args:
        mode: whether nodes remember where they were made.
        check_nan: whether a node that returns NaN is an error.
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = _switch((bool(mode), bool(check_nan)))

    def __enter__(self) -> None:
        """Nothing: the mode was switched when the object was made."""

    def __exit__(self, *exc_info: object) -> None:
        """Switch back to what was before."""
        _switch(self._before)


def set_anomaly_enabled(mode: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode on or off; `set_detect_anomaly` does it for a block.

    Args:
        mode: whether anomaly mode is on.
        check_nan: whether NaN in gradients is an error.

    Example:
        >>> ad.set_anomaly_enabled(False)
    """
    set_detect_anomaly(mode, check_nan)


class detect_anomaly(modes.ContextManager):
    """Remember where every node was made, and stop at the first that returns NaN in a backward pass.

    It slows everything down; use it to find a mistake, not in production.

    Args:
        check_nan: whether a node that returns NaN is an error.

    Example:
        >>> x = ad.tensor([0.0], requires_grad=True)
        >>> with ad.autograd.detect_anomaly():
        ...     y = (x / x).sum()
        ...     y.backward()
        Traceback (most recent call last):
        RuntimeError: DivBackward0 returned NaN ...
    """

    def __init__(self, check_nan: bool = True) -> None:
        self._check_nan = check_nan
        warnings.warn(
            "anomaly detection is on: every operation records a traceback, which is slow; use it for debugging only",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        """Switch anomaly detection on."""
        self._before = _switch((True, self._check_nan))

    def __exit__(self, *exc_info: object) -> None:
        """Switch back to what was before."""
        _switch(self._before)


def _current() -> tuple[bool, bool]:
    """Return whether anomaly mode is on, and whether it checks for NaN: in this task if it was set there."""
    return modes.state().anomaly or _process_wide


def _switch(setting: tuple[bool, bool] | None) -> tuple[bool, bool] | None:
    """Set anomaly mode, of the running task or else of the process; None is a task without a setting of its own.

    Returns:
        The setting before.
    """
    global _process_wide
    if modes.is_in_task():
        before = modes.state().anomaly
        modes.switch(anomaly=setting)
        return before
    before, _process_wide = _process_wide, setting or _OFF
    modes.set_process_wide(_TOKEN, _process_wide[0])
    if not _process_wide[0]:
        _writes.clear()
    return before


def _user_traceback() -> str:
    """Format the user's part of the current stack."""
    import traceback  # a tenth of the import time of this package, and rarely needed

    frames = [frame for frame in traceback.extract_stack()[:-2] if "/adjoint/" not in frame.filename.replace("\\", "/")]
    return "".join(traceback.format_list(frames))


def remember_forward(node: Node) -> None:
    """Keep the traceback of the forward call that made a node."""
    node.ensure_extras().trace = _user_traceback()


def remember_write(time: int) -> None:
    """Keep the traceback of an in-place write."""
    if len(_writes) < _WRITES_KEPT:
        _writes[time] = _user_traceback()


def describe_write(node: Node, tensor: Tensor) -> str:
    """Describe where a saved tensor was saved and where it was modified; known in anomaly mode only."""
    if not is_anomaly_enabled():
        return " Anomaly mode (adjoint.autograd.detect_anomaly) shows where it was saved and where it was changed."
    lines = [f"\n{node.name()} was recorded here:\n{node.extras.trace}"] if node.extras and node.extras.trace else []
    times = [time for time in tensor._versions or () if time < node.order]
    if times and times[0] in _writes:
        lines.append(f"\nThe tensor was changed here:\n{_writes[times[0]]}")
    return "".join(lines)


def explain_failure(error: Exception, node: Node) -> None:
    """Add to an error of a backward pass the traceback of the forward call that made the failing node."""
    trace = None if node.extras is None else node.extras.trace
    if trace and not any("forward call that recorded" in note for note in getattr(error, "__notes__", ())):
        error.add_note(f"Traceback of the forward call that recorded {node.name()}:\n{trace}")


def check_for_nan(node: Node, results: Any) -> None:
    """Raise if a node returned NaN, naming it and the index."""
    for index, result in enumerate(results):
        array = result
        while isinstance(array, (Tensor, BatchedArray)):
            array = array._array if isinstance(array, Tensor) else array.value
        if array is None:
            continue
        xp = namespace_of(array)
        if not xp.lazy and xp.dtype_of(array).category >= 2 and bool(xp.any(xp.isnan(array))):
            trace = None if node.extras is None else node.extras.trace
            recorded = f" It was recorded here:\n{trace}" if trace else ""
            raise RuntimeError(f"{node.name()} returned NaN in output {index} of its backward pass.{recorded}")
