# What the executable has within where it is one file: the module in C, and the modules of Lua.

file(GLOB_RECURSE lua_files RELATIVE ${PROJECT_SOURCE_DIR}/lua/moonpod CONFIGURE_DEPENDS lua/moonpod/*.lua)
list(TRANSFORM lua_files PREPEND ${PROJECT_SOURCE_DIR}/lua/moonpod/ OUTPUT_VARIABLE lua_paths)
find_program(MOONPOD_LUA_HERE lua5.4 REQUIRED DOC "Lua 5.4, which writes the modules as C")
set(embedded ${PROJECT_BINARY_DIR}/embedded_modules.c)
add_custom_command(OUTPUT ${embedded}
                   COMMAND ${MOONPOD_LUA_HERE} ${PROJECT_SOURCE_DIR}/cmake/embed_modules.lua ${embedded}
                           ${PROJECT_SOURCE_DIR}/lua/moonpod ${lua_files}
                   DEPENDS ${PROJECT_SOURCE_DIR}/cmake/embed_modules.lua ${lua_paths} VERBATIM)
file(GLOB one_file_sources CONFIGURE_DEPENDS lua/bind/one_file/*.c)
target_sources(moonpod_session PRIVATE ${bind_sources} ${one_file_sources} ${embedded})
target_include_directories(moonpod_session PRIVATE lua/bind core)
target_compile_definitions(moonpod_session PRIVATE MOONPOD_ONE_FILE)
target_link_libraries(moonpod_session PRIVATE moonpod_host)
