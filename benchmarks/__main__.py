"""Measure and print one table of adjoint's time divided by each peer's."""

import argparse
import sys

from . import workloads, workloads_function, workloads_transforms, workloads_views  # noqa: F401  (they register the workloads)
from .harness import ADJOINT, MODULES, REGISTRY, Effort, Row, installed

PEERS = [name for name in MODULES if name != ADJOINT]


def main() -> int:
    options = arguments()
    chosen = [w for key, w in REGISTRY.items() if not options.only or key in options.only]
    effort = Effort(seconds=0.4, repeats=0.2) if options.quick else Effort()
    rows: list[Row] = []
    for workload in chosen:
        print(f"measuring: {workload.name}", file=sys.stderr, flush=True)
        rows += workload.measure(effort)
    print_table(rows, options.markdown)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=list(REGISTRY), help="measure these workloads alone")
    parser.add_argument("--quick", action="store_true", help="measure briefly: rough numbers")
    parser.add_argument("--markdown", action="store_true", help="print the README's table: no targets, in Markdown")
    return parser.parse_args()


def print_table(rows: list[Row], markdown: bool) -> None:
    peers = [name for name in PEERS if installed(name)]
    lines = [["workload", ADJOINT, *peers, "target", ""]]
    lines += [[row.name, amount(row), *(cell(row, p) for p in peers), target(row), mark(row)] for row in rows]
    if markdown:
        lines = [[text.rstrip("*") for text in line[:-2]] for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines)]
    if markdown:
        lines.insert(1, ["-" * widths[0], *("-" * (w - 1) + ":" for w in widths[1:])])
    for line in lines:
        cells = [line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:]))]
        print(f"| {' | '.join(cells)} |" if markdown else "  ".join(cells).rstrip())
    print()
    print("A cell is adjoint's time divided by the peer's: below 1, adjoint is faster. * misses its target.")
    for name in PEERS:
        if not installed(name):
            print(f"{name}: absent (not installed)")


def target(row: Row) -> str:
    """The largest ratios allowed, in the order of the columns; or the largest amount."""
    if row.limit is not None:
        return f"<= {quantity(row.limit, row.unit)}"
    return " / ".join(f"{row.targets[p]:.2f}" for p in PEERS if p in row.targets)


def amount(row: Row) -> str:
    return quantity(row.values[ADJOINT], row.unit) if ADJOINT in row.values else "absent"


def cell(row: Row, peer: str) -> str:
    ratio = row.ratio(peer)
    if ratio is None:
        return "-"
    digits = 0 if ratio >= 10 else 2 if ratio >= 0.1 else 3
    return f"{ratio:.{digits}f}{'*' if peer in row.misses() else ''}"


def mark(row: Row) -> str:
    if ADJOINT not in row.values:
        return ""
    return "FAIL" if row.misses() else "pass"


def quantity(value: float, unit: str) -> str:
    if unit == "B":
        return f"{value:.0f} B"
    return f"{value * 1e6:,.1f} µs" if value < 1e-3 else f"{value * 1e3:,.1f} ms"


if __name__ == "__main__":
    sys.exit(main())
