"""What the agent costs an unmodified application in `monitor`: two servers side by side, in turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import machine
import server as servers
from benchmark import Benchmark
from children import Children
from load import Segment
from spread import spread

ROUNDS = 7
BUSY_CONNECTIONS = 16
CLOSED_SECONDS = 4
OPEN_SECONDS = 6
CAPACITY_SECONDS = 4
# On one CPU the compiler is busy for a long time at this rate.
WARM_UP_SECONDS = 25
HALF = 0.5


@dataclass
class Figures:
    """One value for each round."""

    throughput: list[float] = field(default_factory=list)
    closed_p50_ms: list[float] = field(default_factory=list)
    closed_p99_ms: list[float] = field(default_factory=list)
    open_p50_ms: list[float] = field(default_factory=list)
    open_p99_ms: list[float] = field(default_factory=list)


class Overhead(Benchmark):
    """One measurement."""

    def __init__(self, java: str | None, app: str | None, agent: str | None, console: Console,
                 children: Children) -> None:
        super().__init__("overhead", java, console, children)
        self._app = servers.find_app(app)
        self._agent = servers.find_agent(agent)

    def measure(self) -> dict[str, Any]:
        """Runs it; prints a table."""
        without = self._start("without", None, None)
        with_agent = self._start("with", self._agent, without.rounds)
        servers.start_spinner(self._children, self._other)
        both = {"without": without, "monitor": with_agent}
        for server in both.values():
            for path in ("/hello", "/cpu"):
                self._generator.closed_loop(server.port, path, BUSY_CONNECTIONS, WARM_UP_SECONDS)
        capacity = self._closed(without, "/cpu", CAPACITY_SECONDS)["served"] / CAPACITY_SECONDS
        self._console.print(
            f"{ROUNDS} rounds in turns on CPU {self._cpu}; capacity of /cpu {capacity:.0f}/s …"
        )
        figures = {name: Figures() for name in both}
        for number in range(ROUNDS):
            # Each goes first as often as the other.
            names = list(both) if number % 2 == 0 else list(reversed(both))
            for name in names:
                self._round(both[name], figures[name], capacity, seed=number)
        for server in both.values():
            server.stop()
        self._print(figures)
        return self._json(figures, capacity)

    def _start(self, name: str, agent: Path | None, rounds: int | None) -> servers.Server:
        options = servers.ServerOptions(
            java=self._java, app=self._app, cpu=self._cpu, log=self._logs / f"server-{name}.log",
            agent=agent, agent_options="mode=monitor", rounds=rounds,
        )
        return servers.Server(self._children, options)

    def _closed(self, server: servers.Server, path: str, seconds: float) -> dict[str, Any]:
        return self._generator.closed_loop(server.port, path, BUSY_CONNECTIONS, seconds).summary

    def _round(
        self, server: servers.Server, figures: Figures, capacity: float, seed: int
    ) -> None:
        closed = self._closed(server, "/hello", CLOSED_SECONDS)
        figures.throughput.append(closed["served"] / CLOSED_SECONDS)
        figures.closed_p50_ms.append(closed["served_p50_ms"])
        figures.closed_p99_ms.append(closed["served_p99_ms"])
        opened = self._generator.open_loop(
            server.port, "/cpu", [Segment(HALF * capacity, OPEN_SECONDS)],
            seed=seed,
        ).summary
        figures.open_p50_ms.append(opened["served_p50_ms"])
        figures.open_p99_ms.append(opened["served_p99_ms"])

    def _print(self, figures: dict[str, Figures]) -> None:
        table = Table(title="Medians (least to most) of the rounds")
        table.add_column("figure")
        for name in figures:
            table.add_column(name, justify="right")
        table.add_column("monitor / without, median of the rounds", justify="right")
        for title, attribute in (
            (f"/hello, {BUSY_CONNECTIONS} busy connections, requests/s", "throughput"),
            ("the same, p50 ms", "closed_p50_ms"),
            ("the same, p99 ms", "closed_p99_ms"),
            ("/cpu at 0.5x, p50 ms", "open_p50_ms"),
            ("/cpu at 0.5x, p99 ms", "open_p99_ms"),
        ):
            values = [getattr(figures[name], attribute) for name in figures]
            ratios = [b / a for a, b in zip(*values, strict=True)]
            table.add_row(
                title,
                *(spread(v, 3) for v in values),
                spread(ratios, 3),
            )
        self._console.print(table)

    def _json(self, figures: dict[str, Figures], capacity: float) -> dict[str, Any]:
        return {
            "machine": machine.describe(),
            "java": machine.java_version(self._java),
            "capacity": capacity,
            **{name: vars(values) for name, values in figures.items()},
        }
