"""Fetches Server.class of Jetty releases from Maven Central, for the unit tests of the patch.

usage: fetch_servers.py FOLDER VERSION…    leaves FOLDER/<version>.class
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

CLASS = "org/eclipse/jetty/server/Server.class"

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>io.hodor</groupId>
  <artifactId>hodor-jetty-servers</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId>
    <artifactId>maven-dependency-plugin</artifactId>
    <version>3.8.1</version>
    <configuration><artifactItems>{items}</artifactItems></configuration>
  </plugin></plugins></build>
</project>
"""

ITEM = """<artifactItem>
  <groupId>org.eclipse.jetty</groupId>
  <artifactId>jetty-server</artifactId>
  <version>{version}</version>
</artifactItem>"""


def main() -> int:
    """0: all are there; 1: Maven failed, and said why."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    missing = [version for version in sys.argv[2:] if not (folder / f"{version}.class").exists()]
    if not missing:
        return 0
    with tempfile.TemporaryDirectory() as work:
        pom = Path(work) / "pom.xml"
        pom.write_text(POM.format(items="".join(ITEM.format(version=v) for v in missing)))
        command = ["mvn", "-q", "-B", "-ntp", "-f", str(pom), "dependency:copy",
                   f"-DoutputDirectory={work}/jars"]
        if subprocess.run(command, check=False, timeout=600).returncode != 0:
            return 1
        for version in missing:
            with zipfile.ZipFile(Path(work) / "jars" / f"jetty-server-{version}.jar") as jar:
                (folder / f"{version}.class").write_bytes(jar.read(CLASS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
