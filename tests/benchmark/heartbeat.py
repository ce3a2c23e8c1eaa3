"""What the heartbeat can see: how late a sleeper is beside threads that spin on the same CPU."""

from __future__ import annotations

import contextlib
import json
import statistics
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

import machine
from cgroups import QuotaGroup
from children import Children

SECONDS = 10
# The agent's defaults.
_INTERVAL_MS = 10.0
_LATE_MS = 5.0
_WINDOW_MS = 100.0
# Spinning threads, and the CPUs of a quota.
SITUATIONS = ((0, None), (1, None), (8, None), (32, None), (64, None), (1, 0.5), (8, 0.5))


@dataclass(frozen=True)
class Beats:
    """What a sleeper saw."""

    threads: int
    quota: float | None
    p50_ms: float
    p90_ms: float
    late: float  # share of the beats
    late_windows: float  # share of the windows: those with a beat that was late
    waited_per_second: float

    @staticmethod
    def of(threads: int, quota: float | None, said: dict[str, Any]) -> Beats:
        """From what the program printed."""
        late_ms = said["late_ms"]
        tenths = statistics.quantiles(late_ms, n=10)
        late = sum(lateness > _LATE_MS for lateness in late_ms) / len(late_ms)
        return Beats(
            threads, quota, tenths[4], tenths[8], late, _late_windows(late_ms),
            said["waited_per_second"],
        )


def _late_windows(late_ms: list[float]) -> float:
    windows: dict[int, bool] = {}
    now = 0.0
    for lateness in late_ms:
        now += _INTERVAL_MS + lateness
        window = int(now // _WINDOW_MS)
        windows[window] = windows.get(window, False) or lateness > _LATE_MS
    # A window in which nothing woke up was slept through.
    return 1 - sum(not is_late for is_late in windows.values()) / (max(windows) + 1)


def _run(threads: int, quota: float | None, cpu: int) -> Beats:
    binary = machine.ROOT / "build" / "release" / "tests" / "benchmark" / "hodor_sleeper_benchmark"
    with contextlib.ExitStack() as stack:
        # Entered before the process, so that it is empty when it is removed.
        group = stack.enter_context(QuotaGroup()) if quota is not None else None
        children = stack.enter_context(Children())
        if group is not None and quota is not None:
            group.limit(quota)
        process = children.start(
            [*(group.prefix if group else ()), binary, str(threads), str(SECONDS)], cpu=cpu
        )
        machine.set_autogroup_nice(process.pid, -20)
        text, _ = process.communicate()
        if children.wait(process) != 0:
            raise machine.Unusable(f"{binary.name} failed")
    return Beats.of(threads, quota, json.loads(text))


def measure(console: Console) -> dict[str, Any]:
    """Runs them one after the other; prints a table."""
    cpu, _ = machine.two_cpus()
    results = []
    for threads, quota in SITUATIONS:
        try:
            results.append(_run(threads, quota, cpu))
        except machine.Absent as absent:
            console.print(f"SKIPPED, {threads} threads under a quota: {absent}", markup=False)
    table = Table(title=f"Beats of 10 ms beside spinning threads on one CPU, {SECONDS} s each")
    table.add_column("spinning threads")
    for name in (
        "p50 ms late", "p90 ms late", f"later than {_LATE_MS:.0f} ms",
        f"windows of {_WINDOW_MS:.0f} ms with such", "run-queue wait, s per s",
    ):
        table.add_column(name, justify="right")
    for beats in results:
        under = "" if beats.quota is None else f", quota of {beats.quota:g} CPUs"
        table.add_row(
            f"{beats.threads}{under}", f"{beats.p50_ms:.2f}", f"{beats.p90_ms:.2f}",
            f"{beats.late:.1%}", f"{beats.late_windows:.0%}", f"{beats.waited_per_second:.1f}",
        )
    console.print(table)
    return {"machine": machine.describe(), "beats": [vars(beats) for beats in results]}
