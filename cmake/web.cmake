# Builds for pages of browsers by emscripten. MOONPOD_STATIC_ROOT is a folder with the libraries
# (tests/tools/static_root). ./dev build --for web does both.

set(EMSCRIPTEN_SYSTEM_PROCESSOR wasm32)
find_program(emcc emcc REQUIRED)
get_filename_component(EMSCRIPTEN_ROOT_PATH ${emcc} REALPATH)
get_filename_component(EMSCRIPTEN_ROOT_PATH ${EMSCRIPTEN_ROOT_PATH} DIRECTORY)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MOONPOD_STATIC_ROOT)
include(${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake)

set(CMAKE_C_FLAGS_INIT "-msimd128 -isystem ${MOONPOD_STATIC_ROOT}/include")
set(CMAKE_FIND_ROOT_PATH ${MOONPOD_STATIC_ROOT})
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${MOONPOD_STATIC_ROOT}/lib/pkgconfig)
set(CMAKE_HAVE_LIBC_PTHREAD ON CACHE BOOL "There are no threads" FORCE)

# Its fetch() keeps emscripten's programs from finding their own file.
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-experimental-fetch)
