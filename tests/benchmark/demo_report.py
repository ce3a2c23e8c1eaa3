"""What a demo found: problems, table, picture, the RESULT line."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import figures
import plot
from figures import Phase, PhaseFigures
from load import LoadResult
from machine import CpuUse

# The first requests after the step down meet a server that is still full: what it holds was admitted
# in the overload and takes its time (50 ms behind the downstream). That the load has fallen is known
# at the end of the first whole control tick, at most 200 ms later.
DRAIN_SECONDS = 0.2


@dataclass(frozen=True)
class Setting:
    """What both runs had in common. Capacities in requests a second.

    The load is a multiple of `capacity`, which the server without Hodor had right before its run.
    Each server is judged by its own: machines differ from minute to minute and JVMs from start to
    start. That of the server with Hodor is the mean of `own_capacities`, measured right before and
    right after its run: either alone is off by some percent, by chance.
    """

    handler: str
    mode: str
    capacity: float
    own_capacities: tuple[float, float]
    phases: list[Phase]
    overload: int  # which of the phases is the overload
    machine: str
    java: str
    realtime: bool

    @property
    def own_capacity(self) -> float:
        """Of the server with Hodor."""
        return statistics.mean(self.own_capacities)


@dataclass(frozen=True)
class Outcome:
    """One run. `detected_ms` counts from the scheduled step; None: not detected, or no agent."""

    load: LoadResult
    records: Any
    cpu: CpuUse
    detected_ms: int | None
    last_sample: dict[str, Any] | None


def problems(without: Outcome, with_hodor: Outcome) -> list[str]:
    """Why the runs say nothing, in plain words; none if they are valid."""
    return [
        f"the run {name} Hodor says nothing, as {reason}"
        for name, outcome in (("without", without), ("with", with_hodor))
        for reason in outcome.load.summary["invalid_because"]
    ]


def _share(setting: Setting, outcome: Outcome, capacity: float) -> float:
    """Served in time in the whole overload, as a share of what the capacity allows."""
    phase = setting.phases[setting.overload]
    served = figures.phase_figures(outcome.records, phase).served
    return served / (capacity * (phase.end - phase.start))


def _below_capacity(setting: Setting) -> list[Phase]:
    """The phases in which nothing may be rejected: after the step down, once it has drained."""
    step_down = setting.phases[setting.overload].end
    return [
        replace(phase, start=phase.start + (DRAIN_SECONDS if phase.start == step_down else 0))
        for index, phase in enumerate(setting.phases)
        if index != setting.overload
    ]


def _false_rejections(setting: Setting, outcome: Outcome) -> int:
    return sum(
        figures.phase_figures(outcome.records, phase).rejected
        for phase in _below_capacity(setting)
    )


def _rejected_while_draining(setting: Setting, outcome: Outcome) -> int:
    step_down = setting.phases[setting.overload].end
    drain = Phase("drain", step_down, step_down + DRAIN_SECONDS, 0)
    return figures.phase_figures(outcome.records, drain).rejected


def _reject_p99(setting: Setting, outcome: Outcome) -> float | None:
    return figures.phase_figures(outcome.records, setting.phases[setting.overload]).rejected_p99_ms


def result_line(setting: Setting, without: Outcome, with_hodor: Outcome) -> str:
    """The last line of a demo, for scripts."""
    rejected = _reject_p99(setting, with_hodor)
    detected = with_hodor.detected_ms
    return (
        f"RESULT capacity={setting.capacity:.1f} without={_share(setting, without, setting.capacity):.3f} "
        f"with={_share(setting, with_hodor, setting.own_capacity):.3f} "
        f"reject_p99_ms={'none' if rejected is None else f'{rejected:.1f}'} "
        f"detected_ms={'none' if detected is None else detected} "
        f"false_rejections={_false_rejections(setting, with_hodor)}"
    )


def _millis(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _row(name: str, run: str, part: PhaseFigures) -> list[str]:
    return [
        name, run, f"{part.offered:,}", f"{part.served:,}", f"{part.rejected:,}",
        f"{part.lost_or_failed:,}", _millis(part.served_p50_ms), _millis(part.served_p99_ms),
        _millis(part.rejected_p99_ms),
    ]


def print_report(
    console: Console, setting: Setting, without: Outcome, with_hodor: Outcome
) -> None:
    """The table and what one needs to believe it."""
    table = Table(title=f"/{setting.handler}, capacity {setting.capacity:.0f} requests a second")
    table.add_column("phase")
    table.add_column("Hodor")
    for name in ("offered", "in time", "rejected", "lost", "p50 ms", "p99 ms", "reject p99"):
        table.add_column(name, justify="right")
    for phase in setting.phases:
        for run, outcome in (("without", without), (setting.mode, with_hodor)):
            part = figures.phase_figures(outcome.records, phase)
            table.add_row(*_row(phase.name, run, part), end_section=outcome is with_hodor)
    console.print(table)
    console.print("in time: answered 200 within 1 s of the scheduled time; lost: also failed")
    before, after = setting.own_capacities
    for name, outcome, capacity, before_and_after in (
        ("without", without, setting.capacity, ""),
        ("with", with_hodor, setting.own_capacity, f" ({before:.0f} before, {after:.0f} after)"),
    ):
        summary = outcome.load.summary
        console.print(
            f"{name:>7}: served in time at the overload {_share(setting, outcome, capacity):.1%} of "
            f"its capacity of {capacity:.0f}/s{before_and_after}"
            f"; generator's lag p50 {summary['lag_p50_ms']} ms, p99 {summary['lag_p99_ms']} ms, "
            f"worst second's p99 {summary['lag_worst_second_p99_ms']} ms, its CPU "
            f"{summary['cpu_share_worst_second']:.0%} in its worst second; steal "
            f"{outcome.cpu.steal:.1%}; server's CPU used by others {outcome.cpu.outside:.1%}",
            soft_wrap=True,
        )
    console.print(f"{setting.machine}; {setting.java}", soft_wrap=True)
    detected = with_hodor.detected_ms
    if detected is None:
        console.print("The agent reported no overload.")
    elif detected < 0:
        console.print(f"The agent reported an overload {-detected} ms BEFORE the step.")
    else:
        console.print(f"The agent reported the overload {detected} ms after the step.")
    console.print(
        f"Rejected in the first {DRAIN_SECONDS * 1000:.0f} ms after the step down, while the server "
        f"still held requests of the overload: {_rejected_while_draining(setting, with_hodor)}; "
        f"at 0.5x otherwise: {_false_rejections(setting, with_hodor)}",
        soft_wrap=True,
    )


def draw_picture(
    setting: Setting, without: Outcome, with_hodor: Outcome, directory: Path
) -> Path:
    """Writes demo.svg and demo.png; returns the path of the latter."""
    step = setting.phases[setting.overload].start
    detected = with_hodor.detected_ms
    return plot.draw(
        plot.Picture(
            title=f"Requests served in time, /{setting.handler}, one CPU, "
            f"driven to 5 times its capacity of {setting.capacity:.0f}/s",
            phases=setting.phases,
            capacity=setting.capacity,
            without=without.records,
            with_hodor=with_hodor.records,
            detected_s=None if detected is None else step + detected / 1000,
        ),
        directory,
        "demo",
    )


def summary(setting: Setting, without: Outcome, with_hodor: Outcome) -> dict[str, Any]:
    """All figures, for demo.json."""

    def run(outcome: Outcome, capacity: float) -> dict[str, Any]:
        return {
            "capacity": capacity,
            "share_of_capacity": _share(setting, outcome, capacity),
            "phases": {
                phase.name: figures.as_json(figures.phase_figures(outcome.records, phase))
                for phase in setting.phases
            },
            "generator": outcome.load.summary,
            "timeline": outcome.load.seconds,
            "steal": outcome.cpu.steal,
            "server_cpu_used_by_others": outcome.cpu.outside,
        }

    return {
        "handler": setting.handler,
        "mode": setting.mode,
        "capacity": setting.capacity,
        "own_capacities": list(setting.own_capacities),
        "machine": setting.machine,
        "java": setting.java,
        "generator_realtime": setting.realtime,
        "valid": not problems(without, with_hodor),
        "detected_ms": with_hodor.detected_ms,
        "reject_p99_ms": _reject_p99(setting, with_hodor),
        "false_rejections": _false_rejections(setting, with_hodor),
        "rejected_while_draining": _rejected_while_draining(setting, with_hodor),
        "last_sample": with_hodor.last_sample,
        "without": run(without, setting.capacity),
        "with": run(with_hodor, setting.own_capacity),
    }
