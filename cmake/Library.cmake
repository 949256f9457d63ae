# One library of all modules, davit::davit, static or shared (BUILD_SHARED_LIBS), and its installation: library, public
# headers with all that they include, CMake package, program, scenarios, schema, man page and completion.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(parts GLOBAL PROPERTY davit_library_parts)
list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
add_library(davit_library ${objects})
add_library(davit::davit ALIAS davit_library)
set_target_properties(davit_library PROPERTIES OUTPUT_NAME davit EXPORT_NAME davit LINKER_LANGUAGE CXX
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(davit_library PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(davit_library PUBLIC cxx_std_20)
# Who uses the library must compile with the same instruction set and alignment of Eigen's types: they are part of its ABI.
target_compile_options(davit_library PUBLIC ${DAVIT_ABI_OPTIONS})
target_compile_definitions(davit_library PUBLIC ${DAVIT_ABI_DEFINITIONS})
target_link_libraries(davit_library PUBLIC Eigen3::Eigen
                      PRIVATE fmt::fmt yaml-cpp nlohmann_json::nlohmann_json hdf5::hdf5 TBB::tbb PkgConfig::matio PkgConfig::netcdf
                              PkgConfig::openblas)
if(DAVIT_SANITIZE)
  target_link_options(davit_library PRIVATE -fsanitize=address,undefined)
endif()

if(NOT DAVIT_INSTALL)
  return()
endif()

# davit_headers_of(VARIABLE header ...): the headers and all that they include, by their paths below src.
function(davit_headers_of variable)
  set(found)
  set(left ${ARGN})
  while(left)
    list(POP_FRONT left header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found ${header})
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} includes REGEX "^#include \"davit/")
    list(TRANSFORM includes REPLACE "^#include \"(.*)\".*" "\\1")
    list(APPEND left ${includes})
  endwhile()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

davit_headers_of(headers davit/api/lift.hpp davit/api/lift_run.hpp davit/api/model_builder.hpp davit/api/extension.hpp davit/control/controller.h davit/control/sensor.hpp davit/model/measuring.hpp davit/result/reader.hpp davit/result/result_error.hpp)
foreach(header ${headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

install(TARGETS davit_library EXPORT davit)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/davit)
install(EXPORT davit NAMESPACE davit:: DESTINATION ${package} FILE davitTargets.cmake)
get_target_property(DAVIT_LIBRARY_TYPE davit_library TYPE)
configure_package_config_file(cmake/davitConfig.cmake.in ${PROJECT_BINARY_DIR}/davitConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/davitConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/davitConfig.cmake ${PROJECT_BINARY_DIR}/davitConfigVersion.cmake cmake/Dependencies.cmake
        DESTINATION ${package})

if(DAVIT_PROGRAM)
  install(TARGETS davit)
  install(FILES docs/davit.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES tools/completion/davit DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
install(FILES docs/schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/davit)
install(DIRECTORY scenarios vessels parts DESTINATION ${CMAKE_INSTALL_DATADIR}/davit)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Davit developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
# What programs that use the library need to compile and link.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libeigen3-dev, libfmt-dev, libyaml-cpp-dev, nlohmann-json3-dev, libhdf5-dev, libtbb-dev, libmatio-dev, libnetcdf-dev, libopenblas-serial-dev, pkg-config")
include(CPack)
