"""The Maven artifacts can be installed, and who uses one names the filter and nothing else of ours."""

import pathlib
import platform
import re
import shutil

import pytest

from conftest import ROOT, archive_of, java_tool, maven, output_of

# The oldest API of each namespace that the filters are for.
SERVLET_VERSIONS = {"jakarta": "5.0.0", "javax": "3.1.0"}

# What this machine has fetched already is not fetched again.
SETTINGS = """<settings>
  <profiles>
    <profile>
      <id>fetched</id>
      <repositories>{repository}</repositories>
      <pluginRepositories>{plugin_repository}</pluginRepositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>fetched</activeProfile></activeProfiles>
</settings>
"""


def settings():
    entry = (
        f"<id>fetched</id><url>{(pathlib.Path.home() / '.m2/repository').as_uri()}</url>"
        "<snapshots><enabled>false</enabled></snapshots>"
    )
    return SETTINGS.format(
        repository=f"<repository>{entry}</repository>",
        plugin_repository=f"<pluginRepository>{entry}</pluginRepository>",
    )


@pytest.fixture(scope="module")
def fresh_maven(tmp_path_factory):
    """Maven with a local repository that knows nothing of ours."""
    folder = tmp_path_factory.mktemp("maven")
    (folder / "settings.xml").write_text(settings())
    return ["-gs", str(folder / "settings.xml"), f"-Dmaven.repo.local={folder / 'repository'}"]


@pytest.fixture(scope="module")
def installed(fresh_maven):
    """The version that was installed, by the command of docs/packaging.md."""
    (command,) = re.findall(
        r"^mvn (-f java-shim/pom.xml .*install.*)$",
        (ROOT / "docs/packaging.md").read_text(),
        re.MULTILINE,
    )
    maven(*fresh_maven, *command.split(), cwd=ROOT)
    return re.search(r"<version>(.*)</version>", (ROOT / "java-shim/pom.xml").read_text()).group(1)


@pytest.mark.parametrize("namespace", SERVLET_VERSIONS)
def test_a_consumer_needs_only_the_filter(namespace, installed, fresh_maven, tmp_path):
    project = shutil.copytree(ROOT / "tests/package/consumer", tmp_path / "consumer")
    maven(
        *fresh_maven,
        f"-Dnamespace={namespace}",
        f"-Dservlet.version={SERVLET_VERSIONS[namespace]}",
        f"-Dhodor.version={installed}",
        "compile",
        "dependency:build-classpath",
        f"-Dmdep.outputFile={tmp_path / 'classpath'}",
        cwd=project,
    )
    class_path = f"{project / 'target/classes'}:{(tmp_path / 'classpath').read_text()}"
    program = ["-cp", class_path, "consumer.UsesFilter"]
    without_agent = output_of(java_tool("java"), *program).splitlines()
    assert {"filter OverloadFilter", "admitted true", "agent false"} <= set(without_agent)

    shutil.unpack_archive(archive_of(platform.machine()), tmp_path)
    (library,) = tmp_path.glob("*/libhodor.so")
    with_agent = output_of(java_tool("java"), f"-agentpath:{library}", *program).splitlines()
    assert {"filter OverloadFilter", "admitted true", "agent true"} <= set(with_agent)
