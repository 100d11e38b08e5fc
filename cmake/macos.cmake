# Builds for macOS by zig's clang, which brings the headers and the names of the system's libraries; MOONPOD_ZIG is its
# executable, MOONPOD_MAC the machine: aarch64 or x86_64. MOONPOD_STATIC_ROOT is a folder with the libraries
# (tests/tools/static_root). ./dev build --for macos-arm64 does it all. Nothing of it can be run here.

set(CMAKE_SYSTEM_NAME Darwin)
string(REPLACE aarch64 arm64 CMAKE_SYSTEM_PROCESSOR ${MOONPOD_MAC})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MOONPOD_STATIC_ROOT MOONPOD_ZIG MOONPOD_MAC)
set(CMAKE_C_COMPILER ${MOONPOD_ZIG})
set(CMAKE_C_COMPILER_ARG1 "cc --target=${MOONPOD_MAC}-macos.11.0")
set(CMAKE_INSTALL_NAME_TOOL llvm-install-name-tool CACHE STRING "Paths of libraries are right as they are built")
set(CMAKE_OSX_SYSROOT "" CACHE STRING "zig's")
set(CMAKE_OSX_DEPLOYMENT_TARGET "" CACHE STRING "That of the target")

set(CMAKE_C_FLAGS_INIT "-isystem ${MOONPOD_STATIC_ROOT}/include")
# Lua is within the executable, and what modules ask of it stays there also where it does not ask itself.
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,--no-gc-sections)
set(CMAKE_FIND_ROOT_PATH ${MOONPOD_STATIC_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${MOONPOD_STATIC_ROOT}/lib/pkgconfig)

# This file is read again behind CMake's own rules: zig links no bundles, which a module may do without, has no numbers
# of versions, and keeps archives by a program of its own.
set(CMAKE_SHARED_LIBRARY_RUNTIME_C_FLAG "-Wl,-rpath,")
set(CMAKE_USER_MAKE_RULES_OVERRIDE_C ${CMAKE_CURRENT_LIST_FILE})
set(CMAKE_SHARED_MODULE_CREATE_C_FLAGS "-dynamiclib -undefined dynamic_lookup")
unset(CMAKE_C_OSX_COMPATIBILITY_VERSION_FLAG)
unset(CMAKE_C_OSX_CURRENT_VERSION_FLAG)
set(CMAKE_C_ARCHIVE_CREATE "${MOONPOD_ZIG} ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_APPEND "${MOONPOD_ZIG} ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "${MOONPOD_ZIG} ranlib <TARGET>")
