# Headers that nearly every file reads, compiled once (clang; other compilers read them as usual): davit_headers for all
# modules, davit_model_headers for those that have to do with the Model, davit_scenario_headers for those above scenarios, one
# for tests and one for fuzzing. Templates that the headers use are instantiated there too. A file still includes what it
# uses: nothing depends on this.
function(davit_precompiled target)
  cmake_parse_arguments(PCH "" "" "LIBRARIES;OPTIONS;HEADERS" ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers/${target}.cpp CONTENT "")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/headers/${target}.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE davit_flags Eigen3::Eigen fmt::fmt ${PCH_LIBRARIES})
  target_compile_options(${target} PRIVATE ${PCH_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${PCH_HEADERS})
endfunction()

set(DAVIT_PRECOMPILED OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(DAVIT_PRECOMPILED ON)
  # Without times of files in it, ccache can tell whether it is the same.
  target_compile_options(davit_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp" -fpch-instantiate-templates)
  set(common <Eigen/Dense> <fmt/format.h> <algorithm> <array> <cmath> <complex> <filesystem> <functional> <limits> <map>
      <memory> <numbers> <optional> <set> <span> <stdexcept> <string> <vector> <davit/math/pose.hpp>)
  set(model ${common} <davit/assembly/registry.hpp>)
  davit_precompiled(davit_headers HEADERS ${common})
  davit_precompiled(davit_model_headers HEADERS ${model})
  davit_precompiled(davit_scenario_headers HEADERS ${model} <davit/scenario/scenario.hpp>)
  if(DAVIT_TESTS)
    davit_precompiled(davit_test_headers LIBRARIES GTest::gtest OPTIONS ${DAVIT_TEST_OPTIONS} HEADERS ${model} <gtest/gtest.h>)
  endif()
  if(DAVIT_FUZZ)
    davit_precompiled(davit_fuzz_headers OPTIONS ${DAVIT_FUZZ_OPTIONS} HEADERS ${model})
  endif()
endif()

# davit_use_headers(TARGET HEADERS): one of the above.
function(davit_use_headers target headers)
  # Precompiled headers are position-independent as libraries are; programs that use them must be compiled alike.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  if(DAVIT_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endif()
endfunction()
