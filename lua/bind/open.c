/* open - opens the module moonpod.core: what all other files of it have. */

#include "bind.h"

POD_API int luaopen_moonpod_core(lua_State *L);

/* A kind before those that add methods to it. */
static const pod_lua_part *const parts[] = {
    &pod_lua_module_part,         &pod_lua_text_part,
    &pod_lua_compiled_part,       &pod_lua_context_part,
    &pod_lua_buffer_part,         &pod_lua_graph_part,
    &pod_lua_graph_build_part,    &pod_lua_graph_copy_part,
    &pod_lua_program_part,        &pod_lua_run_part,
    &pod_lua_bound_part,          &pod_lua_dataset_part,
    &pod_lua_iterator_part,       &pod_lua_dataset_stages_part,
    &pod_lua_dataset_decode_part, &pod_lua_dataset_callbacks_part,
    &pod_lua_worker_part,         &pod_lua_formats_part,
    &pod_lua_named_arrays_part,   &pod_lua_events_part,
    &pod_lua_chips_part,          &pod_lua_chip_part,
    &pod_lua_compiler_part,       &pod_lua_exchange_part,
    &pod_lua_exported_part,       &pod_lua_tpu_part,
    &pod_lua_compatibility_part,  &pod_lua_profile_part,
    &pod_lua_accelerator_part,    &pod_lua_service_part,
    &pod_lua_service_worker_part, &pod_lua_ranks_part,
};

POD_API int luaopen_moonpod_core(lua_State *L)
{
    if (pod_version() / 100 != POD_VERSION_MAJOR * 100 + POD_VERSION_MINOR)
        return luaL_error(L, "moonpod.core was built for version %d.%d of libmoonpod, not %d.%d", POD_VERSION_MAJOR,
                          POD_VERSION_MINOR, pod_version() / 10000, pod_version() / 100 % 100);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        pod_lua_open_part(L, parts[i]);
    pod_lua_open_sandbox(L, luaopen_moonpod_core);
    pod_lua_open_coroutines(L);
    return 1;
}
