# sluice_room(<folder> [BESIDE <folder>] [LINKS <rooms and libraries>...] [PRIVATE_LINKS <libraries>...])
#
# A room is one static library made of the sources of <folder> in src/, or in the folder named by BESIDE. It links only rooms of
# lower floors; tools/check_floors.py checks the includes against the same table.
function(sluice_room folder)
  cmake_parse_arguments(ROOM "" "BESIDE" "LINKS;PRIVATE_LINKS" ${ARGN})
  string(REPLACE "/" "_" target "sluice_${folder}")
  set(parent ${CMAKE_SOURCE_DIR}/src)
  if(ROOM_BESIDE)
    set(parent ${CMAKE_SOURCE_DIR}/${ROOM_BESIDE})
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${parent}/${folder}/*.cpp)
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

# sluice_room_tests(<folder> [LINKS ...]): one test program from tests/<folder>/*.cpp, run through CTest.
function(sluice_room_tests folder)
  cmake_parse_arguments(ROOM "" "" "LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*.cpp)
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
