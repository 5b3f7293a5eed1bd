# Writes a linker version script that exports what the public headers mark with HW_API, and nothing else.
#   cmake -DHEADERS=folder -DVERSION=0.1 -DOUTPUT=file -P version_script.cmake
# Run as a function of configure time too: hawser_write_version_script(folder version output).
function(hawser_write_version_script folder version output)
  file(GLOB headers ${folder}/*.h)
  set(names "")
  foreach(header ${headers})
    # Brackets would join the entries of a CMake list, as in a comment that names a half-open interval.
    file(READ ${header} text)
    string(REGEX REPLACE "[][]" " " text "${text}")
    string(REGEX MATCHALL "\n(extern )?HW_API [^;(]*" declarations "\n${text}")
    foreach(declaration ${declarations})
      if(declaration MATCHES "[ *](hw[A-Za-z0-9_]+)[ 0-9]*$")
        list(APPEND names ${CMAKE_MATCH_1})
      else()
        message(FATAL_ERROR "${header}: no name found in: ${declaration}")
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  list(JOIN names ";\n    " text)
  file(CONFIGURE OUTPUT ${output} CONTENT "HAWSER_${version} {\n  global:\n    ${text};\n  local:\n    *;\n};\n" @ONLY)
endfunction()
