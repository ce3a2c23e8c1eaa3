# The one place where compiler flags and sanitizers are decided.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

set(HODOR_SANITIZE "" CACHE STRING "Sanitizers for every target, for example address,undefined")
if(HODOR_SANITIZE)
  add_compile_options(-fsanitize=${HODOR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HODOR_SANITIZE})
endif()

# hodor_options(target): warnings are errors in everything of ours.
function(hodor_options target)
  target_compile_options(
    ${target}
    PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            -Wnon-virtual-dtor
            -Wold-style-cast
            -Wformat=2
            -Werror>
            # False alarms of gcc 12 in std::string's operator+ (GCC bug 105651).
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
endfunction()

# hodor_library(name SOURCES ... [LINKS ...]): a static library that is included by paths from the
# repository's root ("detectors/…") or from native/ ("options/…").
function(hodor_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/native)
  target_link_libraries(${name} PUBLIC ${ARG_LINKS})
  hodor_options(${name})
endfunction()

# Half of the time that a test takes to compile. The first test compiles them for all.
function(hodor_precompile_test_headers name)
  get_property(precompiled GLOBAL PROPERTY HODOR_PRECOMPILED_TEST)
  if(precompiled)
    target_precompile_headers(${name} REUSE_FROM ${precompiled})
  else()
    target_precompile_headers(${name} PRIVATE <gmock/gmock.h> <gtest/gtest.h> <random>)
    set_property(GLOBAL PROPERTY HODOR_PRECOMPILED_TEST ${name})
  endif()
endfunction()

# hodor_test(name LABEL unit|concurrency|… SOURCES ... LINKS ...): one GoogleTest binary, one ctest entry.
function(hodor_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;LINKS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} GTest::gmock GTest::gtest_main)
  hodor_options(${name})
  # What is tested is optimised as asked for; the tests themselves compile in half of the time. At -O3
  # gcc 12 gives false alarms in code of precompiled headers.
  target_compile_options(${name} PRIVATE -O1)
  hodor_precompile_test_headers(${name})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 120)
endfunction()
