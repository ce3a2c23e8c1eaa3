"""Starts applications in JVMs of their own, pinned to one CPU, with or without the agent."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import machine
from children import Children

# Jetty's default of 50 hides the shedder behind refused connections.
ACCEPT_QUEUE = 4096
THREADS = 200
WORK_MS = 2
# How long its downstream holds a connection, unless told otherwise.
DOWNSTREAM_MS = 50


def find_app(given: str | None) -> Path:
    """The demo app's jar: from --app or from the Maven build."""
    if given is not None:
        if not Path(given).is_file():
            raise machine.Unusable(f"there is no file {given}")
        return Path(given)
    jar = machine.ROOT / "examples" / "jetty-demo" / "target" / "jetty-demo.jar"
    if not jar.is_file():
        raise machine.Unusable("the demo app is not built; run ./dev build")
    return jar


def find_agent(given: str | None) -> Path:
    """The agent's library: from --agent or from ./dev build."""
    path = Path(given) if given else machine.ROOT / "build" / "dist" / "libhodor.so"
    if not path.is_file():
        raise machine.Unusable(f"there is no {path}; run ./dev build")
    return path.resolve()


@dataclass
class ServerOptions:
    """How a server is started."""

    java: Path
    app: Path
    cpu: int
    log: Path
    # Options of the agent, such as "mode=enforce"; None: no agent at all.
    agent: Path | None = None
    agent_options: str = ""
    # Loops that make up WORK_MS milliseconds; None: the app measures it.
    rounds: int | None = None
    # Of the JVM, and of the app: what it wants to be told first, and last.
    jvm: Sequence[str] = field(default_factory=tuple)
    first: Sequence[str] = field(default_factory=tuple)
    extra: Sequence[str] = field(default_factory=tuple)

    def command(self) -> list[str]:
        """The JVM's command line."""
        command = [str(self.java)]
        if self.agent is not None:
            options = f"={self.agent_options}" if self.agent_options else ""
            command.append(f"-agentpath:{self.agent}{options}")
        command += [*self.jvm, "-jar", str(self.app), *self.first]
        command += ["--port", "0", "--threads", str(THREADS), "--accept-queue", str(ACCEPT_QUEUE)]
        if self.rounds is None:
            command += ["--work-ms", str(WORK_MS)]
        else:
            command += ["--rounds", str(self.rounds)]
        return [*command, *self.extra]


class Application:
    """A running application. `stop` ends it; so does the end of its `Children`."""

    def __init__(
        self,
        children: Children,
        command: Sequence[str | Path],
        *,
        cpu: int,
        log: Path,
        is_ready: Callable[[str], bool],
        patience: float = 60.0,
        stdin: int | None = subprocess.DEVNULL,
    ) -> None:
        """Starts it and returns when a line of its output `is_ready`; waits at most `patience`."""
        self._children = children
        self._log = log
        self._is_ready = is_ready
        self._ready = threading.Event()
        self._ended = False
        self._process = children.start(
            command, cpu=cpu, stdin=stdin, stderr=subprocess.STDOUT
        )
        # Other work in other sessions must not take the server's CPU; needs root.
        self.is_favoured = machine.set_autogroup_nice(self._process.pid, -20)
        self._reader = threading.Thread(target=self._read, name="server-log", daemon=True)
        self._reader.start()
        if not self._ready.wait(patience) or self._ended:
            self.stop()
            raise machine.Unusable(
                f"the application did not start; its last words:\n{self.tail()}"
            )

    @property
    def pid(self) -> int:
        """The JVM's process id."""
        return self._process.pid

    def type(self, line: str) -> None:
        """A line for its standard input, which must have been asked for."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def running(self) -> bool:
        """Whether the JVM still lives."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Ends the JVM. An overloaded one may need force, so patience is short."""
        self._children.stop(self._process, patience=2.0)
        self._reader.join(5.0)

    def tail(self) -> str:
        """The last lines of the application's log."""
        return "\n".join(self.lines()[-15:])

    def lines(self) -> list[str]:
        """What it has said so far."""
        return self._log.read_text(errors="replace").splitlines()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._log.open("w") as log:
            for line in self._process.stdout:
                log.write(line)
                log.flush()
                if not self._ready.is_set() and self._is_ready(line):
                    self._ready.set()
        self._ended = not self._ready.is_set()
        self._ready.set()


class Server(Application):
    """The demo app, which says on which port it listens."""

    def __init__(self, children: Children, options: ServerOptions) -> None:
        """Starts the app and returns when it listens."""
        self.options = options
        self.port = 0
        self.rounds: int | None = options.rounds
        super().__init__(
            children, options.command(), cpu=options.cpu, log=options.log, is_ready=self._listens
        )

    def _listens(self, line: str) -> bool:
        words = line.split()
        if len(words) == 2 and words[1].isdigit():
            if words[0] == "CALIBRATED":
                self.rounds = int(words[1])
            elif words[0] == "LISTENING":
                self.port = int(words[1])
        return self.port != 0


def start_spinner(children: Children, cpu: int) -> None:
    """Keeps `cpu` busy with what gives way to everybody.

    While one CPU idles the other runs faster, so the server's speed would depend on the generator.
    """
    spinner = children.start(
        [sys.executable, "-c", "while True: pass"],
        cpu=cpu,
        policy=("chrt", "-i", "0"),
        stdout=subprocess.DEVNULL,
    )
    # Its session's group counts as one with the weight of this nice value, SCHED_IDLE or not.
    machine.set_autogroup_nice(spinner.pid, 19)
