"""What this machine is, what it allows, and how much CPU time went where."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Ticks of /proc/stat and /proc/PID/stat in a second.
TICKS = os.sysconf("SC_CLK_TCK")


class Unusable(Exception):
    """Something the run needs is missing; the message says what and how to get it."""


class Absent(Unusable):
    """The same, but only a part of the run needs it, which is skipped then."""


def two_cpus() -> tuple[int, int]:
    """The CPU of the server and the CPU of everything else."""
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise Unusable("two CPUs are needed: one for the server, one for the load generator")
    return cpus[0], cpus[1]


def may_run_realtime() -> bool:
    """Whether `chrt -f 1` is permitted here."""
    probe = subprocess.run(["chrt", "-f", "1", "true"], capture_output=True, check=False)
    return probe.returncode == 0


def find_java(given: str | None) -> Path:
    """The java launcher: from --java (a launcher or a JDK), JAVA_HOME or PATH, in this order."""
    for home in filter(None, (given, os.environ.get("JAVA_HOME"))):
        path = Path(home)
        launcher = path / "bin" / "java" if path.is_dir() else path
        if os.access(launcher, os.X_OK) and launcher.is_file():
            return launcher.resolve()
        raise Unusable(f"{home} is neither a java launcher nor the directory of a JDK")
    found = shutil.which("java")
    if found is None:
        raise Unusable("no java found; install a JDK (17 or later) or pass --java PATH")
    return Path(found).resolve()


def java_version(java: Path) -> str:
    """The JVM's name and version in one line."""
    text = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    lines = text.strip().splitlines()
    return lines[1] if len(lines) > 1 else text.strip()


def java_release(java: Path) -> int:
    """The JVM's feature release, such as 17."""
    shown = subprocess.run(
        [java, "-XshowSettings:properties", "-version"], capture_output=True, text=True, check=False
    ).stderr
    for line in shown.splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "java.specification.version":
            return int(value.strip().removeprefix("1."))
    raise Unusable(f"{java} does not say which version it is")


def describe() -> str:
    """CPU model, number of CPUs and kernel in one line."""
    model = "unknown CPU"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {os.cpu_count()} CPUs, Linux {os.uname().release}"


def set_autogroup_nice(pid: int, nice: int) -> bool:
    """Sets the weight of a session's scheduling group; False where that is not possible.

    With autogroup scheduling the nice value of a single process counts within its session only.
    """
    try:
        if Path("/proc/sys/kernel/sched_autogroup_enabled").read_text().strip() != "1":
            return False
        Path(f"/proc/{pid}/autogroup").write_text(str(nice))
    except OSError:
        return False
    return True


@dataclass(frozen=True)
class CpuTimes:
    """CPU time in ticks since boot."""

    busy: int  # of the server's CPU, by anybody
    steal: int  # of all CPUs
    all: int  # of all CPUs, idle time included
    server: int  # of the server's process

    @staticmethod
    def now(cpu: int, pid: int) -> CpuTimes:
        """Reads the counters for the server's CPU and process."""
        busy = steal = everything = 0
        for line in Path("/proc/stat").read_text().splitlines():
            name, *rest = line.split()
            if not name.startswith("cpu"):
                break
            user, nice, system, idle, iowait, irq, softirq, stolen = map(int, rest[:8])
            used = user + nice + system + irq + softirq
            if name == "cpu":
                steal = stolen
                everything = used + idle + iowait + stolen
            elif name == f"cpu{cpu}":
                busy = used
        return CpuTimes(busy, steal, everything, process_ticks(pid))


def process_ticks(pid: int) -> int:
    """CPU time of a process in ticks, user and system; 0 if it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    fields = text.rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


@dataclass(frozen=True)
class Holdings:
    """What a process holds."""

    resident_mib: float
    threads: int
    descriptors: int

    @staticmethod
    def of(pid: int) -> Holdings:
        """Now; zeros if it is gone."""
        process = Path(f"/proc/{pid}")
        try:
            pages = int((process / "statm").read_text().split()[1])
            threads = len(os.listdir(process / "task"))
            descriptors = len(os.listdir(process / "fd"))
        except OSError:
            return Holdings(0.0, 0, 0)
        return Holdings(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, threads, descriptors)


@dataclass(frozen=True)
class CpuUse:
    """Shares of time between two readings, 0 to 1."""

    steal: float  # of all CPUs
    outside: float  # of the server's CPU, used by others than the server

    @staticmethod
    def between(first: CpuTimes, last: CpuTimes, seconds: float) -> CpuUse:
        """The use from `first` to `last`, which are `seconds` apart."""
        outside = (last.busy - first.busy) - (last.server - first.server)
        return CpuUse(
            steal=(last.steal - first.steal) / max(1, last.all - first.all),
            outside=max(0, outside) / (TICKS * seconds),
        )
