"""A package has what a user needs, and its checksums are right."""

import re
import subprocess

from conftest import DIST, ROOT, archive_of


def files_of(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_has_the_library_the_jars_the_licence_and_the_docs(package):
    files = files_of(package)
    assert {"libhodor.so", "LICENSE", "NOTICE", "README.md", "SHA256SUMS"} <= files
    jars = [file.split("/")[1] for file in files if file.startswith("lib/")]
    modules = ["hodor-core", "hodor-jetty-12", "hodor-servlet-jakarta", "hodor-servlet-javax"]
    assert [re.sub(r"-\d+\.\d.*", "", jar) for jar in sorted(jars)] == sorted(modules)
    assert files_of(ROOT / "docs") == files_of(package / "docs")


def test_checksums_name_every_file_and_are_right(package):
    listed = {
        line.split("  ./", 1)[1] for line in (package / "SHA256SUMS").read_text().splitlines()
    }
    assert listed == files_of(package) - {"SHA256SUMS"}
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=package, check=True)


def test_checksum_of_the_archive_is_right(machine):
    checksum = archive_of(machine).name + ".sha256"
    subprocess.run(["sha256sum", "--check", "--quiet", checksum], cwd=DIST, check=True)


def test_says_nothing_of_the_machine_that_built_it(package):
    here = str(ROOT).encode()
    for path in package.rglob("*"):
        if path.is_file():
            assert here not in path.read_bytes(), path
