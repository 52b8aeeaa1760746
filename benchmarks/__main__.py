"""Measure and print a table of adjoint's time divided by each peer's; or one of how its cost per unit grows."""

import argparse
import math
import sys

from . import cores, growth, workloads  # noqa: F401  (cores come first; the workloads register themselves)
from .harness import ADJOINT, MODULES, REGISTRY, VARIANTS, Effort, Row, Timed, installed

PEERS = [name for name in MODULES if name != ADJOINT]
FEWER_PEERS = [name for name in PEERS if name not in VARIANTS["torch"]]  # the README's
MEAN = {"torch": 0.6}  # the target of the geometric mean


def main() -> int:
    options = arguments()
    if options.growth:
        growth.print_table(options.quick)
        return 0
    chosen = [w for key, w in REGISTRY.items() if key in (options.only or REGISTRY)]
    if options.markdown and not options.only:
        chosen = [w for w in chosen if not (isinstance(w, Timed) and w.detail)]
    effort = Effort(seconds=0.25, repeats=0.2) if options.quick else Effort()
    rows: list[Row] = []
    for workload in chosen:
        print(f"measuring: {workload.name}", file=sys.stderr, flush=True)
        rows += workload.measure(effort)
    print_table(rows, options.markdown)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=list(REGISTRY), metavar="KEY", help=f"of {', '.join(REGISTRY)}")
    parser.add_argument("--quick", action="store_true", help="measure briefly: rough numbers")
    parser.add_argument("--markdown", action="store_true", help="print the README's table: shorter, in Markdown")
    parser.add_argument("--growth", action="store_true", help="print the cost per unit of graphs of growing size")
    return parser.parse_args()


def print_table(rows: list[Row], markdown: bool) -> None:
    peers = [name for name in (FEWER_PEERS if markdown else PEERS) if installed(name)]
    counted = [row for row in rows if row.counts]
    lines = [["workload", ADJOINT, *peers, "target", ""]]
    lines += [line_of(row, peers) for row in counted]
    lines += [mean_line(counted, peers)] if counted else []
    lines += [line_of(row, peers) for row in rows if not row.counts]
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
    print("torch 1 and torch 2 have one thread and two; torch is the faster of them.")
    for name in FEWER_PEERS:
        if not installed(name):
            print(f"{name}: absent (not installed)")


def line_of(row: Row, peers: list[str]) -> list[str]:
    amount = quantity(row.values[ADJOINT], row.unit) if ADJOINT in row.values else "absent"
    missed = row.misses()
    cells = [ratio_text(row.ratio(p), p in missed) for p in peers]
    target = f"<= {quantity(row.limit, row.unit)}" if row.limit is not None else target_text(row.targets)
    return [row.name, amount, *cells, target, "FAIL" if missed else "pass" if ADJOINT in row.values else ""]


def mean_line(rows: list[Row], peers: list[str]) -> list[str]:
    """The geometric mean of each column's ratios."""
    means = {name: geometric_mean(rows, name) for name in peers}
    missed = [name for name, most in MEAN.items() if (means.get(name) or 0.0) > most]
    cells = [ratio_text(mean, name in missed) for name, mean in means.items()]
    return [f"geometric mean over {len(rows)}", "", *cells, target_text(MEAN), "FAIL" if missed else "pass"]


def geometric_mean(rows: list[Row], peer: str) -> float | None:
    ratios = [ratio for row in rows if (ratio := row.ratio(peer)) is not None]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def target_text(targets: dict[str, float]) -> str:
    """The largest ratios allowed, in the order of the columns."""
    return " / ".join(f"{targets[p]:.2f}" for p in PEERS if p in targets)


def ratio_text(ratio: float | None, missed: bool = False) -> str:
    if ratio is None:
        return "-"
    digits = 0 if ratio >= 10 else 2 if ratio >= 0.1 else 3
    return f"{ratio:.{digits}f}{'*' if missed else ''}"


def quantity(value: float, unit: str) -> str:
    if unit == "B":
        return f"{value:.0f} B"
    return f"{value * 1e6:,.1f} µs" if value < 1e-3 else f"{value * 1e3:,.1f} ms"


if __name__ == "__main__":
    sys.exit(main())
