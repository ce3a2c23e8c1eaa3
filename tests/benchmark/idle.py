"""What the agent costs while nothing happens: CPU time of its threads, and memory."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import machine
import server as servers
from children import Children

AGENT_THREADS = ("hodor-beat", "hodor-tick", "hodor-upcall")
# Of the server's pool: a usual one and a large one.
THREADS = (300, 2000)
# All of the heap is in use from the start, so that what is left to differ is not its size.
_JVM = ("-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch")
# Start-up work (compilation, class loading) must be over before the measurement begins.
SETTLE_SECONDS = 10


@dataclass(frozen=True)
class Reading:
    """CPU time of a process: nanoseconds by the scheduler, ticks by /proc/PID/task/*/stat."""

    threads: int
    # Resident memory in bytes.
    memory: int
    process_ns: int
    agent_ns: dict[str, int]
    agent_ticks: dict[str, int]

    @staticmethod
    def of(pid: int) -> Reading:
        """Reads all threads of a process."""
        threads = process_ns = 0
        agent_ns = dict.fromkeys(AGENT_THREADS, 0)
        agent_ticks = dict.fromkeys(AGENT_THREADS, 0)
        for task in Path(f"/proc/{pid}/task").iterdir():
            try:
                name = (task / "comm").read_text().strip()
                used = int((task / "schedstat").read_text().split()[0])
                fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue  # the thread ended meanwhile
            threads += 1
            process_ns += used
            if name in agent_ns:
                agent_ns[name] += used
                agent_ticks[name] += int(fields[11]) + int(fields[12])
        return Reading(threads, _resident(pid), process_ns, agent_ns, agent_ticks)


def _resident(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise machine.Unusable(f"process {pid} does not say how much memory it uses")


@dataclass(frozen=True)
class IdleUse:
    """Shares of one CPU; memory in bytes."""

    threads: int
    memory: int
    process: float
    agent: dict[str, float]
    agent_by_ticks: float

    @staticmethod
    def between(first: Reading, last: Reading, seconds: float) -> IdleUse:
        """The use from `first` to `last`, `seconds` apart."""
        ticks = sum(last.agent_ticks.values()) - sum(first.agent_ticks.values())
        return IdleUse(
            threads=last.threads,
            memory=last.memory,
            process=(last.process_ns - first.process_ns) / 1e9 / seconds,
            agent={
                name: (last.agent_ns[name] - first.agent_ns[name]) / 1e9 / seconds
                for name in AGENT_THREADS
            },
            agent_by_ticks=ticks / machine.TICKS / seconds,
        )


@dataclass(frozen=True)
class Choices:
    """From the command line; None: the usual place."""

    seconds: float
    java: str | None
    app: str | None
    agent: str | None


def measure(choices: Choices, children: Children, console: Console) -> dict[str, Any]:
    """Runs the app with and without the agent side by side, without load; prints tables."""
    java = machine.find_java(choices.java)
    servers.start_spinner(children, machine.two_cpus()[1])
    return {
        "machine": machine.describe(),
        "java": machine.java_version(java),
        "sizes": [_measure(choices, java, size, children, console) for size in THREADS],
    }


def _measure(
    choices: Choices, java: Path, size: int, children: Children, console: Console
) -> dict[str, Any]:
    cpu, _ = machine.two_cpus()
    logs = machine.ROOT / "build" / "report" / "idle"
    logs.mkdir(parents=True, exist_ok=True)
    app = servers.find_app(choices.app)
    agent = servers.find_agent(choices.agent)
    extra = ("--min-threads", str(size), "--threads", str(size + 100))

    def start(name: str, library: Path | None, rounds: int | None) -> servers.Server:
        options = servers.ServerOptions(
            java=java, app=app, cpu=cpu, log=logs / f"server-{name}.log", agent=library,
            agent_options="mode=monitor" if library else "",
            rounds=rounds, jvm=_JVM, extra=extra,
        )
        return servers.Server(children, options)

    without = start("without", None, None)
    with_agent = start("with", agent, without.rounds)
    console.print(
        f"Two JVMs side by side on CPU {cpu}, without load: "
        f"{SETTLE_SECONDS} s to settle, then {choices.seconds:.0f} s …"
    )
    time.sleep(SETTLE_SECONDS)
    begin = time.monotonic()
    first = Reading.of(without.pid), Reading.of(with_agent.pid)
    time.sleep(choices.seconds)
    last = Reading.of(without.pid), Reading.of(with_agent.pid)
    took = time.monotonic() - begin
    if not (without.running() and with_agent.running()):
        raise machine.Unusable(f"a server died; see {logs}")
    uses = [IdleUse.between(a, b, took) for a, b in zip(first, last, strict=True)]
    without.stop()
    with_agent.stop()
    _print(console, *uses)
    return _json(took, *uses)


def _print(console: Console, without: IdleUse, with_agent: IdleUse) -> None:
    table = Table(title="CPU time while idle, share of one CPU")
    table.add_column("JVM")
    table.add_column("threads", justify="right")
    for name in AGENT_THREADS:
        table.add_column(name, justify="right")
    table.add_column("all", justify="right")
    table.add_column("all, by ticks", justify="right")
    table.add_column("whole process", justify="right")
    table.add_column("resident MiB", justify="right")
    for name, use in (("without the agent", without), ("mode=monitor", with_agent)):
        table.add_row(
            name, str(use.threads), *(f"{use.agent[thread]:.4%}" for thread in AGENT_THREADS),
            f"{sum(use.agent.values()):.4%}", f"{use.agent_by_ticks:.3%}", f"{use.process:.4%}",
            f"{use.memory / 2**20:.1f}",
        )
    console.print(table)


def _json(seconds: float, without: IdleUse, with_agent: IdleUse) -> dict[str, Any]:
    return {
        "seconds": seconds,
        "threads": with_agent.threads,
        "agent_share_of_cpu": sum(with_agent.agent.values()),
        "agent_threads": with_agent.agent,
        "agent_share_of_cpu_by_ticks": with_agent.agent_by_ticks,
        "process_share_of_cpu": with_agent.process,
        "process_share_of_cpu_without_agent": without.process,
        "threads_without_agent": without.threads,
        "resident_bytes": with_agent.memory,
        "resident_bytes_without_agent": without.memory,
    }
