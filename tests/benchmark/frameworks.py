"""Unmodified applications of frameworks (`examples/`) at 5 times their capacity, with `enforce`."""

from __future__ import annotations

import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import figures
import machine
import server as servers
from children import Children
from figures import Phase
from load import Generator, Segment, find_generator

EXAMPLES = machine.ROOT / "examples"
POMS = {
    "Spring Boot 4.0": "spring-boot/pom.xml",
    "Spring Boot 3.5": "spring-boot/pom-3.xml",
    "Dropwizard 5.0": "dropwizard/pom.xml",
    "Javalin 6.7": "javalin/pom.xml",
}
PATH = "/work"
OVERLOAD = 5.0
BELOW_SECONDS = 5
OVERLOAD_SECONDS = 15
# The time in which the overload is detected is shown apart.
SETTLED_SECONDS = 3
WARM_UP_SECONDS = 12
CAPACITY_SECONDS = 4
WARM_CONNECTIONS = 1
BUSY_CONNECTIONS = 4
PATIENCE_SECONDS = 60


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _application(framework: str, port: int, admin: int) -> tuple[list[str], list[str]]:
    """Options of the JVM with the jar, and the application's arguments."""
    if framework.startswith("Spring Boot"):
        version = framework.removeprefix("Spring Boot ").split(".")[0]
        jar = EXAMPLES / "spring-boot" / "target" / version / "shop.jar"
        return ["-jar", str(jar)], [
            "--server.address=127.0.0.1", f"--server.port={port}",
            f"--management.server.port={admin}",
        ]
    if framework.startswith("Dropwizard"):
        return [
            f"-Ddw.server.applicationConnectors[0].port={port}",
            f"-Ddw.server.adminConnectors[0].port={admin}",
            "-jar", str(EXAMPLES / "dropwizard" / "target" / "shop.jar"),
        ], ["server", str(EXAMPLES / "dropwizard" / "shop.yml")]
    return ["-jar", str(EXAMPLES / "javalin" / "target" / "shop.jar")], [str(port)]


@dataclass(frozen=True)
class Result:
    """Capacity in requests a second; shares of it answered in time."""

    capacity: float
    share: float
    settled_share: float
    rejected_below: int
    valid: bool


class Frameworks:
    """One measurement. Everything it starts belongs to `children`."""

    def __init__(
        self, java: str | None, agent: str | None, console: Console, children: Children
    ) -> None:
        self._java = machine.find_java(java)
        self._agent = servers.find_agent(agent)
        self._console = console
        self._children = children
        self._cpu, self._other = machine.two_cpus()
        self._generator = Generator(children, find_generator(None), self._other)
        self._logs = machine.ROOT / "build" / "report" / "frameworks"
        self._logs.mkdir(parents=True, exist_ok=True)

    def measure(self) -> dict[str, Any]:
        """Builds and runs them one after the other; prints a table."""
        servers.start_spinner(self._children, self._other)
        results = {}
        for framework, pom in POMS.items():
            self._console.print(f"{framework}: building and starting …")
            subprocess.run(
                ["mvn", "-q", "-B", "-ntp", "-f", str(EXAMPLES / pom), "-DskipTests", "package"],
                check=True,
            )
            results[framework] = self._run(framework)
        self._print(results)
        return {
            "machine": machine.describe(),
            "java": machine.java_version(self._java),
            **{name: vars(result) for name, result in results.items()},
        }

    def _run(self, framework: str) -> Result:
        port, admin = _free_port(), _free_port()
        options, arguments = _application(framework, port, admin)
        log = self._logs / f"{framework.replace(' ', '-')}.log"
        with log.open("w") as output:
            process = self._children.start(
                [str(self._java), f"-agentpath:{self._agent}=mode=enforce", *options, *arguments],
                cpu=self._cpu, stdout=output, stderr=subprocess.STDOUT,
            )
            machine.set_autogroup_nice(process.pid, -20)
            self._await(port, process, log)
            try:
                return self._drive(port)
            finally:
                self._children.stop(process, patience=2.0)

    def _drive(self, port: int) -> Result:
        self._generator.closed_loop(port, PATH, WARM_CONNECTIONS, WARM_UP_SECONDS)
        closed = self._generator.closed_loop(port, PATH, BUSY_CONNECTIONS, CAPACITY_SECONDS)
        capacity = closed.summary["served"] / CAPACITY_SECONDS
        records = self._logs / "records.bin"
        load = self._generator.open_loop(
            port, PATH,
            [
                Segment(capacity / 2, BELOW_SECONDS),
                Segment(OVERLOAD * capacity, OVERLOAD_SECONDS),
            ],
            seed=42, records=records, on_line=lambda _: None,
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

    @staticmethod
    def _await(port: int, process: subprocess.Popen[str], log: Path) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end and process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        raise machine.Unusable(f"the application did not start; see {log}")

    def _print(self, results: dict[str, Result]) -> None:
        table = Table(title=f"{PATH} at {OVERLOAD:.0f} times the capacity, mode=enforce")
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
