# The modules of Lua as bytecode, for Lua 5.4 and LuaJIT: a file beside the module in C (lua/bind/lua_compiled.c). Where
# there is none, of another interpreter or older than a text, modules are read from their texts.

if(MOONPOD_SANITIZE OR CMAKE_CROSSCOMPILING)
    return()
endif()

file(GLOB_RECURSE lua_files RELATIVE ${PROJECT_SOURCE_DIR}/lua/moonpod CONFIGURE_DEPENDS lua/moonpod/*.lua)
list(TRANSFORM lua_files PREPEND ${PROJECT_SOURCE_DIR}/lua/moonpod/ OUTPUT_VARIABLE lua_paths)

# Adds the file for a version: written by an interpreter that finds the module in C in `folder`, installed with a
# component.
function(add_compiled_modules target version folder component)
    set(output ${PROJECT_BINARY_DIR}/${folder}/moonpod/modules.luac)
    add_custom_command(OUTPUT ${output}
                       COMMAND ${CMAKE_COMMAND} -E env ${own_environment} LUA_CPATH_5_4=
                               LUA_CPATH=${PROJECT_BINARY_DIR}/${folder}/?.so ${ARGN}
                               ${PROJECT_SOURCE_DIR}/cmake/compile_modules.lua ${output}
                               ${PROJECT_SOURCE_DIR}/lua/moonpod ${lua_files}
                       DEPENDS ${target} ${PROJECT_SOURCE_DIR}/cmake/compile_modules.lua ${lua_paths} VERBATIM)
    add_custom_target(${target}_modules ALL DEPENDS ${output})
    add_dependencies(runtime ${target}_modules)
    install(FILES ${output} DESTINATION ${MOONPOD_LUA_LIBDIR}/${version}/moonpod
            COMPONENT ${component})
endfunction()

if(TARGET moonpod_core AND TARGET moonpod_repl)
    add_compiled_modules(moonpod_core 5.4 lua lua $<TARGET_FILE:moonpod_repl>)
endif()
find_program(MOONPOD_LUAJIT luajit DOC "LuaJIT, which writes bytecode for itself")
# Not in packages, which are to be the same bytes each time: LuaJIT writes tables in another order in each process.
if(TARGET moonpod_core_51 AND MOONPOD_LUAJIT)
    add_compiled_modules(moonpod_core_51 5.1 lua5.1 luajit ${MOONPOD_LUAJIT})
endif()
