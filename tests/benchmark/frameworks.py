"""Unmodified applications of frameworks (`examples/`) at 5 times their capacity, with `enforce`."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import examples
import figures
import machine
import server as servers
from benchmark import Benchmark
from children import Children
from examples import Example
from figures import Phase
from load import Segment

OVERLOAD = 5.0
BELOW_SECONDS = 5
OVERLOAD_SECONDS = 15
# The time in which the overload is detected is shown apart.
SETTLED_SECONDS = 3
WARM_UP_SECONDS = 12
CAPACITY_SECONDS = 4
WARM_CONNECTIONS = 1
BUSY_CONNECTIONS = 4


@dataclass(frozen=True)
class Result:
    """Capacity in requests a second; shares of it answered in time."""

    capacity: float
    share: float
    settled_share: float
    rejected_below: int
    valid: bool


class Frameworks(Benchmark):
    """One measurement."""

    def __init__(
        self, java: str | None, agent: str | None, console: Console, children: Children
    ) -> None:
        super().__init__("frameworks", java, console, children)
        self._agent = servers.find_agent(agent)

    def measure(self) -> dict[str, Any]:
        """Builds and runs them one after the other; prints a table."""
        servers.start_spinner(self._children, self._other)
        results = {}
        for example in examples.read():
            self._console.print(f"{example.name}: building and starting …")
            example.build()
            results[example.name] = self._run(example)
        self._print(results)
        return {
            "machine": machine.describe(),
            "java": machine.java_version(self._java),
            **{name: vars(result) for name, result in results.items()},
        }

    def _run(self, example: Example) -> Result:
        port = examples.free_port()
        options = ",".join(filter(None, ("mode=enforce", example.options)))
        with tempfile.TemporaryDirectory(prefix="hodor-example") as data:
            application = servers.Application(
                self._children,
                [
                    self._java, f"-agentpath:{self._agent}={options}",
                    *example.java(port, examples.free_port(), Path(data)),
                ],
                cpu=self._cpu,
                log=self._logs / f"{example.name.replace(' ', '-')}.log",
                is_ready=lambda line: example.ready in line,
            )
            try:
                return self._drive(port, example.work)
            finally:
                application.stop()

    def _drive(self, port: int, path: str) -> Result:
        self._generator.closed_loop(port, path, WARM_CONNECTIONS, WARM_UP_SECONDS)
        closed = self._generator.closed_loop(port, path, BUSY_CONNECTIONS, CAPACITY_SECONDS)
        capacity = closed.summary["served"] / CAPACITY_SECONDS
        records = self._logs / "records.bin"
        load = self._generator.open_loop(
            port, path,
            [
                Segment(capacity / 2, BELOW_SECONDS),
                Segment(OVERLOAD * capacity, OVERLOAD_SECONDS),
            ],
            seed=42, records=records,
        )
        everything = figures.read_records(records)

        def share(start: float) -> float:
            end = float(BELOW_SECONDS + OVERLOAD_SECONDS)
            part = figures.phase_figures(everything, Phase("5x", start, end, 0))
            return part.served / (capacity * (end - start))

        below = figures.phase_figures(everything, Phase("0.5x", 0, BELOW_SECONDS, 0))
        return Result(
            capacity, share(BELOW_SECONDS), share(BELOW_SECONDS + SETTLED_SECONDS),
            below.rejected, not load.summary["invalid_because"],
        )

    def _print(self, results: dict[str, Result]) -> None:
        table = Table(title=f"{OVERLOAD:.0f} times the capacity, mode=enforce")
        table.add_column("application")
        for name in (
            "capacity/s", "in time, share of capacity", f"from {SETTLED_SECONDS} s on",
            "503s at 0.5x", "run",
        ):
            table.add_column(name, justify="right")
        for name, result in results.items():
            table.add_row(
                name, f"{result.capacity:.0f}", f"{result.share:.3f}",
                f"{result.settled_share:.3f}", str(result.rejected_below),
                "valid" if result.valid else "INVALID: the generator lagged",
            )
        self._console.print(table)
