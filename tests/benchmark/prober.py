"""Asks a server whether it lives while it is under load, as an orchestrator does."""

from __future__ import annotations

import socket
import threading
import time
from dataclasses import dataclass

# Not one of those that send the load, and exempt by no default.
SOURCE = "127.0.0.9"
# More often than any orchestrator, to have more to count.
PERIOD = 1.0
PATIENCE = 1.0
REQUEST = b"GET /health HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True)
class Probes:
    """What became of them. Three failures in a row and the process would be killed."""

    sent: int
    failed: int
    failed_in_a_row: int


class Prober:
    """A new connection each second, in a thread of its own, from enter to exit."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._results: list[bool] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="prober", daemon=True)

    def __enter__(self) -> Prober:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def probes(self) -> Probes:
        """Until now."""
        results = list(self._results)
        worst = row = 0
        for good in results:
            row = 0 if good else row + 1
            worst = max(worst, row)
        return Probes(len(results), results.count(False), worst)

    def _run(self) -> None:
        begin = time.monotonic()
        number = 0
        while not self._over.wait(max(0.0, begin + number * PERIOD - time.monotonic())):
            self._results.append(self._ask())
            number += 1

    def _ask(self) -> bool:
        """Whether it answers in time with a status that says that it lives."""
        deadline = time.monotonic() + PATIENCE
        try:
            with socket.create_connection(
                ("127.0.0.1", self._port), PATIENCE, (SOURCE, 0)
            ) as connection:
                # What is there already is read even if this thread is late itself.
                connection.settimeout(max(0.05, deadline - time.monotonic()))
                connection.sendall(REQUEST)
                status = connection.recv(64).split(b" ")
        except OSError:
            return False
        return len(status) > 1 and status[1].startswith(b"2")
