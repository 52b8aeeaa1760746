"""`GradScaler`: the loss is scaled so that gradients in float16 do not underflow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from adjoint._core.modes import no_grad
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._dtypes import float16, float32

__all__: list[str] = ["GradScaler"]


def __dir__() -> list[str]:
    return __all__


_FRESH, _UNSCALED, _STEPPED = "fresh", "unscaled", "stepped"


def _round(number: float) -> float:
    """Round to float32, in which losses are scaled."""
    return float(np.float32(number))


class GradScaler:
    """Scale losses, unscale gradients, skip steps whose gradients have overflowed, and adapt the scale.

    Args:
        device: understood; gradients on all devices are scaled.
        init_scale: the first scale.
        growth_factor: by which it grows after `growth_interval` steps without an overflow.
        backoff_factor: by which it shrinks after an overflow.
        growth_interval: number of steps.
        enabled: False makes all methods do nothing but call `optimizer.step`.

    Example:
        >>> w = ad.ones(2, requires_grad=True)
        >>> optimizer = ad.optim.SGD([w], lr=0.5)
        >>> scaler = ad.amp.GradScaler("cpu", init_scale=8.0)
        >>> scaler.scale((w * 3).sum()).backward()
        >>> scaler.step(optimizer)
        >>> scaler.update()
        >>> w
        tensor([-0.5000, -0.5000], requires_grad=True)
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if enabled and not (growth_factor > 1 and backoff_factor < 1):
            raise ValueError(
                f"GradScaler: growth_factor ({growth_factor}) is above 1 and backoff_factor ({backoff_factor}) below"
            )
        self._scale = _round(init_scale)
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        self._growth_tracker = 0  # steps since the last overflow or growth
        self._optimizers: dict[int, tuple[str, bool]] = {}  # by id, since the last update: stage, overflow

    # ---- one iteration -----------------------------------------------------------------------------------------------

    def scale(self, outputs: Any) -> Any:
        """Multiply a loss, or several in a container, by the scale.

        Args:
            outputs: a tensor, or an iterable of such.
        """
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            # A Python number would take the dtype of the loss, and 65536 is infinite in float16.
            return outputs * ops.tensor(self._scale, dtype=float32, device=outputs.device)
        if not isinstance(outputs, Iterable):
            raise ValueError(f"scale() takes tensors and containers of them, not {outputs!r:.80}")
        scaled = map(self.scale, outputs)
        return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled  # type: ignore[call-arg]

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters by the scale, once in an iteration.

        `step` does it otherwise. Call this before gradients are clipped or looked at.

        Args:
            optimizer: whose gradients they are.
        """
        if not self._enabled:
            return
        stage, _ = self._optimizers.get(id(optimizer), (_FRESH, False))
        if stage != _FRESH:
            done = "unscale_() was called" if stage == _UNSCALED else "step() was called"
            raise RuntimeError(f"unscale_(): {done} for this optimizer already; update() begins the next iteration")
        self._optimizers[id(optimizer)] = (_UNSCALED, self._unscale_gradients(optimizer))

    def _unscale_gradients(self, optimizer: Any) -> bool:
        """Unscale; return whether something has overflowed."""
        overflow, inverse = False, _round(1 / self._scale)
        gradients = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        if any(gradient.dtype is float16 for gradient in gradients):
            raise ValueError("unscale_(): gradients in float16 would underflow; keep parameters in float32")
        with no_grad():
            for gradient in gradients:
                overflow = overflow or not bool(ops.isfinite(gradient).all())
                gradient.mul_(inverse)
        return overflow

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Unscale the gradients if that is not done, and make a step, unless one of them has overflowed.

        Args:
            optimizer: whose `step` is called.
            args, kwargs: its arguments.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("GradScaler.step() takes no closure: it would compute gradients without the scale")
        if self._optimizers.get(id(optimizer), (_FRESH, False))[0] == _STEPPED:
            raise RuntimeError("step() was called for this optimizer already; update() begins the next iteration")
        if id(optimizer) not in self._optimizers:
            self.unscale_(optimizer)
        overflow = self._optimizers[id(optimizer)][1]
        result = None if overflow else optimizer.step(*args, **kwargs)
        self._optimizers[id(optimizer)] = (_STEPPED, overflow)
        return result

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Adapt the scale at the end of an iteration.

        Args:
            new_scale: set this one instead.
        """
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = _round(float(new_scale))
        elif not self._optimizers:
            raise RuntimeError("update(): no gradients have been looked at; call step() or unscale_() before")
        elif any(overflow for _, overflow in self._optimizers.values()):
            self._scale = _round(self._scale * self._backoff_factor)
            self._growth_tracker = 0
        else:
            self._growth_tracker += 1
            if self._growth_tracker == self._growth_interval:
                larger = self._scale * self._growth_factor
                self._scale = _round(larger) if larger <= np.finfo(np.float32).max else self._scale
                self._growth_tracker = 0
        self._optimizers.clear()

    # ---- settings and state ------------------------------------------------------------------------------------------

    def is_enabled(self) -> bool:
        """Test whether losses are scaled."""
        return self._enabled

    def get_scale(self) -> float:
        """Return the current scale; 1 if the scaler is not enabled."""
        return self._scale if self._enabled else 1.0

    def get_growth_factor(self) -> float:
        """Return the factor by which the scale grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set the factor by which the scale grows.

        Args:
            new_factor: above 1.
        """
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """Return the factor by which the scale shrinks."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set the factor by which the scale shrinks.

        Args:
            new_factor: below 1.
        """
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """Return the number of steps after which the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set the number of steps after which the scale grows.

        Args:
            new_interval: number of steps without an overflow.
        """
        self._growth_interval = new_interval

    def state_dict(self) -> dict[str, Any]:
        """Return the scaler's state; empty if it is not enabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self._scale,
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._growth_tracker,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load what `state_dict` returned.

        Args:
            state_dict: it is not changed.
        """
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("load_state_dict(): the state is empty; was it saved by a scaler that was not enabled?")
        self._scale = float(state_dict["scale"])
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._growth_tracker = int(state_dict["_growth_tracker"])

    def __getstate__(self) -> dict[str, Any]:
        if self._optimizers:
            raise RuntimeError("a GradScaler is pickled or copied between iterations only: call update() before")
        return self.__dict__
