# The kernel for Jupyter within the executable, where that is one file: `moonpod kernel FILE`, of which --install-kernel
# tells Jupyter.

set(mains ${PROJECT_SOURCE_DIR}/notebooks/kernel/both_mains)
target_sources(moonpod_repl PRIVATE ${jupyter_sources} ${mains}.c)
target_link_libraries(moonpod_repl PRIVATE moonpod_wire PkgConfig::ZMQ)
target_compile_definitions(moonpod_session PRIVATE MOONPOD_KERNEL_WITHIN)
set_source_files_properties(repl/main.c PROPERTIES COMPILE_OPTIONS "-Dmain=main_of_session;-include;${mains}.h")
set_source_files_properties(${PROJECT_SOURCE_DIR}/notebooks/kernel/kernel_main.c PROPERTIES
    COMPILE_OPTIONS "-Dmain=main_of_kernel;-include;${mains}.h")

# What front ends get of it.
if(MOONPOD_TESTS)
    add_test(NAME kernel COMMAND /usr/bin/python3 ${PROJECT_SOURCE_DIR}/tests/notebooks/protocol.py
                                 $<TARGET_FILE:moonpod_repl> kernel --cells 20)
    set_tests_properties(kernel PROPERTIES TIMEOUT ${patience} LABELS system)
endif()
