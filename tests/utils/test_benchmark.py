"""`utils.benchmark.Timer`: counts, statistics, and what is printed."""

from __future__ import annotations

import pytest

import adjoint as ad
from adjoint.utils.benchmark import Measurement, Timer


class Clock:
    """A clock that the statement moves."""

    now = 0.0

    def __call__(self):
        return self.now

    def run(self):
        self.now += 2e-6


def test_times_are_those_of_the_statement():
    clock = Clock()
    measured = Timer("run()", globals={"run": clock.run}, timer=clock).timeit(50)
    assert measured.mean == measured.median == pytest.approx(2e-6) and measured.iqr == 0
    assert (measured.number_per_run, len(measured.times)) == (50, 1)
    blocks = []
    many = Timer(clock.run, timer=clock).blocked_autorange(lambda *block: blocks.append(block), min_run_time=0.01)
    assert sum(many.raw_times) >= 0.01 and many.median == pytest.approx(2e-6)
    assert [time for _, time in blocks] == many.raw_times and many.number_per_run > 1
    steady = Timer(clock.run, timer=clock).adaptive_autorange(max_run_time=1.0)
    assert steady.meets_confidence() and sum(steady.raw_times) < 1


def test_threads_are_set_meanwhile():
    before, seen = ad.get_num_threads(), []
    Timer(lambda: seen.append(ad.get_num_threads()), num_threads=before + 1).timeit(1)
    assert set(seen) == {before + 1} and ad.get_num_threads() == before


def test_what_is_printed():
    one = Measurement(10, [0.02], "x + 1")
    assert repr(one) == "Measurement: x + 1\n  median 2 ms\n  1 measurement of 10 runs, 1 thread"
    varied = repr(Measurement(1, [1e-6, 2e-6, 3e-6, 4e-6, 5e-6], num_threads=2))
    for part in ("median 3 us", "IQR    2 us (2 to 4)", "5 measurements of 1 run, 2 threads", "times vary by 67 %"):
        assert part in varied
