# What the executable has within where it is one file: the module in C, and the modules of Lua.

include(cmake/embedded.cmake)
target_sources(moonpod_session PRIVATE ${bind_sources} ${one_file_sources})
target_include_directories(moonpod_session PRIVATE lua/bind)
target_compile_definitions(moonpod_session PRIVATE MOONPOD_ONE_FILE)

# What lies on the paths of another Moonpod is not taken.
if(MOONPOD_TESTS)
    set(script ${PROJECT_SOURCE_DIR}/tests/systems/own_modules.lua)
    add_test(NAME own_modules COMMAND moonpod_repl ${script})
    set_tests_properties(own_modules PROPERTIES TIMEOUT ${patience} LABELS system
                         ENVIRONMENT "LUA_PATH=${script};LUA_CPATH=${script}")
endif()
