# Every dependency comes from a Debian package. What is missing is named with its package
# (scripts/packages.txt is the full list), never fetched.

function(tailor_missing what package)
  message(FATAL_ERROR "SPIRV-Tailor needs ${what}: install the Debian package '${package}' "
                      "(all of them: scripts/packages.txt)")
endfunction()

# tailor_import(TARGET libraries... HEADER header PACKAGE package): an imported interface target
# over static or shared libraries that ship no usable CMake package.
function(tailor_import target)
  cmake_parse_arguments(arg "" "HEADER;PACKAGE" "LIBRARIES;HINTS" ${ARGN})
  string(MAKE_C_IDENTIFIER "${target}" key)
  find_path(TAILOR_${key}_INCLUDE "${arg_HEADER}" HINTS ${arg_HINTS} PATH_SUFFIXES include)
  if(NOT TAILOR_${key}_INCLUDE)
    tailor_missing("the header ${arg_HEADER}" "${arg_PACKAGE}")
  endif()
  set(libs)
  foreach(lib IN LISTS arg_LIBRARIES)
    find_library(TAILOR_${key}_${lib} NAMES ${lib} HINTS ${arg_HINTS} PATH_SUFFIXES lib)
    if(NOT TAILOR_${key}_${lib})
      tailor_missing("the library ${lib}" "${arg_PACKAGE}")
    endif()
    list(APPEND libs "${TAILOR_${key}_${lib}}")
  endforeach()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE "${TAILOR_${key}_INCLUDE}")
  target_link_libraries(${target} INTERFACE ${libs})
endfunction()

find_package(Threads REQUIRED)

tailor_import(dep::spirv-headers HEADER spirv/unified1/spirv.hpp11 PACKAGE spirv-headers)
tailor_import(dep::spirv-tools HEADER spirv-tools/libspirv.h LIBRARIES SPIRV-Tools-opt SPIRV-Tools PACKAGE spirv-tools)
tailor_import(dep::spirv-cross HEADER spirv_cross/spirv_glsl.hpp
  LIBRARIES spirv-cross-hlsl spirv-cross-msl spirv-cross-glsl spirv-cross-core
  PACKAGE libspirv-cross-c-shared-dev)
tailor_import(dep::glslang HEADER glslang/Public/ShaderLang.h
  LIBRARIES SPIRV glslang MachineIndependent GenericCodeGen OGLCompiler OSDependent glslang-default-resource-limits HLSL
  PACKAGE glslang-dev)
target_link_libraries(dep::glslang INTERFACE dep::spirv-tools Threads::Threads)

# LLVM: headers and the Support library alone. Its CMake package would pull in every system
# library of the whole toolchain (z3, libxml2, curses), so the two archives are named here.
tailor_import(dep::llvm HEADER llvm/Support/GenericDomTree.h LIBRARIES LLVMSupport LLVMDemangle
  HINTS /usr/lib/llvm-19 PACKAGE llvm-19-dev)
find_library(TAILOR_ZSTD NAMES libzstd.a zstd)
find_library(TAILOR_ZLIB NAMES libz.a z)
if(NOT TAILOR_ZSTD)
  tailor_missing("the library zstd" "libzstd-dev")
endif()
if(NOT TAILOR_ZLIB)
  tailor_missing("the library z" "zlib1g-dev")
endif()
target_link_libraries(dep::llvm INTERFACE "${TAILOR_ZSTD}" "${TAILOR_ZLIB}" Threads::Threads ${CMAKE_DL_LIBS})
target_compile_definitions(dep::llvm INTERFACE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)

tailor_import(dep::cli11 HEADER CLI/CLI.hpp PACKAGE libcli11-dev)
tailor_import(dep::rapidjson HEADER rapidjson/reader.h PACKAGE rapidjson-dev)
tailor_import(dep::vulkan HEADER vulkan/vulkan.h LIBRARIES vulkan PACKAGE libvulkan-dev)
tailor_import(dep::flatbuffers HEADER flatbuffers/flatbuffers.h PACKAGE libflatbuffers-dev)
find_program(TAILOR_FLATC flatc)
if(NOT TAILOR_FLATC)
  tailor_missing("the program flatc" "flatbuffers-compiler")
endif()
tailor_import(dep::sqlite HEADER sqlite3.h LIBRARIES libsqlite3.a PACKAGE libsqlite3-dev)
target_link_libraries(dep::sqlite INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)

if(TAILOR_BUILD_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND OR NOT TARGET GTest::gmock)
    tailor_missing("GoogleTest" "libgtest-dev libgmock-dev")
  endif()
endif()
if(TAILOR_BUILD_BENCH)
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    tailor_missing("Google Benchmark" "libbenchmark-dev")
  endif()
endif()
