"""Starts the server of tests/jvm/jetty-site whose troubles are brought by lines of its input."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import machine
from children import Children
from server import Application

_MAIN = "programs.load.Main"
# About 2 ms of CPU.
_ROUNDS = 1_000_000
_SITES = machine.ROOT / "tests" / "jvm" / "jetty-site" / "target"
_RUNTIMES = machine.ROOT / ".cache" / "runtimes"
# Jetty 12 needs Java 17.
_SITE_OF_JAVA_11 = "jetty-11"
_SITE = "ee10"

# 2026-11-30T08:00:51.721+00:00 [hodor] warning: overloaded (cpu): run queue …
_BEGAN = re.compile(r"(\S+) \[hodor\] \w+: overloaded \(([a-z-]+)\): (.*)")
_ENDED = re.compile(r"\S+ \[hodor\] \w+: overload ended ")


def find_java(version: int) -> Path:
    """The launcher of a Java version that the tests know."""
    java = _RUNTIMES / str(version) / "bin" / "java"
    if not java.is_file():
        raise machine.Absent(f"there is no Java {version} in {_RUNTIMES}")
    return java


def require_options(version: int, options: Sequence[str]) -> None:
    """Absent if that Java does not know one of them."""
    command = [find_java(version), *options, "-version"]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        raise machine.Absent(f"Java {version} does not take {' '.join(options)}")


def class_path(version: int) -> str:
    """Jetty and the server, for a Java version."""
    folder = _SITES / (_SITE_OF_JAVA_11 if version < 17 else _SITE)
    if not (folder / "site.jar").is_file():
        raise machine.Absent(f"jetty-site is not built: there is no {folder}/site.jar")
    return f"{folder}/site.jar:{folder}/lib/*"


@dataclass(frozen=True)
class Overload:
    """The beginning of an overload, as the agent's log says it."""

    epoch: float  # seconds since 1970
    cause: str
    sentence: str


class Workload(Application):
    """The server. Its log is what the agent says of it: the log is written by the agent's own
    thread, so it comes in time also where the JVM's threads are stuck."""

    def __init__(
        self,
        children: Children,
        version: int,
        *,
        jvm: Sequence[str],
        pool: tuple[str, int],
        agent: Path,
        agent_options: str,
        cpu: int,
        log: Path,
        prefix: Sequence[str] = (),
    ) -> None:
        """Starts it and returns when it listens. `pool`: which one, and its most threads."""
        self.port = 0
        self.jcmd = find_java(version).with_name("jcmd")
        kind, threads = pool
        command = [
            *prefix, str(find_java(version)), f"-agentpath:{agent}={agent_options}", *jvm,
            "-cp", class_path(version), _MAIN, kind, str(threads), str(_ROUNDS),
        ]
        super().__init__(
            children, command, cpu=cpu, log=log, is_ready=self._listens, stdin=subprocess.PIPE
        )

    def _listens(self, line: str) -> bool:
        words = line.split()
        if len(words) == 2 and words[0] == "LISTENING":
            self.port = int(words[1])
        return self.port != 0

    def answers(self, line: str) -> list[tuple[int, int]]:
        """Of each time that the line was typed: milliseconds that it took, and its figure."""
        done = [said.split() for said in self.lines() if said.startswith(f"DONE {line} ")]
        return [(int(words[-2]), int(words[-1])) for words in done]

    def ask(self, line: str, patience: float = 60.0) -> tuple[int, int]:
        """Types a line and waits for the answer."""
        before = len(self.answers(line))
        self.type(line)
        deadline = time.monotonic() + patience
        while len(answers := self.answers(line)) == before:
            if time.monotonic() > deadline or not self.running():
                raise machine.Unusable(f"no answer to {line}:\n{self.tail()}")
            time.sleep(0.02)
        return answers[-1]

    def overloads(self) -> list[Overload]:
        """Those that have begun so far."""
        return [
            Overload(datetime.fromisoformat(found[1]).timestamp(), found[2], found[3])
            for found in map(_BEGAN.match, self.lines())
            if found
        ]

    def is_overloaded(self) -> bool:
        """Whether the agent says so now."""
        overloaded = False
        for line in self.lines():
            if _BEGAN.match(line):
                overloaded = True
            elif _ENDED.match(line):
                overloaded = False
        return overloaded
