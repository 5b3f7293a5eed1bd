# Turns files into one C table: cmake -DOUTPUT=file.c -DNAME=hwVehicleFiles -DBASE=folder -DPATTERN=*.yaml -DSTRIP=.yaml
# -P embed_table.cmake
# The table is `const struct {const char* name; const unsigned char* bytes; size_t size;} <NAME>[]`, with
# `const int <NAME>_count`; names are the files' paths below BASE, less the ending STRIP. A pattern of `*` takes files in
# folders below too.
if(PATTERN STREQUAL "*")
  file(GLOB_RECURSE files ${BASE}/*)
else()
  file(GLOB files ${BASE}/${PATTERN})
endif()
list(SORT files)
set(text "#include <stddef.h>\n")
set(rows "")
set(count 0)
foreach(file ${files})
  file(RELATIVE_PATH name ${BASE} ${file})
  if(STRIP)
    string(REGEX REPLACE "${STRIP}$" "" name ${name})
  endif()
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
  string(APPEND text "static const unsigned char file${count}[] = {\n${bytes}0x00};\n")
  string(APPEND rows "    {\"${name}\", file${count}, sizeof(file${count}) - 1},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND text "\ntypedef struct Row {\n    const char* name;\n    const unsigned char* bytes;\n    size_t size;\n} Row;\n"
       "extern const Row ${NAME}[];\nextern const int ${NAME}_count;\n"
       "const Row ${NAME}[] = {\n${rows}    {0, 0, 0},\n};\nconst int ${NAME}_count = ${count};\n")
file(WRITE ${OUTPUT} "${text}")
