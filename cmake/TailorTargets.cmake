# Helpers that every library, tool and test of the project is declared with.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

add_library(tailor_options INTERFACE)
target_include_directories(tailor_options INTERFACE "${PROJECT_SOURCE_DIR}/lib" "${PROJECT_SOURCE_DIR}")
target_compile_definitions(tailor_options INTERFACE TAILOR_VERSION="${PROJECT_VERSION}")
target_compile_options(tailor_options INTERFACE
  -Wall -Wextra -Wpedantic $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow> -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
  -Woverloaded-virtual -Wnull-dereference -Wimplicit-fallthrough
  $<$<BOOL:${TAILOR_WERROR}>:-Werror>)
# gcc 12 reports null dereferences and overlapping copies inside inlined standard-library code when
# it optimises.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(tailor_options INTERFACE -Wno-null-dereference $<$<CONFIG:Release>:-Wno-restrict>)
endif()
# Paths of the build machine stay out of what we ship.
target_compile_options(tailor_options INTERFACE "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")

if(TAILOR_SANITIZE)
  add_compile_options(-fsanitize=${TAILOR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${TAILOR_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options("-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizers.ignore")
  endif()
endif()

# The libraries are instrumented too, so that the fuzzers see which paths an input takes.
if(TAILOR_BUILD_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# tailor_add_library(NAME sources... [LINK libraries...]): the static library Tailor<NAME>, alias tailor::NAME.
function(tailor_add_library name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_library(Tailor${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  add_library(tailor::${name} ALIAS Tailor${name})
  target_link_libraries(Tailor${name} PUBLIC tailor_options ${arg_LINK})
endfunction()

# tailor_add_unit_tests(NAME sources... [LINK libraries...]): a GoogleTest executable, registered as unit.NAME.
function(tailor_add_unit_tests name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_executable(${name}Tests ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}Tests PRIVATE tailor_options ${arg_LINK} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name}Tests PRIVATE
    TAILOR_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TAILOR_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_test(NAME unit.${name} COMMAND ${name}Tests)
  set_tests_properties(unit.${name} PROPERTIES LABELS unit TIMEOUT 900)
endfunction()
