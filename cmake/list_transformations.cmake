# cmake -DSOURCE=<src/transform> -DOUTPUT=<file.cpp> -P list_transformations.cmake
#
# Writes the list of the built-in transformations (transform/registry.h): every file of src/transform/<group>/ that defines
# `rewrite::Transformation <name>() {` brings one. The file is left alone where the list has not changed.
cmake_minimum_required(VERSION 3.25)
file(GLOB sources RELATIVE ${SOURCE} ${SOURCE}/*/*.cpp)
list(SORT sources)
set(declarations "")
set(entries "")
foreach(source ${sources})
  file(STRINGS ${SOURCE}/${source} found REGEX "^rewrite::Transformation [a-z0-9_]+\\(\\) {$")
  list(LENGTH found count)
  if(count EQUAL 0)
    continue()
  elseif(count GREATER 1)
    message(FATAL_ERROR "src/transform/${source} defines ${count} transformations: one file, one transformation")
  endif()
  string(REGEX REPLACE "^rewrite::Transformation ([a-z0-9_]+)\\(\\) {$" "\\1" name "${found}")
  string(REGEX REPLACE "/.*" "" group ${source})
  string(APPEND declarations "rewrite::Transformation ${name}();  // ${source}\n")
  string(APPEND entries "        {\"${group}\", &${name}},\n")
endforeach()
set(CONTENT
    "// Generated from src/transform by cmake/list_transformations.cmake.
#include \"transform/registry.h\"

namespace sluice::transform {

${declarations}
const std::vector<Listed>& listed() {
    static const std::vector<Listed> all = {
${entries}    };
    return all;
}

}  // namespace sluice::transform
")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "@CONTENT@" @ONLY)
