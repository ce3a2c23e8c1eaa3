"""A JVM starts with the packed library, attaches it to Jetty, answers and ends with 0."""

import os
import platform
import shutil

import pytest

from conftest import ROOT, java_tool, output_of

JETTY = "12.1.14"


@pytest.fixture(scope="module")
def class_path(tmp_path_factory):
    jars = ROOT / ".cache/jetty" / JETTY
    assert jars.is_dir(), "fetched by ./dev test"
    classes = tmp_path_factory.mktemp("classes")
    source = ROOT / "tests/package/AnswersOnce.java"
    output_of(java_tool("javac"), "-d", classes, "-cp", f"{jars}/*", source)
    return f"{classes}:{jars}/*"


def java_for(machine):
    """The words that start a JVM of a machine."""
    if machine == platform.machine():
        return [java_tool("java")]
    emulator = os.environ.get("HODOR_EMULATOR", "").split()
    java = os.environ.get("HODOR_EMULATED_JAVA", "")
    if machine != "aarch64" or not emulator or not shutil.which(emulator[0]):
        pytest.skip(f"no emulator for {machine}: the package was not started")
    if not os.path.exists(java):
        pytest.skip(f"no JVM for {machine} could be fetched: the package was not started")
    return [*emulator, java]


def test_attaches_to_jetty(machine, library, class_path, tmp_path):
    alone = shutil.copy(library, tmp_path)
    output = output_of(
        *java_for(machine),
        "-XX:TieredStopAtLevel=1",  # compiling costs most of the time under emulation
        f"-agentpath:{alone}=mode=enforce",
        "-cp",
        class_path,
        "AnswersOnce",
    )
    assert f"[hodor] info: watching Jetty {JETTY}" in output
    assert "status 200" in output
    assert "[hodor] warn" not in output and "[hodor] error" not in output
