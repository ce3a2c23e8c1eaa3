"""Reads and sets the agent's MBeans from outside, by WatchHodor.java in a JVM of its own."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

import machine
from children import Children

Line = dict[str, Any]

_SOURCE = Path(__file__).with_name("WatchHodor.java")
_STARTED = "io.hodor.overload.started"


class Watch:
    """Follows one JVM that has the agent. Only such a JVM may be watched: attaching starts the
    management agent in it, which would disturb a run without Hodor."""

    def __init__(
        self, children: Children, java: Path, pid: int, *, cpu: int, log: Path, every_ms: int = 500
    ) -> None:
        """Starts watching and returns when the first sample is there."""
        self._children = children
        self._lines: list[Line] = []
        self._lock = threading.Lock()
        self._first = threading.Event()
        self._log = log
        flags = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"]
        self._process = children.start(
            [java, *flags, _SOURCE, str(pid), str(every_ms)], cpu=cpu, stdin=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._reader = threading.Thread(target=self._read, name="watch", daemon=True)
        self._reader.start()
        if not self._first.wait(30.0) or self.latest() is None:
            self.stop()
            raise machine.Unusable(f"the MBeans of the agent cannot be read; see {log}")

    def latest(self) -> Line | None:
        """The last sample of the MBeans."""
        with self._lock:
            for line in reversed(self._lines):
                if line["type"] == "sample":
                    return line
        return None

    def set(self, attribute: str, value: str) -> None:
        """Sets an attribute of the bean io.hodor:type=Hodor. Does not wait for it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{attribute}={value}\n")
        self._process.stdin.flush()

    def stop(self) -> list[Line]:
        """Ends the watching; returns all lines."""
        self._children.stop(self._process)
        self._reader.join(5.0)
        return list(self._lines)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._log.open("w") as log:
            for text in self._process.stdout:
                log.write(text)
                log.flush()
                try:
                    line = json.loads(text)
                except ValueError:
                    continue  # a warning of the JVM; it is in the log
                with self._lock:
                    self._lines.append(line)
                if line["type"] == "sample":
                    self._first.set()
        self._first.set()


def overload_starts(lines: list[Line]) -> list[int]:
    """When overloads began as the agent says it, in milliseconds since 1970, sorted.

    The attribute Since and the notification tell of the same beginning; the notification comes a
    little later, and a short overload may fall between two samples.
    """
    starts = {int(line["since_ms"]) for line in lines if line.get("since_ms")}
    for line in lines:
        if line["type"] == "notification" and line["event"] == _STARTED:
            told = int(line["epoch_ms"])
            if not any(told - 2000 <= start <= told for start in starts):
                starts.add(told)
    return sorted(starts)
