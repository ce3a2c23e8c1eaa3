"""A control group of its own for a process, with a quota of CPU time, of version 1 or 2."""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import TracebackType

import machine

_PERIOD_US = 100_000


def _controller() -> tuple[Path, bool]:
    """Where groups with a quota can be made, and whether they are of version 2."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, kind, options = line.split()[:4]
        if kind == "cgroup" and "cpu" in options.split(","):
            return Path(mount), False
        if kind == "cgroup2":
            enabled = (Path(mount) / "cgroup.subtree_control").read_text().split()
            if "cpu" in enabled:
                return Path(mount), True
    raise machine.Absent("no mounted cgroup hierarchy offers the controller cpu")


class QuotaGroup:
    """A group without a quota at first. Leaving the block removes it; it must be empty then."""

    def __init__(self) -> None:
        """Makes it, or says why that is not possible here."""
        mount, self._version_2 = _controller()
        self._folder = mount / f"hodor-test-{os.getpid()}"
        try:
            self._folder.mkdir()
        except OSError as error:
            raise machine.Absent(f"no control group can be made here: {error}") from error
        # As much weight as there is: only the quota shall hold it back.
        if self._version_2:
            (self._folder / "cpu.weight").write_text("10000")
        else:
            (self._folder / "cpu.shares").write_text("262144")

    def __enter__(self) -> QuotaGroup:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A process that has just been killed may be counted for a moment longer.
        for _ in range(50):
            try:
                self._folder.rmdir()
                return
            except OSError:
                time.sleep(0.1)
        self._folder.rmdir()

    @property
    def prefix(self) -> tuple[str, ...]:
        """What makes a command run in the group, in front of it."""
        return ("sh", "-c", 'echo $$ >"$0" && exec "$@"', str(self._folder / "cgroup.procs"))

    def limit(self, cpus: float) -> None:
        """So many CPUs' time in every period, from now on."""
        quota = round(cpus * _PERIOD_US)
        if self._version_2:
            (self._folder / "cpu.max").write_text(f"{quota} {_PERIOD_US}")
        else:
            (self._folder / "cpu.cfs_period_us").write_text(str(_PERIOD_US))
            (self._folder / "cpu.cfs_quota_us").write_text(str(quota))
