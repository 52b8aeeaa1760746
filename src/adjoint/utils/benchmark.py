"""Measure how long statements take: `Timer` and its `Measurement`."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjoint.arrays.threads import get_num_threads, set_num_threads

__all__ = ["Measurement", "Timer", "timer"]


def __dir__() -> list[str]:
    return __all__


timer = timeit.default_timer


@dataclass(repr=False)
class Measurement:
    """What a `Timer` has measured.

    Args:
        number_per_run: how often the statement ran in each measurement.
        raw_times: seconds that each measurement took.
        title: of the printed report.
        num_threads: how many threads there were.
    """

    number_per_run: int
    raw_times: list[float]
    title: str = ""
    num_threads: int = 1

    @property
    def times(self) -> list[float]:
        """Seconds of one run of the statement, in each measurement."""
        return [time / self.number_per_run for time in self.raw_times]

    @property
    def mean(self) -> float:
        """Mean of the times, in seconds."""
        return float(np.mean(self.times))

    @property
    def median(self) -> float:
        """Median of the times, in seconds."""
        return float(np.median(self.times))

    @property
    def iqr(self) -> float:
        """Interquartile range of the times, in seconds."""
        low, high = np.quantile(self.times, (0.25, 0.75))
        return float(high - low)

    def meets_confidence(self, threshold: float = 0.1) -> bool:
        """Test whether times vary little: the interquartile range is a small part of the median.

        Args:
            threshold: that part.
        """
        return len(self.raw_times) > 4 and self.iqr <= threshold * self.median

    def __repr__(self) -> str:
        name, factor = _choose_unit(self.median)
        counts = f"{_count(len(self.raw_times), 'measurement')} of {_count(self.number_per_run, 'run')}"
        lines = [f"Measurement: {self.title}".rstrip(": "), f"  median {self.median * factor:.4g} {name}"]
        if len(self.raw_times) > 1:
            low, high = np.quantile(self.times, (0.25, 0.75)) * factor
            lines.append(f"  IQR    {self.iqr * factor:.4g} {name} ({low:.4g} to {high:.4g})")
        lines.append(f"  {counts}, {_count(self.num_threads, 'thread')}")
        if len(self.raw_times) > 4 and not self.meets_confidence():
            share = 100 * self.iqr / self.median
            lines.append(f"  times vary by {share:.0f} % (IQR of the median): something else may be running")
        return "\n".join(lines)


def _choose_unit(seconds: float) -> tuple[str, float]:
    for name, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return name, factor
    return "ns", 1e9


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


class Timer:
    """Measure the time of a statement.

    Args:
        stmt: the statement, as source code or as a function without arguments.
        setup: runs once before each measurement.
        global_setup: understood and ignored; for other languages.
        timer: a function that returns seconds.
        globals: names that the statement knows.
        label, sub_label, description: for the report.
        env: understood and ignored.
        num_threads: how many threads large arrays are divided among meanwhile.

    Example:
        >>> measured = ad.utils.benchmark.Timer("x + 1", globals={"x": ad.ones(3)}).timeit(100)
        >>> 0 < measured.median < 0.1
        True
    """

    def __init__(
        self,
        stmt: str | Callable[[], Any] = "pass",
        setup: str | Callable[[], Any] = "pass",
        global_setup: str = "",
        timer: Callable[[], float] = timer,
        globals: dict[str, Any] | None = None,
        label: str | None = None,
        sub_label: str | None = None,
        description: str | None = None,
        env: str | None = None,
        num_threads: int = 1,
    ) -> None:
        self._timer = timeit.Timer(stmt, setup, timer, globals=dict(globals or {}))
        texts = (label, sub_label, description)
        self._title = ", ".join(text for text in texts if text) or (stmt if isinstance(stmt, str) else repr(stmt))
        self._num_threads = num_threads

    def _measure(self, number: int) -> float:
        before = get_num_threads()
        set_num_threads(self._num_threads)
        try:
            return max(self._timer.timeit(number), 1e-9)
        finally:
            set_num_threads(before)

    def _report(self, number: int, times: list[float]) -> Measurement:
        return Measurement(number, times, self._title, self._num_threads)

    def timeit(self, number: int = 1_000_000) -> Measurement:
        """Run the statement some times in one measurement, after a few to warm up.

        Args:
            number: how often.

        Example:
            >>> ad.utils.benchmark.Timer("1 + 1").timeit(10).number_per_run
            10
        """
        self._measure(max(number // 100, 2))
        return self._report(number, [self._measure(number)])

    def blocked_autorange(
        self, callback: Callable[[int, float], Any] | None = None, min_run_time: float = 0.2
    ) -> Measurement:
        """Measure blocks of runs, as many as fit into some time; a block is long enough for the clock.

        Args:
            callback: called after each block with its number of runs and its time.
            min_run_time: seconds to measure for.

        Example:
            >>> measured = ad.utils.benchmark.Timer("1 + 1").blocked_autorange(min_run_time=0.001)
            >>> len(measured.times) > 0
            True
        """
        number = self._choose_block(min_run_time)
        times: list[float] = []
        while sum(times) < min_run_time:
            times.append(self._measure(number))
            if callback is not None:
                callback(number, times[-1])
        return self._report(number, times)

    def _choose_block(self, min_run_time: float) -> int:
        """Return the number of runs of a block, so many that reading the clock takes no time in comparison."""
        overhead = float(np.median([self._timer.timeit(0) for _ in range(5)]))
        number = 1
        while True:
            time = self._measure(number)
            if (time >= min_run_time / 1000 and time >= 1e4 * overhead) or time >= min_run_time / 10:
                return number
            number *= 10

    def adaptive_autorange(
        self,
        threshold: float = 0.1,
        *,
        min_run_time: float = 0.01,
        max_run_time: float = 10.0,
        callback: Callable[[int, float], Any] | None = None,
    ) -> Measurement:
        """Measure blocks of runs until the times vary little, or for a given time.

        Args:
            threshold: the interquartile range as a part of the median that is small enough.
            min_run_time: seconds between looks at the times.
            max_run_time: seconds to measure for at most.
            callback: called after each block with its number of runs and its time.
        """
        number = self._choose_block(0.05)
        times: list[float] = []
        looked = 0.0
        while sum(times) < max_run_time:
            times.append(self._measure(number))
            if callback is not None:
                callback(number, times[-1])
            if sum(times) - looked > min_run_time:
                looked = sum(times)
                if self._report(number, times).meets_confidence(threshold):
                    break
        return self._report(number, times)
