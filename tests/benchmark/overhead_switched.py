"""What `monitor` costs beside `off`, switched in turns in one JVM under one load.

Two JVMs that do the same differ by more than the agent costs: their compilers decide differently.
So this measures more precisely than two of them side by side, but not all: a gate that asks for
nothing stays in front of the application.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

import machine
import server as servers
from benchmark import Benchmark
from children import Children
from load import LoadResult, Segment
from spread import spread
from watch import Line, Watch

PATH = "/hello"
PAIRS = 30
BUSY_CONNECTIONS = 16
WARM_UP_SECONDS = 25
# More than this the generator cannot send without connections that are free.
MOST_RATE = 10_000
HALF = 0.5
# The agent needs a second until it takes the times for calm.
PHASE_SECONDS = 5
SETTLE_SECONDS = 2
MODES = ("off", "monitor")


def _mode_of(phase: int) -> str:
    """Each goes first in every other pair."""
    return MODES[(phase + phase // 2) % 2]


class Switched(Benchmark):
    """One measurement."""

    def __init__(self, java: str | None, app: str | None, agent: str | None, console: Console,
                 children: Children) -> None:
        super().__init__("overhead", java, console, children)
        self._options = servers.ServerOptions(
            java=self._java, app=servers.find_app(app), cpu=self._cpu,
            log=self._logs / "server-switched.log", agent=servers.find_agent(agent),
            agent_options="mode=monitor",
        )

    def measure(self) -> dict[str, Any]:
        """Runs it; prints a table for each load."""
        server = servers.Server(self._children, self._options)
        servers.start_spinner(self._children, self._other)
        watch = Watch(self._children, self._java, server.pid, cpu=self._other,
                      log=self._logs / "watch.log", every_ms=3_600_000)
        self._console.print(f"off and monitor in turns, {PAIRS} times {PHASE_SECONDS} s each …")
        self._busy(server, WARM_UP_SECONDS)
        for mode in MODES:
            watch.set("Mode", mode)
            capacity = self._busy(server, PHASE_SECONDS).summary["served"] / PHASE_SECONDS
        open_rate = min(HALF * capacity, MOST_RATE)
        seconds = 2 * PAIRS * PHASE_SECONDS
        figures = {
            "busy": self._report(
                f"{BUSY_CONNECTIONS} busy connections",
                self._switching(watch, lambda: self._busy(server, seconds)),
            ),
            "open": self._report(
                f"{open_rate:.0f} requests/s",
                self._switching(watch, lambda: self._open(server, open_rate, seconds)),
            ),
        }
        watch.stop()
        server.stop()
        return figures

    def _busy(self, server: servers.Server, seconds: float) -> LoadResult:
        return self._generator.closed_loop(server.port, PATH, BUSY_CONNECTIONS, seconds)

    def _open(self, server: servers.Server, rate: float, seconds: float) -> LoadResult:
        return self._generator.open_loop(server.port, PATH, [Segment(rate, seconds)], seed=1)

    def _switching(self, watch: Watch, load: Callable[[], LoadResult]) -> list[list[Line]]:
        """Runs the load while the mode changes; of each phase the seconds that count."""
        begun = time.monotonic()
        ended = threading.Event()

        def switch() -> None:
            for phase in range(2 * PAIRS):
                if ended.wait(max(0.0, begun + phase * PHASE_SECONDS - time.monotonic())):
                    return
                watch.set("Mode", _mode_of(phase))

        switching = threading.Thread(target=switch, name="switch", daemon=True)
        switching.start()
        try:
            result = load()
        finally:
            ended.set()
            switching.join()
        if not result.summary["valid"]:
            raise machine.Unusable(f"the load is not valid: {result.summary['invalid_because']}")
        phases: list[list[Line]] = [[] for _ in range(2 * PAIRS)]
        for line in result.seconds:
            phase, second = divmod(int(line["second"]), PHASE_SECONDS)
            # The generator begins a little later than the switching.
            if phase < 2 * PAIRS and SETTLE_SECONDS <= second < PHASE_SECONDS - 1:
                phases[phase].append(line)
        return phases

    def _report(self, load: str, phases: list[list[Line]]) -> dict[str, Any]:
        table = Table(title=f"{PATH}, {load}: medians (least to most) of {PAIRS} pairs, one JVM")
        for title in ("figure", *MODES, "monitor / off, median", "mean ± standard error"):
            table.add_column(title, justify="right")
        figures: dict[str, Any] = {}
        for title, key in (
            ("requests/s", "served"),
            ("p50 ms", "served_p50_ms"),
            ("p99 ms", "served_p99_ms"),
        ):
            values: dict[str, list[float]] = {mode: [] for mode in MODES}
            for number, lines in enumerate(phases):
                values[_mode_of(number)].append(statistics.mean(float(line[key]) for line in lines))
            ratios = [b / a for a, b in zip(values["off"], values["monitor"], strict=True)]
            error = statistics.stdev(ratios) / len(ratios) ** 0.5
            figures[key] = {**values, "ratios": ratios}
            table.add_row(
                title,
                *(spread(v, 3) for v in values.values()),
                f"{statistics.median(ratios):.3f}",
                f"{statistics.mean(ratios):.3f} ± {error:.3f}",
            )
        self._console.print(table)
        return figures
