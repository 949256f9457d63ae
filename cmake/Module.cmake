# davit_module(NAME [APART] [USES module ...] [LIBRARIES target ...] [READS pattern ...] [FUZZES pattern ...])
# A module is a folder of src/davit: its *.cpp make the library davit_NAME, its test/*.cpp the program test_NAME,
# its fuzz/fuzz_NAME.cpp the fuzz target fuzz_NAME.
# APART keeps it out of the library that users install.
# USES may name only modules that were added before, so the build refuses a dependency that goes the wrong way.
# READS are the sources that read, write or describe and do not compute: they are compiled without the costly
# optimisations. FUZZES are the sources that fuzz targets have with sanitizers: those that see a user's bytes.
function(davit_module name)
  cmake_parse_arguments(MODULE "APART" "" "USES;LIBRARIES;READS;FUZZES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*.cpp)
  set(uses)
  set(below ${name})  # the module and all that it uses, however far down
  foreach(module ${MODULE_USES})
    if(NOT TARGET davit_${module})
      message(FATAL_ERROR "module '${name}' may not use '${module}': it comes later in the list of modules")
    endif()
    list(APPEND uses davit_${module})
    get_property(further GLOBAL PROPERTY davit_below_${module})
    list(APPEND below ${further})
  endforeach()
  list(REMOVE_DUPLICATES below)
  set_property(GLOBAL PROPERTY davit_below_${name} ${below})

  if(sources)
    add_library(davit_${name} STATIC ${sources})
    if(NOT MODULE_APART)
      set_property(GLOBAL APPEND PROPERTY davit_modules ${name})
    endif()
    target_include_directories(davit_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(davit_${name} PUBLIC ${uses} ${MODULE_LIBRARIES} PRIVATE davit_flags)
    if(model IN_LIST below)
      davit_use_headers(davit_${name} davit_model_headers)
    else()
      davit_use_headers(davit_${name} davit_headers)
    endif()
  else()
    add_library(davit_${name} INTERFACE)
    target_include_directories(davit_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(davit_${name} INTERFACE ${uses} ${MODULE_LIBRARIES})
  endif()

  davit_match(reading ${MODULE_READS})
  if(reading)
    set_source_files_properties(${reading} PROPERTIES COMPILE_OPTIONS "${DAVIT_READING_OPTIONS}")
  endif()
  davit_match(fuzzed ${MODULE_FUZZES})
  davit_fuzz_targets(${name} "${fuzzed}" "${below}")

  if(DAVIT_TESTS AND tests)
    davit_test(${name} davit_${name})
  endif()
endfunction()

# davit_match(VARIABLE pattern ...): the files of this folder that match.
function(davit_match variable)
  set(patterns ${ARGN})
  set(found)
  if(patterns)
    list(TRANSFORM patterns PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    file(GLOB found CONFIGURE_DEPENDS ${patterns})
  endif()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# davit_test(NAME library ...): the program test_NAME of test/*.cpp.
function(davit_test name)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*.cpp)
  add_executable(test_${name} ${tests})
  target_include_directories(test_${name} SYSTEM PRIVATE ${RAPIDCHECK_INCLUDE})
  target_link_libraries(test_${name} PRIVATE ${ARGN} davit_flags GTest::gtest_main ${RAPIDCHECK_LIBRARY})
  target_compile_options(test_${name} PRIVATE ${DAVIT_TEST_OPTIONS})
  davit_use_headers(test_${name} davit_test_headers)
  target_compile_definitions(test_${name} PRIVATE DAVIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND test_${name})
  # The same random cases every time; vary RC_PARAMS by hand to look for more.
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "RC_PARAMS=seed=20261115 max_success=200")
endfunction()
