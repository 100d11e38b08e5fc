# Takes the scripts that cpack writes to run ldconfig out of packages that have a trigger for it.

foreach(package IN LISTS CPACK_PACKAGE_FILES)
    get_filename_component(name ${package} NAME)
    if(name MATCHES "^libmoonpod[0-9]+_")
        set(tree ${CPACK_TEMPORARY_DIRECTORY}/${name}.tree)
        file(REMOVE_RECURSE ${tree})
        execute_process(COMMAND dpkg-deb -R ${package} ${tree} COMMAND_ERROR_IS_FATAL ANY)
        file(REMOVE ${tree}/DEBIAN/postinst ${tree}/DEBIAN/postrm)
        execute_process(COMMAND dpkg-deb --root-owner-group -b ${tree} ${package} OUTPUT_QUIET
                        COMMAND_ERROR_IS_FATAL ANY)
        file(REMOVE_RECURSE ${tree})
    endif()
endforeach()
