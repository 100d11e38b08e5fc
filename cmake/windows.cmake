# Builds for Windows on x86-64 by clang, with Debian's mingw-w64 for headers and libraries. Not by gcc, which keeps AVX
# registers by instructions that want 32 bytes on a stack that Windows aligns to 16 (its bug 54412). The C library is
# the UCRT, which Windows has since 10. MOONPOD_STATIC_ROOT is a folder with the libraries (tests/tools/static_root).
# ./dev build --for windows does both.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET x86_64-w64-mingw32)
set(CMAKE_AR x86_64-w64-mingw32-ar)
set(CMAKE_RANLIB x86_64-w64-mingw32-ranlib)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MOONPOD_STATIC_ROOT)

# clang does not find where Debian has gcc's own library.
execute_process(COMMAND x86_64-w64-mingw32-gcc -print-libgcc-file-name OUTPUT_VARIABLE libgcc
                OUTPUT_STRIP_TRAILING_WHITESPACE)
get_filename_component(libgcc "${libgcc}" DIRECTORY)
set(CMAKE_C_FLAGS_INIT "-D_UCRT -D_WIN32_WINNT=0x0602 -isystem ${MOONPOD_STATIC_ROOT}/include")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld -L${MOONPOD_STATIC_ROOT}/lib -L${libgcc}")
endforeach()
set(CMAKE_FIND_ROOT_PATH ${MOONPOD_STATIC_ROOT} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${MOONPOD_STATIC_ROOT}/lib/pkgconfig)
set(CMAKE_HAVE_LIBC_PTHREAD ON CACHE BOOL "Threads are the system's own: no library is wanted" FORCE)

set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/../tests/tools/wine)
