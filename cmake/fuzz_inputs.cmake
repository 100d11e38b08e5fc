# Inputs that are kept: an archive a target, unpacked where one changed (tests/fuzz/keep).
set(fuzz_inputs)
file(GLOB fuzz_archives CONFIGURE_DEPENDS tests/fuzz/corpus/*.tar.gz)
foreach(archive IN LISTS fuzz_archives)
    get_filename_component(name ${archive} NAME_WE)
    set(unpacked ${PROJECT_BINARY_DIR}/fuzz-inputs/${name}.unpacked)
    add_custom_command(OUTPUT ${unpacked} DEPENDS ${archive}
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/fuzz-inputs/${name}
        COMMAND ${CMAKE_COMMAND} -E chdir ${PROJECT_BINARY_DIR}/fuzz-inputs ${CMAKE_COMMAND} -E tar xzf ${archive}
        COMMAND ${CMAKE_COMMAND} -E touch ${unpacked})
    list(APPEND fuzz_inputs ${unpacked})
endforeach()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz-inputs)
add_custom_target(fuzz_inputs DEPENDS ${fuzz_inputs})
