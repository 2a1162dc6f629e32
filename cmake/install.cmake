# `cmake --install`: the command, one shared library of all rooms below the faces, its headers, and what finds them: Sluice::sluice of
# find_package(Sluice) and pkg-config. Nothing in it names a folder of this machine, so that the installed tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(NOT SKBUILD)
  add_library(sluice_shared SHARED)
  foreach(room ${SLUICE_ROOMS})
    target_sources(sluice_shared PRIVATE $<TARGET_OBJECTS:sluice_${room}>)
    target_link_libraries(sluice_shared PRIVATE sluice_${room})
  endforeach()
  target_include_directories(sluice_shared PRIVATE ${CMAKE_SOURCE_DIR}/src INTERFACE $<INSTALL_INTERFACE:include/sluice>)
  target_compile_features(sluice_shared INTERFACE cxx_std_20)
  set_target_properties(sluice_shared PROPERTIES OUTPUT_NAME sluice EXPORT_NAME sluice VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  install(TARGETS sluice_shared EXPORT Sluice LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT sluice)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sluice COMPONENT sluice
          FILES_MATCHING PATTERN "*.h" PATTERN cli EXCLUDE PATTERN bindings EXCLUDE)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT sluice)

  install(EXPORT Sluice NAMESPACE Sluice:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Sluice FILE SluiceConfig.cmake COMPONENT sluice)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/SluiceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/generated/SluiceConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Sluice COMPONENT sluice)
  file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/sluice.pc @ONLY CONTENT "prefix=\${pcfiledir}/@up@
libdir=\${pcfiledir}/..
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@/sluice

Name: sluice
Description: A data-centric compiler
Version: @PROJECT_VERSION@
Cflags: -std=c++20 -I\${includedir}
Libs: -L\${libdir} -lsluice
")
  install(FILES ${CMAKE_BINARY_DIR}/generated/sluice.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT sluice)
endif()
