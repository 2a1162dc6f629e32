# What a wheel holds: the extension, the command, and the libraries of others that the two need, in a folder of the package. Only the C and
# C++ runtimes are the system's, as in every wheel. The command looks for that folder from where pip puts it: virtual environments and
# prefixes (lib64 in some), Debian's own folder, --target.
install(TARGETS _core LIBRARY DESTINATION sluice COMPONENT python)
install(TARGETS sluice RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)

get_filename_component(isl_folder ${ISL_LIBRARY} DIRECTORY)
install(CODE "set(programs $<TARGET_FILE:sluice>)\nset(folders ${isl_folder})" COMPONENT python)
install(CODE [[
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} RESOLVED_DEPENDENCIES_VAR libraries DIRECTORIES ${folders}
       PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+)\\.so")
  foreach(library ${libraries})
    get_filename_component(name ${library} NAME)
    file(REAL_PATH ${library} file)
    file(INSTALL ${file} DESTINATION ${CMAKE_INSTALL_PREFIX}/sluice/libraries RENAME ${name})
  endforeach()
]] COMPONENT python)

# The old kind of run-time path holds for what these libraries need of each other, too.
target_link_options(_core PRIVATE LINKER:--disable-new-dtags)
target_link_options(sluice PRIVATE LINKER:--disable-new-dtags)
set_target_properties(_core PROPERTIES INSTALL_RPATH "$ORIGIN/libraries")
set(python python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR})
set(places "")
foreach(folder lib/${python}/site-packages lib64/${python}/site-packages lib/${python}/dist-packages .)
  list(APPEND places "$ORIGIN/../${folder}/sluice/libraries")
endforeach()
list(JOIN places ":" places)
set_target_properties(sluice PROPERTIES INSTALL_RPATH "${places}")
