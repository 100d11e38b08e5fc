# What the executable has within where it is one file: the module in C, and the modules of Lua.

include(cmake/embedded.cmake)
target_sources(moonpod_session PRIVATE ${bind_sources} ${one_file_sources})
target_include_directories(moonpod_session PRIVATE lua/bind)
target_compile_definitions(moonpod_session PRIVATE MOONPOD_ONE_FILE)
