"""The packed library needs nothing but an old C library, and shows only its entry points."""

import re

import pytest

from conftest import ROOT, output_of

LOADERS = {"x86_64": "ld-linux-x86-64.so.2", "aarch64": "ld-linux-aarch64.so.1"}
ELF_NAMES = {"x86_64": "X86-64", "aarch64": "AArch64"}
# Parts of glibc; up to 2.33 threads and dlsym are in files of their own.
GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"}


def oldest_glibc():
    toolchain = (ROOT / "native/packaging/zig.cmake").read_text()
    return tuple(map(int, re.search(r"set\(HODOR_GLIBC (\d+)\.(\d+)\)", toolchain).groups()))


@pytest.fixture(scope="module")
def dynamic(library):
    return output_of("readelf", "--dynamic", "--wide", library)


def test_is_for_its_machine(machine, library):
    assert re.search(r"Machine:.*" + ELF_NAMES[machine], output_of("readelf", "-h", library))


def test_runs_on_an_old_glibc(library):
    assert oldest_glibc() == (2, 31)
    versions = re.findall(
        r"Name: ([A-Z]+)_([\d.]+)", output_of("readelf", "--version-info", "--wide", library)
    )
    assert versions
    assert {name for name, _ in versions} == {"GLIBC"}
    newest = max(tuple(map(int, version.split("."))) for _, version in versions)
    assert newest <= oldest_glibc()


def test_needs_only_the_c_library(machine, dynamic):
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    assert needed
    assert needed <= GLIBC | {LOADERS[machine]}
    assert "RPATH" not in dynamic and "RUNPATH" not in dynamic


def test_is_never_unloaded(dynamic):
    assert re.search(r"FLAGS_1.*NODELETE", dynamic)


def test_shows_only_its_entry_points(library):
    table = output_of("readelf", "--dyn-syms", "--wide", library).splitlines()
    rows = [line.split() for line in table if re.match(r"\s*\d+:", line)]
    defined = {row[7] for row in rows if len(row) > 7 and row[6] != "UND"}
    assert "Agent_OnLoad" in defined
    entry = re.compile(r"Agent_On|Java_io_hodor_|Java_org_eclipse_jetty_server_Server_hodor_")
    assert [symbol for symbol in defined if not entry.match(symbol)] == []


def test_has_no_executable_stack(library):
    headers = output_of("readelf", "--program-headers", "--wide", library)
    (stack,) = [line for line in headers.splitlines() if "GNU_STACK" in line]
    assert stack.split()[6] == "RW"
