"""Starts processes and makes sure that they end: by pid, on every way out."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


class Children:
    """The processes of one run. Leaving the block ends those that are left, the newest first.

    Each is in a session of its own, so that a Ctrl-C of the terminal reaches only this program,
    which then ends them in order. The kernel kills them should this program be killed.
    """

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Children:
        for name in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, _interrupt)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A second Ctrl-C must not leave processes behind.
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, signal.SIG_IGN)
        for child in reversed(list(self._running)):
            self.stop(child, patience=1.0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    def start(
        self,
        command: Sequence[str | Path],
        *,
        cpu: int,
        policy: Sequence[str] = (),
        stdin: int | None = subprocess.DEVNULL,
        stdout: int | IO[str] = subprocess.PIPE,
        stderr: int | IO[str] | None = None,
        environment: dict[str, str] | None = None,
    ) -> subprocess.Popen[str]:
        """Starts `command` on one CPU; `policy` is a prefix such as ("chrt", "-f", "1").

        The prefixes replace themselves by the command, so the pid is the command's.
        """
        prefix = ["setpriv", "--pdeathsig", "KILL", "taskset", "-c", str(cpu), *policy]
        child = subprocess.Popen(
            [*prefix, *map(str, command)],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            text=True,
            env=environment,
            start_new_session=True,
        )
        self._running.append(child)
        return child

    def stop(self, child: subprocess.Popen[str], patience: float = 5.0) -> int:
        """Ends one child: politely, after `patience` seconds by force. Returns its exit code."""
        if child.poll() is None:
            child.terminate()
            try:
                child.wait(patience)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        if child in self._running:
            self._running.remove(child)
        return child.returncode

    def wait(self, child: subprocess.Popen[str]) -> int:
        """Waits for a child that ends by itself. Returns its exit code."""
        code = child.wait()
        self._running.remove(child)
        return code
