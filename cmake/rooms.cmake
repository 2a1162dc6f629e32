# sluice_room(<folder> [BESIDE <folder>] [EXCLUDE <folders>...] [LINKS <rooms and libraries>...] [PRIVATE_LINKS <libraries>...])
#
# A room is one static library made of the sources of <folder> in src/, or in the folder named by BESIDE, without those of the
# folders EXCLUDE, which are rooms of their own. It links only rooms of lower floors; tools/check_floors.py checks the includes against the
# same table.
function(sluice_room folder)
  cmake_parse_arguments(ROOM "" "BESIDE" "EXCLUDE;LINKS;PRIVATE_LINKS" ${ARGN})
  string(REPLACE "/" "_" target "sluice_${folder}")
  set(parent ${CMAKE_SOURCE_DIR}/src)
  if(ROOM_BESIDE)
    set(parent ${CMAKE_SOURCE_DIR}/${ROOM_BESIDE})
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${parent}/${folder}/*.cpp)
  foreach(inner IN LISTS ROOM_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "^${parent}/${inner}/")
  endforeach()
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${parent})
  target_link_libraries(${target} ${scope} ${ROOM_LINKS})
  if(sources AND ROOM_PRIVATE_LINKS)
    target_link_libraries(${target} PRIVATE ${ROOM_PRIVATE_LINKS})
  endif()
endfunction()

# sluice_rooms(<table>): a room for each line `floor | folder | may know | content`. Lines whose folder has a CMakeLists.txt of its own
# are programs: what they link is left in SLUICE_LINKS_<folder>. SLUICE_LIBRARIES_<folder> and SLUICE_OWN_LIBRARIES_<folder> are
# libraries of others, the second not passed on to those who link the room. A folder in the folder of another room may be one of its own.
# SLUICE_ROOMS are the rooms of src/ with sources: what libsluice.so holds.
function(sluice_rooms table)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${table})
  file(STRINGS ${table} lines REGEX "^[0-9]+ \\|")
  list(TRANSFORM lines REPLACE "^[0-9]+ \\| ([^ |]+) .*" "\\1" OUTPUT_VARIABLE folders)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[0-9]+ \\| ([^ |]+) \\| ([^|]*)\\|.*" "\\1;\\2" cells "${line}")
    list(GET cells 0 folder)
    list(GET cells 1 knows)
    string(REGEX MATCHALL "[^ ]+" knows "${knows}")
    list(REMOVE_ITEM knows only)
    list(TRANSFORM knows REPLACE "^tools/" "")
    list(TRANSFORM knows REPLACE "/" "_")
    list(TRANSFORM knows PREPEND "sluice_")
    set(beside)
    if(folder MATCHES "^tools/(.*)")
      set(folder ${CMAKE_MATCH_1})
      set(beside BESIDE tools)
    endif()
    set(inner ${folders})
    list(FILTER inner INCLUDE REGEX "^${folder}/")
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
      set(SLUICE_LINKS_${folder} ${knows} PARENT_SCOPE)
    else()
      string(REPLACE "/" "_" room ${folder})
      sluice_room(${folder} ${beside} EXCLUDE ${inner} LINKS ${knows} ${SLUICE_LIBRARIES_${folder}} PRIVATE_LINKS ${SLUICE_OWN_LIBRARIES_${folder}})
      get_target_property(kind sluice_${room} TYPE)
      if(kind STREQUAL "STATIC_LIBRARY" AND NOT beside)
        list(APPEND library ${room})
      endif()
    endif()
  endforeach()
  set(SLUICE_ROOMS ${library} PARENT_SCOPE)
endfunction()

# sluice_room_tests(<folder> [LINKS ...]): one test program from tests/<folder>/*.cpp, run through CTest.
function(sluice_room_tests folder)
  cmake_parse_arguments(ROOM "" "" "EXCLUDE;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*.cpp)
  foreach(inner IN LISTS ROOM_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_SOURCE_DIR}/tests/${inner}/")
  endforeach()
  if(NOT sources)
    return()
  endif()
  string(REPLACE "/" "_" name "${folder}")
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE sluice_${name} ${ROOM_LINKS} GTest::gtest_main)
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/${folder})
  target_compile_definitions(test_${name} PRIVATE SLUICE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SLUICE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60)
endfunction()

# sluice_embed_text(<target> <function> <header> <file>): `std::string_view <function>()`, declared in <header>, returns the file's text.
function(sluice_embed_text target function header file)
  string(REPLACE "::" "_" name "${function}")
  set(output ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake)
  set(present)
  if(EXISTS "${file}")
    set(present ${file})
  endif()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DSOURCE=${file}" -DOUTPUT=${output} -DHEADER=${header} -DFUNCTION=${function} -P ${script}
    DEPENDS ${present} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# sluice_embed_folder(<target> <function> <header> <struct> <folder> <pattern>): `const std::vector<struct>& <function>()`, declared in
# <header>, returns path and text of each file of the folder that the pattern matches.
function(sluice_embed_folder target function header struct folder pattern)
  string(REPLACE "::" "_" name "${function}")
  set(output ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/embed_folder.cmake)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/${pattern})
  # Changes when a file comes or goes: what goes is in no list of dependencies.
  set(names ${CMAKE_BINARY_DIR}/generated/${name}.txt)
  file(CONFIGURE OUTPUT ${names} CONTENT "${files}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${folder} "-DPATTERN=${pattern}" -DOUTPUT=${output} -DHEADER=${header} -DTYPE=${struct}
            -DFUNCTION=${function} -P ${script}
    DEPENDS ${files} ${names} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# sluice_export_rooms(<target> <rooms>...): the target holds the rooms whole, for libraries that it loads (rewrite/plugin.h).
function(sluice_export_rooms target)
  set(archives)
  foreach(room ${ARGN})
    list(APPEND archives $<TARGET_FILE:${room}>)
  endforeach()
  target_link_libraries(${target} PRIVATE ${ARGN})
  target_link_options(${target} PRIVATE LINKER:--whole-archive ${archives} LINKER:--no-whole-archive)
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)
endfunction()
