# Turns files into C arrays: cmake -DOUTPUT=file.c -DPREFIX=hwReport -DFILES=a.js,b.css -P embed.cmake
# Each file becomes `const unsigned char <PREFIX>_<name>[]` and `const size_t <PREFIX>_<name>_size`, where <name> is the
# file's name with other characters than letters and digits replaced by _.
string(REPLACE "," ";" files "${FILES}")
set(text "#include <stddef.h>\n")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE "[^A-Za-z0-9]" "_" name ${name})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
  set(symbol ${PREFIX}_${name})
  string(APPEND text "\nextern const unsigned char ${symbol}[];\nextern const size_t ${symbol}_size;\n"
         "const unsigned char ${symbol}[] = {\n${bytes}\n};\nconst size_t ${symbol}_size = sizeof(${symbol});\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
