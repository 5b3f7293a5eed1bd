# Two vector widths in one library. The core is compiled twice, for every x86-64 and for x86-64-v3 (AVX2, FMA); each copy becomes one
# object whose public functions carry the width in their names, and the library's own public functions are bound to one of the two when
# a program starts (GNU indirect functions). So an installed library runs on every x86-64 and uses what the processor has. The bits
# are the same (docs/design.md, Determinism).
#   hawser_add_two_widths(NAME SOURCES...)   makes the library NAME
# The copy that this machine runs keeps its private names, for tests of private functions; the other one's are local to it.
function(hawser_add_two_widths name)
  set(sources ${ARGN})
  set(visible plain)
  if(HAWSER_RUNS_X86_64_V3)
    set(visible wide)
  endif()
  set(folder ${PROJECT_BINARY_DIR}/widths)
  file(MAKE_DIRECTORY ${folder})
  foreach(width plain wide)
    add_library(${name}-${width} OBJECT ${sources})
    target_include_directories(${name}-${width} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name}-${width} PRIVATE hawser_options Threads::Threads)
    # Vectors never pass between functions that are not inlined, so the note about their ABI without AVX concerns nobody.
    target_compile_options(${name}-${width} PRIVATE -Wno-psabi ${HAWSER_CORE_WARNINGS})
    add_custom_command(OUTPUT ${folder}/${width}_whole.o
      COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${folder}/${width}_whole.o $<TARGET_OBJECTS:${name}-${width}>
      DEPENDS ${name}-${width} $<TARGET_OBJECTS:${name}-${width}> COMMAND_EXPAND_LISTS VERBATIM)
  endforeach()
  target_compile_options(${name}-wide PRIVATE -march=x86-64-v3)
  set_target_properties(${name}-wide PROPERTIES HAWSER_FUSED -mfma)
  add_custom_command(OUTPUT ${folder}/choose.c ${folder}/plain.o ${folder}/wide.o
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DMAP=${HAWSER_VERSION_SCRIPT} -DVISIBLE=${visible} -DNM=${CMAKE_NM}
            -DOBJCOPY=${CMAKE_OBJCOPY} -P ${PROJECT_SOURCE_DIR}/cmake/join_widths.cmake
    DEPENDS ${folder}/plain_whole.o ${folder}/wide_whole.o ${HAWSER_VERSION_SCRIPT} ${PROJECT_SOURCE_DIR}/cmake/join_widths.cmake
    VERBATIM)
  set_source_files_properties(${folder}/plain.o ${folder}/wide.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  add_library(${name} ${folder}/choose.c ${folder}/plain.o ${folder}/wide.o)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
endfunction()
