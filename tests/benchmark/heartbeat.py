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
_LATE_MS = 5.0  # the agent's default
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
    waited_per_second: float

    @staticmethod
    def of(threads: int, quota: float | None, said: dict[str, Any]) -> Beats:
        """From what the program printed."""
        late_ms = said["late_ms"]
        tenths = statistics.quantiles(late_ms, n=10)
        late = sum(lateness > _LATE_MS for lateness in late_ms) / len(late_ms)
        waited = said["waited_per_second"]
        return Beats(threads, quota, tenths[4], tenths[8], late, waited)


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
        "p50 ms late", "p90 ms late", f"later than {_LATE_MS:.0f} ms", "run-queue wait, s per s"
    ):
        table.add_column(name, justify="right")
    for beats in results:
        under = "" if beats.quota is None else f", quota of {beats.quota:g} CPUs"
        table.add_row(
            f"{beats.threads}{under}", f"{beats.p50_ms:.2f}", f"{beats.p90_ms:.2f}",
            f"{beats.late:.1%}", f"{beats.waited_per_second:.1f}",
        )
    console.print(table)
    return {"machine": machine.describe(), "beats": [vars(beats) for beats in results]}
