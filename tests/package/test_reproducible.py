"""Who builds the packages again, in another folder and from nothing, gets the same bytes."""

import subprocess

from conftest import MACHINES, ROOT, archive_of, output_of


def copy_of_sources(folder):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    archive = subprocess.run(
        ["tar", "--create", "--null", "--files-from=-"],
        cwd=ROOT,
        input=listed.stdout,
        check=True,
        capture_output=True,
    )
    subprocess.run(["tar", "--extract"], cwd=folder, input=archive.stdout, check=True)
    # The compiler is fetched by hash; its cache of compiled objects is not shared.
    (folder / ".cache").mkdir()
    (folder / ".cache/zig").symlink_to(ROOT / ".cache/zig")


def test_same_bytes_in_another_folder(tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    copy_of_sources(folder)
    output_of("./dev", "package", cwd=folder)
    for machine in MACHINES:
        again = archive_of(machine, folder / "build/dist")
        assert again.read_bytes() == archive_of(machine).read_bytes(), f"{machine} differs"
