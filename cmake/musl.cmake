# Builds for any Linux on x86-64 with Debian's musl-gcc: one static executable. MOONPOD_STATIC_ROOT is a folder that has
# the libraries (tests/tools/static_root). ./dev build --for linux-musl does both.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER musl-gcc)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MOONPOD_STATIC_ROOT)

set(CMAKE_C_FLAGS_INIT "-isystem ${MOONPOD_STATIC_ROOT}/include")
# musl gives threads the stack that the executable asks for.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -Wl,-z,stack-size=8388608")
set(CMAKE_FIND_ROOT_PATH ${MOONPOD_STATIC_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${MOONPOD_STATIC_ROOT}/lib/pkgconfig)
set(MOONPOD_ONE_FILE ON CACHE BOOL "The executable has the library and the modules of Lua within" FORCE)

# It runs here as it does everywhere.
set(CMAKE_CROSSCOMPILING_EMULATOR env)
