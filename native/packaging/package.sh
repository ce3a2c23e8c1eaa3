# shellcheck shell=bash
# Packs what is shipped. Sourced by ./dev, whose functions it uses.

readonly machines=(x86_64 aarch64)
readonly zig=.cache/zig
readonly filterModules=(core jetty-attach/jetty-12 servlet-jakarta servlet-javax)

# One time for everything in a package, so that its bytes depend on the sources alone.
packageTime() {
  sed -n 's|.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*|\1|p' \
    java-shim/pom.xml
}

packageVersion() { sed -n 's/^project(hodor VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt; }

# stagePackage MACHINE FOLDER
stagePackage() {
  local module
  rm -rf "$2"
  mkdir -p "$2/lib"
  cp "build/package-$1/dist/libhodor.so" README.md LICENSE NOTICE "$2/"
  cp -r docs "$2/docs"
  for module in "${filterModules[@]}"; do
    find "java-shim/$module/target" -maxdepth 1 -name 'hodor-*.jar' ! -name '*-tests.jar' \
      -exec cp -t "$2/lib" {} +
  done
  # Written elsewhere first, or it would list itself.
  (cd "$2" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) >"$2.sha256"
  mv "$2.sha256" "$2/SHA256SUMS"
}

# packMachine MACHINE: one tar.gz and its checksum in build/dist.
packMachine() {
  local name
  name=hodor-$(packageVersion)-linux-$1
  say "$name"
  configureAndBuild "package-$1" hodor
  stagePackage "$1" "build/package/$name"
  tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="$(packageTime)" -C build/package -cf - "$name" | gzip -9n >"$dist/$name.tar.gz"
  (cd "$dist" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
  say "$dist/$name.tar.gz ($(stat -c %s "$dist/$name.tar.gz") bytes)"
}

buildPackages() {
  local machine
  need "${buildPackages[@]}" python3-pip
  needJdk
  fetchPython "$zig" native/packaging/zig-requirements.txt
  # Jars of an earlier version would be packed, too.
  find java-shim -path '*/target/hodor-*.jar' -delete
  buildJava "${filterModules[@]}"
  mkdir -p "$dist"
  for machine in "${machines[@]}"; do packMachine "$machine"; done
}

cmdPackage() {
  noArguments package "$@"
  buildPackages
}
