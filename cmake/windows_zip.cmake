# What there is for Windows as one file to unpack, with nothing else to install: the folder is the executable's, and
# hosts in C, C++, Lua 5.4 and LuaJIT find there what they need. docs/guides/install.md says how.

set(zip_name moonpod-${PROJECT_VERSION}-windows-x86_64)
set(zip_folder ${PROJECT_BINARY_DIR}/zip/${zip_name})
file(CONFIGURE OUTPUT fill_zip.cmake @ONLY CONTENT [=[
file(REMOVE_RECURSE "@zip_folder@")
file(COPY "@PROJECT_BINARY_DIR@/moonpod.exe" "@PROJECT_BINARY_DIR@/moonpod.dll" "@MOONPOD_STATIC_ROOT@/bin/lua54.dll"
          "@PROJECT_SOURCE_DIR@/LICENSE" DESTINATION "@zip_folder@")
file(COPY "@PROJECT_SOURCE_DIR@/lua/moonpod" DESTINATION "@zip_folder@/lua" FILES_MATCHING PATTERN "*.lua")
foreach(folder lua lua5.1)
    file(COPY "@PROJECT_BINARY_DIR@/${folder}/moonpod/core.dll" DESTINATION "@zip_folder@/${folder}/moonpod")
endforeach()
file(COPY "@PROJECT_SOURCE_DIR@/core/include/" "@PROJECT_SOURCE_DIR@/lua/host/moonpod_lua.h"
     DESTINATION "@zip_folder@/include" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
file(COPY "@PROJECT_BINARY_DIR@/libmoonpod.dll.a" DESTINATION "@zip_folder@/lib")
file(COPY "@PROJECT_SOURCE_DIR@/examples" DESTINATION "@zip_folder@")
execute_process(COMMAND @CMAKE_STRIP@ "@zip_folder@/moonpod.exe" "@zip_folder@/moonpod.dll" "@zip_folder@/lua54.dll"
                        "@zip_folder@/lua/moonpod/core.dll" "@zip_folder@/lua5.1/moonpod/core.dll"
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "@CMAKE_COMMAND@" -E tar cf "@PROJECT_BINARY_DIR@/@zip_name@.zip" --format=zip "@zip_name@"
                WORKING_DIRECTORY "@PROJECT_BINARY_DIR@/zip" COMMAND_ERROR_IS_FATAL ANY)
]=])
add_custom_target(zip ALL COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/fill_zip.cmake)
add_dependencies(zip moonpod moonpod_repl moonpod_core moonpod_core_51)
