# A rock: the module for one Lua alone, the library within it, where LuaRocks says. The other targets are left out.

set(MOONPOD_ROCK_INCLUDE "" CACHE PATH "Headers of that Lua")
set(MOONPOD_ROCK_LIBDIR lib CACHE PATH "Where moonpod/core.so is installed")
set(MOONPOD_ROCK_LUADIR lua CACHE PATH "Where moonpod/init.lua is installed")
if(NOT EXISTS ${MOONPOD_ROCK_INCLUDE}/lua.h)
    message(FATAL_ERROR "There is no lua.h in '${MOONPOD_ROCK_INCLUDE}': install Lua's headers")
endif()

set_target_properties(moonpod PROPERTIES EXCLUDE_FROM_ALL ON)
add_library(moonpod_rock MODULE ${bind_sources})
target_include_directories(moonpod_rock PRIVATE ${MOONPOD_ROCK_INCLUDE} lua/bind core)
target_link_libraries(moonpod_rock PRIVATE moonpod_static moonpod_host)
# What the library has for other programs is not seen: a second module of another Lua has its own.
target_link_options(moonpod_rock PRIVATE -Wl,--as-needed -Wl,--exclude-libs,ALL)
set_target_properties(moonpod_rock PROPERTIES PREFIX "" OUTPUT_NAME core)
install(TARGETS moonpod_rock LIBRARY DESTINATION ${MOONPOD_ROCK_LIBDIR}/moonpod)
install(DIRECTORY lua/moonpod DESTINATION ${MOONPOD_ROCK_LUADIR} FILES_MATCHING PATTERN "*.lua")
