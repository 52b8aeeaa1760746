"""The warning where `vmap` cannot do with one call for all samples."""

from __future__ import annotations

import warnings


class Fallback:
    """Whether to warn where something has to be called for each sample.

    Attributes:
        warns: for the whole process.
    """

    warns = True


def warn_of_loop(name: str, size: int, reason: str) -> None:
    """Warn, unless that is switched off.

    Args:
        name: what is called.
        size: how many times.
        reason: why, as a part of a sentence about it: "looks at values".
    """
    if Fallback.warns and size:
        warnings.warn(
            f"{name} {reason}, so vmap calls it for each of the {size} samples in a loop, which is slow. "
            "adjoint.func.set_vmap_fallback_warning_enabled(False) turns this warning off.",
            UserWarning,
            stacklevel=3,
        )
