# The modules of Lua as tables of C, which lua/bind/one_file reads: `one_file_sources`.

file(GLOB_RECURSE lua_files RELATIVE ${PROJECT_SOURCE_DIR}/lua/moonpod CONFIGURE_DEPENDS lua/moonpod/*.lua)
list(TRANSFORM lua_files PREPEND ${PROJECT_SOURCE_DIR}/lua/moonpod/ OUTPUT_VARIABLE lua_paths)
find_program(MOONPOD_LUA_HERE lua5.4 REQUIRED DOC "Lua 5.4, which writes the modules as C")
set(embedded ${PROJECT_BINARY_DIR}/embedded_modules.c)
add_custom_command(OUTPUT ${embedded}
                   COMMAND ${MOONPOD_LUA_HERE} ${PROJECT_SOURCE_DIR}/cmake/embed_modules.lua ${embedded}
                           ${PROJECT_SOURCE_DIR}/lua/moonpod ${lua_files}
                   DEPENDS ${PROJECT_SOURCE_DIR}/cmake/embed_modules.lua ${lua_paths} VERBATIM)
file(GLOB one_file_sources CONFIGURE_DEPENDS lua/bind/one_file/*.c)
list(APPEND one_file_sources ${embedded})
