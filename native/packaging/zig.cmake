# Toolchain of what is shipped: one clang for every machine, with the stubs of an old glibc, so that
# the library runs on distributions that are older than the one that builds it. `./dev package`
# fetches it. HODOR_MACHINE is x86_64 or aarch64.
set(HODOR_GLIBC 2.31) # Debian 11, Ubuntu 20.04

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HODOR_MACHINE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${HODOR_MACHINE})

set(ZIG ${CMAKE_CURRENT_LIST_DIR}/../../.cache/zig/ziglang/zig)
set(ZIG_TARGET -target ${HODOR_MACHINE}-linux-gnu.${HODOR_GLIBC})
set(CMAKE_C_COMPILER ${ZIG} cc ${ZIG_TARGET})
set(CMAKE_CXX_COMPILER ${ZIG} c++ ${ZIG_TARGET})
set(CMAKE_ASM_COMPILER ${ZIG} cc ${ZIG_TARGET})
# The archiver is a subcommand, too, which CMAKE_AR cannot say.
foreach(language C CXX)
  set(CMAKE_${language}_ARCHIVE_CREATE "\"${ZIG}\" ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "\"${ZIG}\" ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "\"${ZIG}\" ranlib <TARGET>")
endforeach()

# The same bytes wherever the sources lie.
get_filename_component(HODOR_ROOT ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
set(CMAKE_CXX_FLAGS_INIT "-g0 -ffile-prefix-map=${HODOR_ROOT}=.")
set(CMAKE_ASM_FLAGS_INIT "-g0 -ffile-prefix-map=${HODOR_ROOT}=.")
# Without symbols: those of the C++ library would be the larger part of the file.
set(CMAKE_SHARED_LINKER_FLAGS_INIT -s)
