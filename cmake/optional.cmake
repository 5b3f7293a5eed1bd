# Libraries that Hawser can do without. Each that is missing, or named in HAWSER_WITHOUT (as in -DHAWSER_WITHOUT="hdf5;assimp"), costs a
# feature, which is said here when configuring and by the program when it is asked for.
set(HAWSER_WITHOUT "" CACHE STRING "Optional libraries to leave out: dds hdf5 assimp qhull expat jansson sundials uplot websockets")

# Says what is lost.
function(hawser_say_without name package lost)
  message(STATUS "Without ${name} (${package}): ${lost}")
endfunction()

# Sets <prefix>_FOUND and pkg-config's variables. `name` is what HAWSER_WITHOUT calls it.
macro(hawser_optional prefix name module package lost)
  set(${prefix}_FOUND FALSE)
  if(NOT "${name}" IN_LIST HAWSER_WITHOUT)
    unset(${prefix}_FOUND)
    pkg_check_modules(${prefix} QUIET ${module})
  endif()
  if(NOT ${prefix}_FOUND)
    hawser_say_without(${name} ${package} ${lost})
    set(${prefix}_LINK_LIBRARIES "")
    set(${prefix}_INCLUDE_DIRS "")
  endif()
endmacro()
