/* open - opens the module moonpod.core: what all other files of it have. */

#include "bind.h"
#include "dataset_access.h"
#include "graph_access.h"
#include "program_access.h"

POD_API int luaopen_moonpod_core(lua_State *L);

POD_API int luaopen_moonpod_core(lua_State *L)
{
    if (pod_version() / 100 != POD_VERSION_MAJOR * 100 + POD_VERSION_MINOR)
        return luaL_error(L, "moonpod.core was built for version %d.%d of libmoonpod, not %d.%d", POD_VERSION_MAJOR,
                          POD_VERSION_MINOR, pod_version() / 10000, pod_version() / 100 % 100);
    lua_newtable(L);
    pod_lua_open_module(L);
    pod_lua_open_text(L);
    pod_lua_open_compiled(L);
    pod_lua_open_context(L);
    pod_lua_open_buffer(L);
    pod_lua_open_graph(L);
    pod_lua_open_graph_build(L);
    pod_lua_open_graph_copy(L);
    pod_lua_open_program(L);
    pod_lua_open_run(L);
    pod_lua_open_bound(L);
    pod_lua_open_dataset(L);
    pod_lua_open_iterator(L);
    pod_lua_open_dataset_stages(L);
    pod_lua_open_dataset_decode(L);
    pod_lua_open_dataset_callbacks(L);
    pod_lua_open_worker(L);
    pod_lua_open_formats(L);
    pod_lua_open_named_arrays(L);
    pod_lua_open_events(L);
    pod_lua_open_chips(L);
    pod_lua_open_chip(L);
    pod_lua_open_exchange(L);
    pod_lua_open_exported(L);
    pod_lua_open_tpu(L);
    pod_lua_open_compatibility(L);
    pod_lua_open_profile(L);
    pod_lua_open_sandbox(L, luaopen_moonpod_core);
    pod_lua_open_coroutines(L);
    return 1;
}
