# Fuzz targets (libFuzzer with the address and undefined-behaviour sanitizers). Only what reads a user's bytes is
# compiled again with sanitizers; what computes comes from the libraries of the same build. The instrumented objects are
# linked as such, so they come before the same sources in the libraries.
set(DAVIT_FUZZ OFF)
if(DAVIT_TESTS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(DAVIT_FUZZ ON)
endif()
# Left out is what the address sanitizer sees as well, because it costs a third of the time to compile; tools/check-all has all of it.
set(DAVIT_FUZZ_OPTIONS -O1 -gline-tables-only -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
    -fno-sanitize=null,alignment,object-size,vptr,function -fsanitize-address-outline-instrumentation)

# davit_fuzz_targets(MODULE "sources to instrument" "the module and all below it")
function(davit_fuzz_targets name fuzzed below)
  if(NOT DAVIT_FUZZ)
    return()
  endif()
  if(fuzzed)
    add_library(davit_${name}_instrumented OBJECT EXCLUDE_FROM_ALL ${fuzzed})
    target_link_libraries(davit_${name}_instrumented PRIVATE davit_${name} davit_flags)
    target_compile_options(davit_${name}_instrumented PRIVATE ${DAVIT_FUZZ_OPTIONS})
    davit_use_headers(davit_${name}_instrumented davit_fuzz_headers)
    davit_compile_together(davit_${name}_instrumented)
  endif()

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_${name}.cpp)
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL fuzz/fuzz_${name}.cpp)
    foreach(module ${below})
      if(TARGET davit_${module}_instrumented)
        target_link_libraries(fuzz_${name} PRIVATE davit_${module}_instrumented)
      endif()
    endforeach()
    target_link_libraries(fuzz_${name} PRIVATE davit_${name} davit_flags)
    target_compile_options(fuzz_${name} PRIVATE ${DAVIT_FUZZ_OPTIONS})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  endif()
endfunction()
