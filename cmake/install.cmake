# Where what goes, in components that packages are made of (package.cmake): runtime, development, lua, mpi,
# tools, book.

install(TARGETS moonpod moonpod_static EXPORT moonpod_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY core/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES lua/host/moonpod_lua.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
# One copy of the files of Lua; the other versions' are links to it.
install(DIRECTORY lua/moonpod/ DESTINATION share/lua/5.4/moonpod COMPONENT lua FILES_MATCHING PATTERN "*.lua")
foreach(version ${lua_versions})
    if(NOT version STREQUAL "5.4")
        install(CODE "
            set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/lua/${version}\")
            file(MAKE_DIRECTORY \"\${folder}\")
            file(REMOVE_RECURSE \"\${folder}/moonpod\")
            file(CREATE_LINK ../5.4/moonpod \"\${folder}/moonpod\" SYMBOLIC)"
            COMPONENT lua)
    endif()
endforeach()

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/Moonpod)
file(CONFIGURE OUTPUT MoonpodConfig.cmake @ONLY CONTENT [=[
# find_package(Moonpod) gives the target Moonpod::moonpod. Moonpod::moonpod_static brings no dependencies
# of its own to a plain CMake: they are found here.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(ZLIB)
find_dependency(PkgConfig)
pkg_check_modules(LIBUV QUIET IMPORTED_TARGET libuv)
pkg_check_modules(IMAGES QUIET IMPORTED_TARGET libdeflate libturbojpeg)
include("${CMAKE_CURRENT_LIST_DIR}/MoonpodTargets.cmake")
]=])
write_basic_package_version_file(MoonpodConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT moonpod_targets FILE MoonpodTargets.cmake NAMESPACE Moonpod::
        DESTINATION ${package_directory} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/MoonpodConfig.cmake
              ${PROJECT_BINARY_DIR}/MoonpodConfigVersion.cmake
        DESTINATION ${package_directory} COMPONENT development)

file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
file(CONFIGURE OUTPUT moonpod.pc @ONLY CONTENT [=[
prefix=${pcfiledir}/@to_prefix@
includedir=${prefix}/include
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: moonpod
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Requires.private: libuv zlib libdeflate libturbojpeg
Libs: -L${libdir} -lmoonpod
Libs.private: -lm -ldl -pthread
Cflags: -I${includedir}
]=])
install(FILES ${PROJECT_BINARY_DIR}/moonpod.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# The book as a site where ./dev docs wrote it into the build, as ./dev package does; examples and notebooks.
set(book ${CMAKE_INSTALL_DATADIR}/doc/moonpod)
install(DIRECTORY ${PROJECT_BINARY_DIR}/site/ DESTINATION ${book}/html COMPONENT book OPTIONAL)
install(DIRECTORY examples DESTINATION ${book} COMPONENT book)
install(DIRECTORY notebooks/ DESTINATION ${book}/notebooks COMPONENT book FILES_MATCHING PATTERN "*.ipynb"
        PATTERN "*.nb.lua" PATTERN kernel EXCLUDE)

# Programs of the build that write some of its files. In a build for packages they have no path to the library.
set(own_environment LUA_INIT_5_4= LUA_INIT= LD_LIBRARY_PATH=${PROJECT_BINARY_DIR})

# The manual page and what shells complete are written by the executable, from what its own --help says.
if(TARGET moonpod_repl AND NOT MOONPOD_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    set(texts ${PROJECT_BINARY_DIR}/texts)
    file(MAKE_DIRECTORY ${texts})
    set(text_source ${PROJECT_SOURCE_DIR}/docs/man/moonpod.1.in)
    set(of_advise ${PROJECT_SOURCE_DIR}/lua/moonpod/advisor/command.lua)
    set(of_notebook ${PROJECT_SOURCE_DIR}/lua/moonpod/notebook/command.lua)
    add_custom_command(OUTPUT ${texts}/moonpod.1.gz ${texts}/moonpod.bash ${texts}/_moonpod ${texts}/moonpod.fish
                       COMMAND ${CMAKE_COMMAND} -E env ${own_environment} $<TARGET_FILE:moonpod_repl>
                               ${PROJECT_SOURCE_DIR}/cmake/texts.lua ${text_source} ${texts}
                               advise=${of_advise} notebook=${of_notebook}
                       COMMAND gzip -9nf ${texts}/moonpod.1
                       DEPENDS moonpod_repl ${PROJECT_SOURCE_DIR}/cmake/texts.lua ${text_source}
                               ${of_advise} ${of_notebook})
    add_custom_target(moonpod_texts ALL DEPENDS ${texts}/moonpod.1.gz)
    add_dependencies(runtime moonpod_texts)
    # What tells editors of the module: a folder for lua-language-server's workspace.library.
    set(library ${PROJECT_BINARY_DIR}/library/moonpod.lua)
    file(GLOB library_sources CONFIGURE_DEPENDS tests/tools/reference/*.lua)
    file(GLOB_RECURSE documented CONFIGURE_DEPENDS lua/moonpod/*.lua)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/library)
    add_custom_command(OUTPUT ${library}
                       COMMAND ${CMAKE_COMMAND} -E env ${own_environment} LUA_CPATH_5_4=
                               LUA_CPATH=${PROJECT_BINARY_DIR}/lua/?.so $<TARGET_FILE:moonpod_repl>
                               ${PROJECT_SOURCE_DIR}/tests/tools/reference/make.lua ${PROJECT_SOURCE_DIR} ${library}
                       DEPENDS moonpod_repl moonpod_core ${library_sources} ${documented} VERBATIM)
    add_custom_target(moonpod_library ALL DEPENDS ${library})
    add_dependencies(runtime moonpod_library)
    install(FILES ${library} DESTINATION ${CMAKE_INSTALL_DATADIR}/moonpod/library COMPONENT lua)
    # What completion shows of the names of `pod`, beside the module in C.
    set(sentences ${PROJECT_BINARY_DIR}/lua/moonpod/sentences.txt)
    add_custom_command(OUTPUT ${sentences}
                       COMMAND ${CMAKE_COMMAND} -E env ${own_environment} LUA_CPATH_5_4=
                               LUA_CPATH=${PROJECT_BINARY_DIR}/lua/?.so $<TARGET_FILE:moonpod_repl>
                               ${PROJECT_SOURCE_DIR}/cmake/sentences.lua ${sentences}
                       DEPENDS moonpod_repl moonpod_core ${PROJECT_SOURCE_DIR}/cmake/sentences.lua ${documented}
                       VERBATIM)
    add_custom_target(moonpod_sentences ALL DEPENDS ${sentences})
    add_dependencies(runtime moonpod_sentences)
    install(FILES ${sentences} DESTINATION ${MOONPOD_LUA_LIBDIR}/5.4/moonpod COMPONENT lua)
    if(TARGET moonpod_kernel)
        set(kernel_page ${texts}/moonpod-kernel.1.gz)
        add_custom_command(OUTPUT ${kernel_page}
                           COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/docs/man/moonpod-kernel.1 > ${kernel_page}
                           DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/moonpod-kernel.1)
        add_custom_target(moonpod_kernel_text ALL DEPENDS ${kernel_page})
        add_dependencies(runtime moonpod_kernel_text)
        install(FILES ${kernel_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
        # What tells Jupyter of the kernel, as --install-kernel writes it; where the kernel is, an installation knows.
        set(jupyter share/jupyter/kernels/moonpod)
        set(notebook ${PROJECT_SOURCE_DIR}/lua/moonpod/notebook)
        add_custom_command(OUTPUT ${texts}/${jupyter}/kernel.json
                           COMMAND ${CMAKE_COMMAND} -E env ${own_environment} $<TARGET_FILE:moonpod_repl>
                                   --install-kernel --prefix ${texts} > ${texts}/kernel.log
                           DEPENDS moonpod_repl moonpod_core moonpod_kernel
                                   ${notebook}/install.lua)
        add_custom_target(moonpod_kernel_files ALL DEPENDS ${texts}/${jupyter}/kernel.json)
        add_dependencies(runtime moonpod_kernel_files)
        install(DIRECTORY ${texts}/${jupyter}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/jupyter/kernels/moonpod
                COMPONENT tools PATTERN kernel.json EXCLUDE)
        install(CODE "
            set(kernel \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/moonpod-kernel\")
            file(READ \"${texts}/${jupyter}/kernel.json\" spec)
            string(REGEX REPLACE \"[^\\\"]*/moonpod-kernel\\\"\" \"\${kernel}\\\"\" spec \"\${spec}\")
            file(WRITE \"${texts}/installed/kernel.json\" \"\${spec}\")
            file(INSTALL \"${texts}/installed/kernel.json\" DESTINATION
                 \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/jupyter/kernels/moonpod\")"
            COMPONENT tools)
    endif()
    install(FILES ${texts}/moonpod.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
    install(FILES ${texts}/moonpod.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME moonpod COMPONENT tools)
    install(FILES ${texts}/_moonpod DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tools)
    install(FILES ${texts}/moonpod.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
            COMPONENT tools)
endif()
