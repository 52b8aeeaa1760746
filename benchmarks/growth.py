"""How costs grow with the size of a graph: programs of any size, and the table of their time per unit.

A cost that is linear stays flat per unit. `tests/stress/test_growth.py` holds the same programs to that by counting.
"""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import adjoint as ad

Program = Callable[[int], int]


@dataclass
class Axis:
    """Something that may become large: a program of that size, which returns how many units it was."""

    name: str
    unit: str
    sizes: Sequence[int]
    program: Program


def chain_nodes(count: int) -> int:
    """Build a chain of nodes, go back through it, delete it."""
    x, w = ad.ones(2, requires_grad=True), ad.full((2,), 0.5)
    y = x
    for _ in range(count):
        y = y * w
    y.backward(ad.ones(2))
    return count


def make_views(count: int) -> int:
    """Make many views of one base, which all stay alive."""
    base = ad.ones(8, requires_grad=True) * 1
    views = [base[i % 8] for i in range(count)]
    return len(views)


def write_to_views(count: int) -> int:
    """Write to each of many views of one base while all of them are alive, and go back through all writes."""
    x = ad.ones(8, requires_grad=True)
    base = x * 1
    views = [base[i % 8] for i in range(count)]
    for view in views:
        view.mul_(0.5)
    base.sum().backward()
    return count


def write_to_base(count: int) -> int:
    """Write to a base again and again while as many views of it are alive; then read all of them."""
    x = ad.ones(8, requires_grad=True)
    base = x * 1
    views = [base[i % 8] for i in range(count)]
    for _ in range(count):
        base.mul_(0.5)
    ad.stack(views).sum().backward()
    return count


def run_hooks(count: int) -> int:
    """Register hooks on one tensor, run them all, remove them one by one."""
    x = ad.ones(2, requires_grad=True)
    handles = [x.register_hook(lambda grad: None) for _ in range(count)]
    (x * 2).backward(ad.ones(2))
    for handle in handles:
        handle.remove()
    return count


def nest_gradients(depth: int) -> int:
    """Differentiate a product of functions so many times; a unit is a node of the last gradient's graph."""
    x = ad.full((2,), 0.5, requires_grad=True)
    y = ad.sin(x) * ad.exp(x)
    for _ in range(depth):
        (y,) = ad.autograd.grad(y.sum(), x, create_graph=True)
    return count_nodes(y)


def count_nodes(tensor: Any) -> int:
    seen = {tensor.grad_fn}
    waiting = [tensor.grad_fn]
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None and node not in seen:
                seen.add(node)
                waiting.append(node)
    return len(seen)


def map_gradient(count: int) -> int:
    """The gradient of a function for each of many points."""
    ad.func.vmap(ad.func.grad(lambda x: (ad.sin(x) * x).sum()))(ad.ones(count, 2))
    return count


def chain_views(count: int) -> int:
    """Views of views, a write through the last one, and back through all of them."""
    x = ad.ones(4, requires_grad=True)
    view = x * 1
    for _ in range(count):
        view = view[0:]
    view.mul_(0.5)
    view.sum().backward()
    return count


def powers(least: int, most: int) -> list[int]:
    return [10**i for i in range(least, most + 1)]


AXES = [
    Axis("nodes in a row", "node", powers(3, 6), chain_nodes),
    Axis("live views of one base", "view", powers(0, 5), make_views),
    Axis("live views of one base, each written to", "view", powers(0, 5), write_to_views),
    Axis("live views of one base, the base written to", "view", powers(0, 5), write_to_base),
    Axis("hooks on one tensor", "hook", powers(0, 4), run_hooks),
    Axis("views of views", "view", powers(0, 5), chain_views),
    Axis("vmap of grad", "point", powers(0, 5), map_gradient),
    Axis("gradients of gradients", "node", range(1, 7), nest_gradients),
]


def print_table(quick: bool) -> None:
    """Print the time per unit at each size, and that at the largest divided by the least.

    Without the cyclic collector too: its visits take longer the more is alive.
    """
    for axis in AXES:
        print(f"{axis.name}, time per {axis.unit}")
        print(" " * 18 + "".join(f"{size:>14,}" for size in axis.sizes) + f"{'growth':>10}")
        for label, collect in (("with collector", gc.enable), ("without", gc.disable)):
            collect()
            costs = [seconds_per_unit(axis.program, size, 0.05 if quick else 0.5) for size in axis.sizes]
            cells = "".join(f"{cost * 1e6:>11,.3f} µs" for cost in costs)
            print(f"{label:<18}{cells}{costs[-1] / min(costs):>10.2f}")
        gc.enable()
        print(flush=True)


def seconds_per_unit(program: Program, size: int, seconds: float) -> float:
    """The least processor time of as many runs as fit into the seconds, at least one."""
    best, spent = float("inf"), 0.0
    while spent < seconds:
        start = time.process_time()
        units = program(size)
        elapsed = time.process_time() - start
        best, spent = min(best, elapsed / units), spent + elapsed
    return best
