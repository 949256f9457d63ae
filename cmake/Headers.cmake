# Headers that nearly every file reads, compiled once for all rooms and once for all tests (clang; other compilers read
# them as usual). A file still includes what it uses: nothing depends on this.
function(davit_precompiled target)
  cmake_parse_arguments(PCH "" "" "LIBRARIES;OPTIONS;HEADERS" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/headers/${target}.cpp CONTENT "")
  add_library(${target} OBJECT ${CMAKE_BINARY_DIR}/headers/${target}.cpp)
  target_link_libraries(${target} PRIVATE davit_flags ${PCH_LIBRARIES})
  target_compile_options(${target} PRIVATE ${PCH_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${PCH_HEADERS})
endfunction()

set(DAVIT_PRECOMPILED OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(DAVIT_PRECOMPILED ON)
  # Without times of files in it, ccache can tell whether it is the same.
  target_compile_options(davit_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
  set(common <Eigen/Dense> <fmt/format.h> <algorithm> <array> <cmath> <complex> <filesystem> <functional> <limits> <map>
      <memory> <numbers> <optional> <set> <span> <stdexcept> <string> <vector>)
  davit_precompiled(davit_headers LIBRARIES Eigen3::Eigen fmt::fmt HEADERS ${common})
  if(DAVIT_TESTS)
    davit_precompiled(davit_test_headers LIBRARIES Eigen3::Eigen fmt::fmt GTest::gtest OPTIONS ${DAVIT_TEST_OPTIONS}
                      HEADERS ${common} <gtest/gtest.h>)
  endif()
endif()

# davit_use_headers(TARGET davit_headers | davit_test_headers)
function(davit_use_headers target headers)
  if(DAVIT_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endif()
endfunction()
