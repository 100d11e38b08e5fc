# What a page of a browser has: moonpod.js, with the library, Lua and the modules of Lua within as one file of
# WebAssembly, and the tests that run without a browser, under node. ./dev build --for web.

add_library(moonpod_static STATIC ${objects})
set_target_properties(moonpod_static PROPERTIES OUTPUT_NAME moonpod)
target_include_directories(moonpod_static PUBLIC core/include)
target_link_libraries(moonpod_static PUBLIC PkgConfig::LIBUV PkgConfig::IMAGES ZLIB::ZLIB m)
set(of_memory -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB)

# ---- the page ------------------------------------------------------------------------------------------

pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4)
file(GLOB bind_sources CONFIGURE_DEPENDS lua/bind/*.c)
file(GLOB host_sources CONFIGURE_DEPENDS core/base/system/host/*.c)
include(cmake/embedded.cmake)
add_executable(engine web/page.c ${bind_sources} ${host_sources} ${one_file_sources})
target_include_directories(engine PRIVATE lua/bind core)
target_compile_definitions(engine PRIVATE POD_WITHOUT_COMPILED_MODULES MOONPOD_ONE_FILE)
target_link_libraries(engine PRIVATE moonpod_static PkgConfig::LUA)
target_link_options(engine PRIVATE --no-entry ${of_memory} -sMODULARIZE=1 -sEXPORT_NAME=createMoonpod
    -sENVIRONMENT=worker,node -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS -sEXPORTED_FUNCTIONS=_malloc,_free
    -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0)

set(page ${PROJECT_BINARY_DIR}/moonpod.js)
set(page_parts ${PROJECT_SOURCE_DIR}/web/moonpod.js ${PROJECT_BINARY_DIR}/engine.wasm
    ${PROJECT_BINARY_DIR}/engine.js ${PROJECT_SOURCE_DIR}/web/engine.js ${PROJECT_SOURCE_DIR}/web/worker.js)
add_custom_command(OUTPUT ${page}
                   COMMAND ${MOONPOD_LUA_HERE} ${PROJECT_SOURCE_DIR}/cmake/web_page.lua ${page} ${page_parts}
                   DEPENDS engine ${PROJECT_SOURCE_DIR}/cmake/web_page.lua ${PROJECT_SOURCE_DIR}/web/moonpod.js
                           ${PROJECT_SOURCE_DIR}/web/engine.js ${PROJECT_SOURCE_DIR}/web/worker.js VERBATIM)
add_custom_target(runtime DEPENDS ${page})

# ---- tests ---------------------------------------------------------------------------------------------

if(NOT MOONPOD_TESTS)
    return()
endif()
enable_testing()
add_custom_target(system_tests)
# Nothing can be run at a time here.
list(REMOVE_ITEM tests_of_systems workers)
list(JOIN tests_of_systems "|" tests_of_systems)
file(GLOB test_sources CONFIGURE_DEPENDS tests/core/test_*.c)
list(FILTER test_sources INCLUDE REGEX "/test_(${tests_of_systems})\\.c$")
foreach(source IN LISTS test_sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    target_include_directories(${name} PRIVATE core/include core core/kernels tests/core)
    target_compile_options(${name} PRIVATE -UNDEBUG)
    target_link_libraries(${name} PRIVATE moonpod_static)
    # A link that optimises takes longer than the tests.
    target_link_options(${name} PRIVATE -O1 ${of_memory} -sEXIT_RUNTIME=1 -sENVIRONMENT=node -sNODERAWFS=1)
    add_dependencies(system_tests ${name})
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${patience} SKIP_RETURN_CODE 77 LABELS system)
endforeach()
# Kept and damaged files: tests/fuzz.
include(cmake/fuzz_inputs.cmake)
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c repl/editor/*.c)
add_executable(fuzz_damage ${fuzz_sources} notebooks/kernel/wire.c notebooks/kernel/json_text.c ${host_sources})
target_include_directories(fuzz_damage PRIVATE core/include core core/kernels tests/core repl notebooks/kernel)
target_link_libraries(fuzz_damage PRIVATE moonpod_static)
target_link_options(fuzz_damage PRIVATE -O1 ${of_memory} -sEXIT_RUNTIME=1 -sENVIRONMENT=node -sNODERAWFS=1
    -sTOTAL_STACK=16MB -sINITIAL_MEMORY=64MB)
add_dependencies(fuzz_damage fuzz_inputs)
add_dependencies(system_tests fuzz_damage)
add_test(NAME fuzz_corpus COMMAND fuzz_damage corpus ${PROJECT_BINARY_DIR}/fuzz-inputs
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(fuzz_corpus PROPERTIES TIMEOUT ${patience} LABELS system_long)
foreach(name training kept sandbox)
    add_test(NAME ${name} COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} ${PROJECT_SOURCE_DIR}/tests/systems/web_script.js
                                  ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/tests/systems/${name}.lua)
    set_tests_properties(${name} PROPERTIES TIMEOUT 480 LABELS system)
endforeach()
set_tests_properties(sandbox PROPERTIES LABELS system_long)
add_test(NAME page COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/systems/web_page.py ${PROJECT_BINARY_DIR})
set_tests_properties(page PROPERTIES TIMEOUT 480 SKIP_RETURN_CODE 77 LABELS system_long)
# The book whose blocks run, where ./dev docs --live has made it.
add_test(NAME book COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/systems/web_book.py ${PROJECT_SOURCE_DIR}/build/site)
set_tests_properties(book PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77 LABELS system_long)
