#!/bin/sh
# Hawser inside another CMake project, as FetchContent brings it: it configures with the core alone and leaves that project's settings.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.23)
project(consumer LANGUAGES C)
include(FetchContent)
FetchContent_Declare(hawser SOURCE_DIR "$root")
FetchContent_MakeAvailable(hawser)
if(NOT TARGET hawser::hawser OR NOT TARGET hawser::hawser-cpp)
  message(FATAL_ERROR "the targets are missing")
endif()
if(TARGET hawser-io OR TARGET hawser-cli)
  message(FATAL_ERROR "more than the core is built")
endif()
if(CMAKE_BUILD_TYPE OR CMAKE_RUNTIME_OUTPUT_DIRECTORY OR CPACK_PACKAGE_NAME)
  message(FATAL_ERROR "settings of the consumer were changed")
endif()
add_executable(consumer "$root/test/install/main.c")
target_link_libraries(consumer PRIVATE hawser::hawser)
CMAKE
cmake -S "$scratch" -B "$scratch/build" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
echo "configured inside another project"
