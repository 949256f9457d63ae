# The libraries that Davit is made of; the package of an installed Davit finds them the same way (for its static library).
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4 NO_MODULE)
find_dependency(fmt)
find_dependency(yaml-cpp)
find_dependency(nlohmann_json)
# CMake finds HDF5 by compiling C.
enable_language(C)
find_dependency(HDF5 COMPONENTS C)
find_dependency(TBB)
find_dependency(PkgConfig)
# Debian's OpenBLAS without threads of its own, where there are several: idle threads spin.
set(ENV{PKG_CONFIG_PATH} "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial/pkgconfig:$ENV{PKG_CONFIG_PATH}")
foreach(library matio netcdf openblas)
  pkg_check_modules(${library} QUIET IMPORTED_TARGET ${library})
  if(NOT ${library}_FOUND)
    message(FATAL_ERROR "davit needs ${library} (Debian packages: tools/packages)")
  endif()
endforeach()
