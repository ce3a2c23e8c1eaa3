"""./dev demo: the same overload twice, without and with Hodor, and what became of the requests."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

import demo_report
import figures
import machine
import server as servers
from children import Children
from demo_report import Outcome, Setting
from live import View, make_view
from load import Generator, Line, LoadResult, Segment, find_generator
from watch import Watch, overload_starts

PHASES = ["0.5x", "5x", "0.5x again"]
MULTIPLES = [0.5, 5.0, 0.5]
OVERLOAD = 1

# Enough to have the server's code compiled in a few seconds, too few for an overload.
HELLO_CONNECTIONS = 2

EXIT_INVALID = 3


@dataclass(frozen=True)
class Plan:
    """Lengths in seconds, and how many connections are busy in the closed loops."""

    phases: tuple[float, float, float]
    compile: float
    warm_up: float
    capacity: float
    warm_connections: int
    capacity_connections: int

    @staticmethod
    def make(quick: bool, handler: str) -> Plan:
        """The plan of a full or a quick demo."""
        # The downstream has room for 32 requests; its capacity shows only if all of it is used.
        warm, busy = (8, 40) if handler == "downstream" else (1, 4)
        if quick:
            return Plan((5, 10, 5), 3, 4, 3, warm, busy)
        return Plan((10, 30, 10), 8, 8, 4, warm, busy)

    def schedule(self, capacity: float) -> list[Segment]:
        """Rates and lengths for a capacity in requests a second."""
        return [
            Segment(multiple * capacity, seconds)
            for multiple, seconds in zip(MULTIPLES, self.phases, strict=True)
        ]


class Demo:
    """One demo. Everything it starts belongs to `children`."""

    def __init__(self, arguments: argparse.Namespace, children: Children, console: Console) -> None:
        self._arguments = arguments
        self._children = children
        self._console = console
        self._java = machine.find_java(arguments.java)
        self._app = servers.find_app(arguments.app)
        self._agent = servers.find_agent(arguments.agent)
        self._server_cpu, self._other_cpu = machine.two_cpus()
        binary = find_generator(arguments.generator)
        self._generator = Generator(children, binary, self._other_cpu)
        self._plan = Plan.make(arguments.quick, arguments.handler)
        self._path = f"/{arguments.handler}"
        self._directory = Path(arguments.report).resolve()
        self._directory.mkdir(parents=True, exist_ok=True)
        self._view: View = make_view(console)

    def run(self) -> int:
        """Runs it; returns the exit code."""
        # Nothing of ours but the server may use its CPU, this program included.
        os.sched_setaffinity(0, {self._other_cpu})
        servers.start_spinner(self._children, self._other_cpu)
        self._introduce()
        with self._server("without", None) as server:
            self._warm_up(server)
            capacity = self._measure_capacity(server)
            schedule = self._plan.schedule(capacity)
            without = self._drive(server, "without", "Without Hodor", capacity, schedule, None)
        options = f"mode={self._arguments.mode}"
        with self._server("with", options, server.rounds) as server:
            watch = Watch(
                # Run from source, for which the server's JVM may lack the compiler.
                self._children, machine.find_java(None), server.pid, cpu=self._other_cpu,
                log=self._directory / "watch.jsonl",
            )
            title = f"With Hodor, {options}"
            self._warm_up(server)
            before = self._measure_capacity(server)
            with_hodor = self._drive(server, "with", title, capacity, schedule, watch)
            after = self._measure_capacity(server)
        setting = Setting(
            handler=self._arguments.handler,
            mode=self._arguments.mode,
            capacity=capacity,
            own_capacities=(before, after),
            phases=figures.phases_of(PHASES, schedule),
            overload=OVERLOAD,
            machine=machine.describe(),
            java=machine.java_version(self._java),
            realtime=self._generator.realtime,
        )
        return self._finish(setting, without, with_hodor)

    def _introduce(self) -> None:
        self._view.say(f"Machine: {machine.describe()}")
        self._view.say(f"JVM: {machine.java_version(self._java)}")
        self._view.say(
            f"The server runs on CPU {self._server_cpu}, everything else on CPU {self._other_cpu}; "
            f"handler {self._path}, {servers.THREADS} threads, accept backlog "
            f"{servers.ACCEPT_QUEUE}, client timeout 1 s."
        )
        if not self._generator.realtime:
            self._view.say("The generator may not run with real-time priority here; it may lag.")

    @contextmanager
    def _server(
        self, name: str, agent_options: str | None, rounds: int | None = None
    ) -> Iterator[servers.Server]:
        options = servers.ServerOptions(
            java=self._java,
            app=self._app,
            cpu=self._server_cpu,
            log=self._directory / f"server-{name}.log",
            agent=self._agent if agent_options is not None else None,
            agent_options=agent_options or "",
            rounds=rounds,
        )
        server = servers.Server(self._children, options)
        try:
            yield server
        finally:
            server.stop()

    def _warm_up(self, server: servers.Server) -> None:
        """So that the code is compiled as in a server that has been up for some time."""
        connections = self._plan.warm_connections
        seconds = self._plan.warm_up
        self._view.say(
            f"Warming up: {self._plan.compile:.0f} s of /hello over {HELLO_CONNECTIONS} busy "
            f"connections, {seconds:.0f} s of {self._path} over {connections} …"
        )
        self._generator.closed_loop(
            server.port, "/hello", HELLO_CONNECTIONS, self._plan.compile
        )
        self._generator.closed_loop(server.port, self._path, connections, seconds)

    def _measure_capacity(self, server: servers.Server) -> float:
        connections = self._plan.capacity_connections
        result = self._generator.closed_loop(
            server.port, self._path, connections, self._plan.capacity
        )
        capacity = float(result.summary["served"]) / self._plan.capacity
        if capacity < 2:
            raise machine.Unusable(
                f"the server served {capacity:.1f} requests a second:\n{server.tail()}"
            )
        self._view.say(
            f"Capacity: {capacity:.0f} requests a second ({connections} busy connections, "
            f"{self._plan.capacity:.0f} s)."
        )
        return capacity

    def _drive(
        self,
        server: servers.Server,
        name: str,
        title: str,
        capacity: float,
        schedule: list[Segment],
        watch: Watch | None,
    ) -> Outcome:
        rates = " -> ".join(f"{segment.rate:.0f}/s" for segment in schedule)
        self._view.begin(f"{title}: {rates}", capacity)
        records = self._directory / f"records-{name}.bin"

        def show(line: Line) -> None:
            self._view.line(line, watch.latest() if watch is not None else None)

        before = machine.CpuTimes.now(self._server_cpu, server.pid)
        try:
            result = self._generator.open_loop(
                server.port, self._path, schedule,
                seed=self._arguments.seed, records=records, on_line=show,
            )
        finally:
            self._view.end()
        after = machine.CpuTimes.now(self._server_cpu, server.pid)
        if not server.running():
            raise machine.Unusable(f"the server died in the run:\n{server.tail()}")
        seconds = sum(segment.seconds for segment in schedule) + 1
        lines = watch.stop() if watch is not None else []
        return Outcome(
            load=result,
            records=figures.read_records(records),
            cpu=machine.CpuUse.between(before, after, seconds),
            detected_ms=self._detected(result, schedule, lines),
            last_sample=next((x for x in reversed(lines) if x["type"] == "sample"), None),
        )

    @staticmethod
    def _detected(
        result: LoadResult, schedule: list[Segment], lines: list[dict[str, Any]]
    ) -> int | None:
        """Milliseconds from the scheduled step to the overload, as the agent says it."""
        step = result.epoch_ms + round(schedule[0].seconds * 1000)
        starts = [start - step for start in overload_starts(lines)]
        after = [start for start in starts if start >= 0]
        # An overload that began before the step was a false one: its figure is negative.
        return after[0] if after else starts[-1] if starts else None

    def _finish(self, setting: Setting, without: Outcome, with_hodor: Outcome) -> int:
        picture = demo_report.draw_picture(setting, without, with_hodor, self._directory)
        demo_report.print_report(self._console, setting, without, with_hodor)
        summary = demo_report.summary(setting, without, with_hodor)
        path = self._directory / "demo.json"
        path.write_text(json.dumps(summary, indent=2) + "\n")
        self._console.print(f"Plot: {picture} (and .svg); figures: {path}", soft_wrap=True)
        problems = demo_report.problems(without, with_hodor)
        for problem in problems:
            self._console.print(f"INVALID: {problem}", markup=False, soft_wrap=True)
        print(demo_report.result_line(setting, without, with_hodor), flush=True)
        return EXIT_INVALID if problems else 0


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="./dev demo", description=__doc__, allow_abbrev=False)
    parser.add_argument("--quick", action="store_true", help="shorter phases, under 75 seconds")
    parser.add_argument("--handler", choices=["cpu", "downstream", "memory"], default="cpu")
    parser.add_argument("--java", metavar="PATH", help="a java launcher or a JDK's directory")
    parser.add_argument("--mode", choices=["enforce", "monitor"], default="enforce")
    parser.add_argument("--seed", type=int, default=42, help="of the arrivals (default 42)")
    parser.add_argument(
        "--report", metavar="DIR", default=str(machine.ROOT / "build" / "report" / "demo"),
        help="where plots, records and logs go (default build/report/demo)",
    )
    parser.add_argument("--app", metavar="JAR", help="another build of the demo app")
    parser.add_argument("--agent", metavar="FILE", help="another libhodor.so")
    parser.add_argument("--generator", metavar="FILE", help="another hodor-load")
    return parser.parse_args(arguments)


def main() -> int:
    """Runs the demo; 0: done, 1: could not run, 3: the run is invalid, 130: interrupted."""
    arguments = parse(sys.argv[1:])
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 110)
    try:
        with Children() as children:
            return Demo(arguments, children, console).run()
    except machine.Unusable as unusable:
        print(f"demo: {unusable}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("demo: interrupted; everything that was started has been ended", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
