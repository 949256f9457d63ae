# The presets build with clang: its kernels are a quarter faster than gcc's (bench/README.md). gcc 12 builds it as well.
# One set of flags for every target. The instruction set and the contraction of a*b+c are fixed here, because results
# must be bit-identical on every machine that runs one binary.
set(DAVIT_ARCH "x86-64-v3" CACHE STRING "instruction set (-march); empty for the compiler's default")

add_library(davit_flags INTERFACE)
target_compile_options(davit_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -ffp-contract=on -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc knows "on" only as "off". The warnings switched off are false alarms of gcc 12 in Eigen's fixed-size expressions
  # and in std::string (gcc bugs 105651, 105329).
  target_compile_options(davit_flags INTERFACE -ffp-contract=fast -Wno-maybe-uninitialized -Wno-array-bounds -Wno-restrict
                         -Wno-missing-field-initializers)
endif()
# A warning of another compiler must not break the build of those who only use it.
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(davit_flags INTERFACE -Werror)
endif()
# How Eigen's types are aligned is part of the ABI, and follows from the instruction set unless it is said: both belong to
# whoever uses the library (cmake/Library.cmake).
set(DAVIT_ABI_OPTIONS)
set(DAVIT_ABI_DEFINITIONS EIGEN_MAX_ALIGN_BYTES=32)
if(DAVIT_ARCH AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  list(APPEND DAVIT_ABI_OPTIONS -march=${DAVIT_ARCH})
endif()
target_compile_options(davit_flags INTERFACE ${DAVIT_ABI_OPTIONS})
target_compile_definitions(davit_flags INTERFACE ${DAVIT_ABI_DEFINITIONS})
# What a mistake with memory meets in a release build, instead of doing harm in silence; figures are in docs/reliability.md,
# also for _GLIBCXX_ASSERTIONS, which cost too much. Asserts of Eigen are another matter and stay off.
if(DAVIT_HARDENING AND NOT DAVIT_SANITIZE)
  target_compile_options(davit_flags INTERFACE -fstack-protector-strong
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  target_link_options(davit_flags INTERFACE LINKER:-z,relro,-z,now)
endif()
if(DAVIT_SANITIZE)
  target_compile_options(davit_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(davit_flags INTERFACE -fsanitize=address,undefined)
endif()
if(DAVIT_COVERAGE)
  target_compile_options(davit_flags INTERFACE --coverage)
  target_link_options(davit_flags INTERFACE --coverage)
endif()

# What is tested is optimised; the tests themselves need not be, and compile in half the time.
set(DAVIT_TEST_OPTIONS -O1)
# Nor what reads, writes and describes: it runs once.
set(DAVIT_READING_OPTIONS -O1)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/launch-compiler ${PROJECT_SOURCE_DIR} ${CCACHE})
endif()
