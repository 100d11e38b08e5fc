# What is done with packages when they are made. The scripts that cpack writes to run ldconfig are taken out of packages
# that have a trigger for it; and where SOURCE_DATE_EPOCH is set no package knows when it was made: dpkg-deb takes that
# for all that is newer.

foreach(package IN LISTS CPACK_PACKAGE_FILES)
    get_filename_component(name ${package} NAME)
    set(has_trigger FALSE)
    if(name MATCHES "^libmoonpod[0-9]+_")
        set(has_trigger TRUE)
    endif()
    if(has_trigger OR DEFINED ENV{SOURCE_DATE_EPOCH})
        set(tree ${CPACK_TEMPORARY_DIRECTORY}/${name}.tree)
        file(REMOVE_RECURSE ${tree})
        execute_process(COMMAND dpkg-deb -R ${package} ${tree} COMMAND_ERROR_IS_FATAL ANY)
        if(has_trigger)
            file(REMOVE ${tree}/DEBIAN/postinst ${tree}/DEBIAN/postrm)
        endif()
        if(DEFINED ENV{SOURCE_DATE_EPOCH})
            execute_process(COMMAND find ${tree} -exec touch -h -d @$ENV{SOURCE_DATE_EPOCH} {} +
                            COMMAND_ERROR_IS_FATAL ANY)
        endif()
        execute_process(COMMAND dpkg-deb --root-owner-group -b ${tree} ${package} OUTPUT_QUIET
                        COMMAND_ERROR_IS_FATAL ANY)
        file(REMOVE_RECURSE ${tree})
    endif()
endforeach()
