# cmake -DSOURCE=<folder of headers> -DOUTPUT=<file.cpp> -P embed_runtime.cmake
#
# Writes a C++ file that holds the text of every runtime header, so that the driver can put them beside generated code wherever the
# command or the extension runs. Literals are split: a compiler need not accept more than 64 KiB in one.
file(GLOB headers ${SOURCE}/*.h)
list(SORT headers)
set(text "// Generated from src/runtime by cmake/embed_runtime.cmake.\n#include \"driver/runtime_files.h\"\n\nnamespace sluice::driver {\n\n")
string(APPEND text "const std::vector<RuntimeFile>& runtime_files() {\n    static const std::vector<RuntimeFile> files = {\n")
foreach(header ${headers})
  get_filename_component(name ${header} NAME)
  file(READ ${header} content)
  string(LENGTH "${content}" length)
  set(at 0)
  string(APPEND text "        {\"${name}\",\n")
  while(at LESS length)
    string(SUBSTRING "${content}" ${at} 8000 piece)
    string(APPEND text "R\"runtime(${piece})runtime\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND text "        },\n")
endforeach()
string(APPEND text "    };\n    return files;\n}\n\n}  // namespace sluice::driver\n")
file(WRITE ${OUTPUT} "${text}")
