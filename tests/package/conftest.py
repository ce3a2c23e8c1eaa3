"""What the tests of the packages share: the packages that `./dev package` left, each unpacked."""

import os
import pathlib
import shutil
import subprocess
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DIST = ROOT / "build/dist"
MACHINES = ("x86_64", "aarch64")


def archive_of(machine, dist=DIST):
    found = list(dist.glob(f"hodor-*-linux-{machine}.tar.gz"))
    assert len(found) == 1, f"one package for {machine} in {dist}, found: {found}"
    return found[0]


def output_of(*command, **options):
    """Standard output and error of a command that must end with 0."""
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def maven(*arguments, **options):
    return output_of("mvn", "-q", "-B", "-ntp", *arguments, **options)


def java_tool(name):
    """A program of the JDK that builds."""
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/{name}" if home else shutil.which(name)


@pytest.fixture(scope="session", params=MACHINES)
def machine(request):
    return request.param


@pytest.fixture(scope="session")
def package(machine, tmp_path_factory):
    """The folder that the package of a machine unpacks to."""
    archive = archive_of(machine)
    folder = tmp_path_factory.mktemp(machine)
    with tarfile.open(archive) as packed:
        packed.extractall(folder)
    (unpacked,) = folder.iterdir()
    assert unpacked.name == archive.name.removesuffix(".tar.gz")
    return unpacked


@pytest.fixture(scope="session")
def library(package):
    return package / "libhodor.so"
