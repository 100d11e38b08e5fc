# cpack: packages of Debian, one for each component of an installation (install.cmake). ./dev package makes them.

# Who is written to, and where the project lies: in packages, the wheel and the rockspec. SECURITY.md says the address.
# ./dev release refuses names that end in .example.
set(MOONPOD_MAINTAINER "Moonpod maintainers <maintainers@moonpod.example>")
set(MOONPOD_HOMEPAGE "https://moonpod.example")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME moonpod)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "Moonpod")
set(CPACK_PACKAGE_CONTACT "${MOONPOD_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "moonpod built using CMake") # cpack's own: so it puts none before ours
set(CPACK_COMPONENTS_ALL runtime development lua mpi tools book)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${MOONPOD_HOMEPAGE})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}) # of one package for another
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(exact "(= ${PROJECT_VERSION})")

# describe(COMPONENT NAME SECTION "what it is" "text of several lines"): a name, and what stands in its control file.
macro(describe component name section summary text)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_DEBIAN_${upper}_PACKAGE_PRIORITY optional)
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}")
    set(documents ${CMAKE_INSTALL_DATADIR}/doc/${name})
    install(FILES ${packaging}/copyright DESTINATION ${documents} COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(FILES ${packaging}/changelog.gz DESTINATION ${documents} COMPONENT ${component}
            EXCLUDE_FROM_ALL)
endmacro()

set(packaging ${PROJECT_BINARY_DIR}/packaging)
describe(runtime libmoonpod${PROJECT_VERSION_MAJOR} libs
"trains neural networks on replicated TPU-style cores (library)"
"Moonpod compiles one step of training into a static program and runs it on as
many replicated cores as the strategy says, on the CPU at hand.
.
This package has the shared library, for programs in C and C++.")
describe(development libmoonpod-dev libdevel "trains neural networks on replicated TPU-style cores (headers)"
"Moonpod compiles one step of training into a static program and runs it on as
many replicated cores as the strategy says, on the CPU at hand.
.
This package has the headers, the static library, and files for CMake and
pkg-config.")
describe(lua lua-moonpod interpreters "trains neural networks from Lua"
"Moonpod compiles one step of training into a static program and runs it on as
many replicated cores as the strategy says, on the CPU at hand.
.
This package has the module for Lua 5.4, 5.3, 5.2 and 5.1 and for LuaJIT.")
describe(mpi lua-moonpod-mpi interpreters "trains neural networks from Lua (many hosts by MPI)"
"Moonpod compiles one step of training into a static program and runs it on as
many replicated cores as the strategy says, on the CPU at hand.
.
This package has what Open MPI and MPICH need for cores on many hosts.")
describe(tools moonpod math "trains neural networks: scripts and interactive sessions"
"Moonpod compiles one step of training into a static program and runs it on as
many replicated cores as the strategy says, on the CPU at hand.
.
This package has the executable that runs scripts and interactive sessions,
and the kernel for Jupyter.")
describe(book moonpod-doc doc "trains neural networks from Lua (book, examples, notebooks)"
"Moonpod compiles one step of training into a static program and runs it on as
many replicated cores as the strategy says, on the CPU at hand.
.
This package has the book, which a browser reads without a network, examples,
and notebooks for Jupyter.")

set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/finish_packages.cmake)
set(soname ${PROJECT_VERSION_MAJOR})
file(WRITE ${packaging}/shlibs "libmoonpod ${soname} libmoonpod${soname} (>= ${PROJECT_VERSION})\n")
file(WRITE ${packaging}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${packaging}/shlibs ${packaging}/triggers)
# What the library opens by its name where it is there.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS libopenblas0-serial)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libmoonpod${PROJECT_VERSION_MAJOR} ${exact}, libuv1-dev, zlib1g-dev, libdeflate-dev, libturbojpeg0-dev")
set(CPACK_DEBIAN_LUA_PACKAGE_DEPENDS "libmoonpod${PROJECT_VERSION_MAJOR} ${exact}")
set(CPACK_DEBIAN_LUA_PACKAGE_SUGGESTS "lua5.4 | lua5.3 | lua5.2 | lua5.1 | luajit")
# Either MPI will do, and no more than the one at hand is opened.
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "lua-moonpod ${exact}, libopenmpi3 | libmpich12, libc6 (>= 2.34)")
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "lua-moonpod ${exact}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS moonpod-doc)
set(CPACK_DEBIAN_BOOK_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_BOOK_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "dataset-fashion-mnist, jupyter-client")

# What Debian wants in each package: whose it is, and what changed.
file(READ LICENSE license)
string(REGEX REPLACE "^MIT License\n\n(Copyright[^\n]*)\n\n" "" license "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" license "${license}")
file(WRITE ${packaging}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: moonpod

Files: *
Copyright: 2026 the Moonpod maintainers
License: MIT

License: MIT
 ${license}")
# Of a release the date is given (SOURCE_DATE_EPOCH): its packages have the same bytes whenever they are made.
if(MOONPOD_DATE)
    set(ENV{SOURCE_DATE_EPOCH} ${MOONPOD_DATE})
else()
    execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 --format=%aD OUTPUT_VARIABLE date ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT date)
    string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
file(WRITE ${packaging}/changelog
"moonpod (${PROJECT_VERSION}) unstable; urgency=medium

  * Made by cpack; /CHANGELOG.md of the sources says what changed.

 -- ${MOONPOD_MAINTAINER}  ${date}
")
execute_process(COMMAND gzip -9nf ${packaging}/changelog)

include(CPack)
