"""Costs per unit stay flat as graphs grow: counted in lines executed and in memory, since times depend on the machine.

The programs are those of the table that `python -m benchmarks --growth` prints.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from types import FrameType
from typing import Any

import pytest

from benchmarks.growth import AXES, Axis, Program, map_gradient

pytestmark = pytest.mark.stress

SIZES = {"gradients of gradients": (3, 6)}
MANY = (250, 1000)
axes = pytest.mark.parametrize("axis", [a for a in AXES if a.program is not map_gradient], ids=lambda a: a.name)


def count_lines(program: Program, size: int) -> tuple[int, int]:
    """Lines of Python that the program executes, loops without calls included, and the units it was."""
    lines = 0

    def count(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        units = program(size)
    finally:
        sys.settrace(before)
    return lines, units


def peak_memory(program: Program, size: int) -> tuple[int, int]:
    """Bytes that the program holds at its peak, and the units it was."""
    gc.collect()  # the interpreter's lists of free tuples and the like: what comes from them is not counted
    tracemalloc.start()
    try:
        units = program(size)
        return tracemalloc.get_traced_memory()[1], units
    finally:
        tracemalloc.stop()


@axes
@pytest.mark.parametrize("measure", [count_lines, peak_memory])
def test_cost_per_unit_is_flat(axis: Axis, measure: Any) -> None:
    small, large = SIZES.get(axis.name, MANY)
    axis.program(large)  # what is done once, on first use
    (little, few), (much, many) = measure(axis.program, small), measure(axis.program, large)
    assert many > 3 * few
    assert much / many <= 1.1 * little / few, (little / few, much / many)


@pytest.mark.parametrize("size", [10, 1000])
def test_vmap_costs_the_same_for_any_number_of_points(size: int) -> None:
    for points in (size, 4 * size):
        map_gradient(points)  # what is done once per shape
    assert count_lines(map_gradient, size)[0] == count_lines(map_gradient, 4 * size)[0]


def test_a_cost_that_grows_is_noticed() -> None:
    """The counting itself: a loop over all that came before, without a call, in each of the steps."""

    def visit_all_earlier(count: int) -> int:
        earlier: list[int] = []
        for i in range(count):
            earlier.append(i)
            for _ in earlier:
                pass
        return count

    assert count_lines(visit_all_earlier, 400)[0] > 12 * count_lines(visit_all_earlier, 100)[0]
