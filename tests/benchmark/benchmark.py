"""What the benchmarks share that put servers on one CPU and everything else on another."""

from __future__ import annotations

from rich.console import Console

import machine
from children import Children
from load import Generator, find_generator


class Benchmark:
    """One measurement. Everything it starts belongs to `children`; logs are in build/report."""

    def __init__(self, name: str, java: str | None, console: Console, children: Children) -> None:
        self._java = machine.find_java(java)
        self._console = console
        self._children = children
        self._cpu, self._other = machine.two_cpus()
        self._generator = Generator(children, find_generator(None), self._other)
        self._logs = machine.ROOT / "build" / "report" / name
        self._logs.mkdir(parents=True, exist_ok=True)
