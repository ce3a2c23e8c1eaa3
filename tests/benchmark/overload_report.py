"""Tables and plots of `./dev bench overload`."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

from overload_contenders import CONTENDERS, SCENARIOS  # noqa: E402
from spread import spread  # noqa: E402

if TYPE_CHECKING:
    from overload_stage import Cell


def line(cell: Cell) -> str:
    """One cell in a line."""
    recovery = "never" if cell.recovery_s is None else f"{cell.recovery_s:.1f} s"
    each = "" if cell.rejection_us is None else f" at {cell.rejection_us:.0f} us of CPU"
    return (
        f"{cell.scenario} {cell.multiple:g}x {cell.contender} #{cell.round}: "
        f"{cell.settled:.3f} (from the step on {cell.share:.3f}) of "
        f"{cell.capacity_before:.0f} and {cell.capacity_after:.0f}/s, p99 {_ms(cell.served_p99_ms)}, "
        f"{cell.rejected:.1%} rejected{each}, p99 {_ms(cell.rejected_p99_ms)}; "
        f"back after {recovery}; {cell.probes.failed} of {cell.probes.sent} probes failed, "
        f"{cell.probes.failed_in_a_row} in a row;{_held(cell)} lag {cell.lag_ms:.1f} ms, others {cell.outside:.0%}, "
        f"steal {cell.steal:.0%}{'' if cell.valid else ', INVALID: the generator lagged'}"
    )


def markdown(cells: Iterable[Cell]) -> str:
    """Medians, least and most of the rounds; a table of shares and one of the rest."""
    valid = [cell for cell in cells if cell.valid]
    parts: list[str] = []
    for scenario in SCENARIOS:
        of_this = [cell for cell in valid if cell.scenario == scenario.key]
        if of_this:
            parts += [
                f"**{scenario.key}**: {scenario.title}. Answered in time from 3 s after the step "
                "on, share of the capacity:\n", _shares(of_this), _details(of_this),
            ]
    return "\n".join(parts)


def draw(cells: Iterable[Cell], directory: Path) -> list[Path]:
    """Shares against multiples, a picture for each scenario with several of them."""
    valid = [cell for cell in cells if cell.valid]
    drawn = []
    for scenario in SCENARIOS:
        of_this = [cell for cell in valid if cell.scenario == scenario.key]
        multiples = sorted({cell.multiple for cell in of_this})
        if len(multiples) < 2:
            continue
        figure, axes = plt.subplots(figsize=(9, 5))
        for name in _contenders(of_this):
            rows = [_values(of_this, name, multiple, "settled") for multiple in multiples]
            axes.plot(
                multiples, [statistics.median(row) if row else float("nan") for row in rows],
                marker="o", markersize=3, linewidth=2.2 if name == "hodor" else 1.0, label=name,
            )
        axes.set_xscale("log")
        axes.set_xticks(multiples, [f"{multiple:g}x" for multiple in multiples])
        axes.set_xlabel("offered, times the capacity, in one step")
        axes.set_ylabel("answered in time, share of the capacity")
        axes.set_ylim(bottom=0)
        axes.set_title(f"{scenario.key}: {scenario.title}")
        axes.legend(fontsize=8)
        figure.tight_layout()
        path = directory / f"{scenario.key}.png"
        figure.savefig(path, dpi=120)
        figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
        plt.close(figure)
        drawn.append(path)
    return drawn


def draw_seconds(cells: Iterable[Cell], directory: Path) -> list[Path]:
    """Falling in and getting out: each second of an overload, a picture for each multiple."""
    valid = [cell for cell in cells if cell.valid]
    drawn = []
    for scenario, multiple in sorted({(cell.scenario, cell.multiple) for cell in valid}):
        of_this = [x for x in valid if x.scenario == scenario and x.multiple == multiple]
        figure, axes = plt.subplots(figsize=(9, 4))
        for name in _contenders(of_this):
            rounds = [cell.each_second for cell in of_this if cell.contender == name]
            medians = [statistics.median(second) for second in zip(*rounds, strict=True)]
            axes.plot(
                [second + 0.5 for second in range(len(medians))], medians, marker="o",
                markersize=3, linewidth=2.2 if name == "hodor" else 1.0, label=name,
            )
        axes.set_xlabel("second in which the requests were scheduled")
        axes.set_ylabel("answered in time, share of the capacity")
        axes.set_ylim(bottom=0)
        axes.set_title(f"{scenario}: 0.5x, {multiple:g}x, 0.5x")
        axes.legend(fontsize=8)
        figure.tight_layout()
        path = directory / f"{scenario}-{multiple:g}x.png"
        figure.savefig(path, dpi=120)
        figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
        plt.close(figure)
        drawn.append(path)
    return drawn


def _held(cell: Cell) -> str:
    if cell.holdings is None:
        return ""
    first, last = cell.holdings
    return (
        f" holds {first.resident_mib:.0f} then {last.resident_mib:.0f} MiB, {first.threads} then "
        f"{last.threads} threads, {first.descriptors} then {last.descriptors} descriptors;"
    )


def _contenders(cells: list[Cell]) -> list[str]:
    there = {cell.contender for cell in cells}
    return [contender.key for contender in CONTENDERS if contender.key in there]


def _values(cells: list[Cell], contender: str, multiple: float, name: str) -> list[float]:
    values = [
        getattr(cell, name) for cell in cells
        if cell.contender == contender and cell.multiple == multiple
    ]
    return [value for value in values if value is not None]


def _shares(cells: list[Cell]) -> str:
    multiples = sorted({cell.multiple for cell in cells})
    rows = [
        ["contender", *(f"{multiple:g}x" for multiple in multiples)],
        ["---"] * (1 + len(multiples)),
    ]
    for name in _contenders(cells):
        row = [name]
        for multiple in multiples:
            row.append(spread(_values(cells, name, multiple, "settled"), 2))
        rows.append(row)
    return _table(rows)


def _details(cells: list[Cell]) -> str:
    rows = [
        ["contender", "load", "rounds", "p50 ms", "p99 ms", "rejected", "p99 ms of rejections",
         "us of CPU each", "rejected at 0.5x before", "s until all is answered again",
         "probes failed", "in a row"],
        ["---"] * 12,
    ]
    for name in _contenders(cells):
        for multiple in sorted({cell.multiple for cell in cells}):
            of_this = [x for x in cells if x.contender == name and x.multiple == multiple]
            if not of_this:
                continue

            def shown(
                attribute: str, digits: int, name: str = name, multiple: float = multiple
            ) -> str:
                return spread(_values(cells, name, multiple, attribute), digits)

            lost = sum(cell.recovery_s is None for cell in of_this)
            recovery = shown("recovery_s", 1)
            if lost:
                recovery = f"{recovery}; {lost} of {len(of_this)} not" if recovery != "-" else "not"
            rows.append([
                name, f"{multiple:g}x", str(len(of_this)), shown("served_p50_ms", 1),
                shown("served_p99_ms", 0),
                f"{statistics.median(cell.rejected for cell in of_this):.1%}",
                shown("rejected_p99_ms", 0), shown("rejection_us", 0),
                str(sum(cell.rejected_before for cell in of_this)), recovery,
                f"{sum(cell.probes.failed for cell in of_this)} of "
                f"{sum(cell.probes.sent for cell in of_this)}",
                str(max(cell.probes.failed_in_a_row for cell in of_this)),
            ])
    return _table(rows)


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f} ms"


def _table(rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"
