"""The applications in `examples/`, as `applications.properties` there describes them."""

from __future__ import annotations

import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

import machine

FOLDER = machine.ROOT / "examples"


@dataclass(frozen=True)
class Example:
    """One of them; `{…}` in the templates is filled in by `java`."""

    name: str
    pom: str
    template: str
    # Options of the agent that belong to it.
    options: str
    # Part of the line that says that it listens.
    ready: str
    # A path that costs CPU.
    work: str

    def build(self) -> None:
        """By its own Maven build."""
        subprocess.run(
            ["mvn", "-q", "-B", "-ntp", "-f", str(FOLDER / self.pom), "-DskipTests", "package"],
            check=True,
        )

    def java(self, port: int, admin: int, data: Path) -> list[str]:
        """What stands behind `java` and the agent."""
        return [
            word.format(examples=FOLDER, port=port, admin=admin, data=data)
            for word in self.template.split(" ")
        ]


def read() -> list[Example]:
    """All of them, in the file's order."""
    values: dict[str, dict[str, str]] = {}
    for line in (FOLDER / "applications.properties").read_text().splitlines():
        if line and not line.startswith("#"):
            key, value = line.split("=", 1)
            application, field = key.split(".")
            values.setdefault(application, {})[field] = value
    return [
        Example(
            fields["name"],
            fields["pom"],
            fields["java"],
            fields.get("options", "").format(examples=FOLDER),
            fields["ready"],
            fields["work"],
        )
        for fields in values.values()
    ]


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
