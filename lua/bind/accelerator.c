/* accelerator - devices of a plugin, which programs are compiled for. */

#include "program_access.h"

#include <moonpod/device.h>

static void end(void *device)
{
    pod_device_release(device);
}

static void describe(lua_State *L, void *device)
{
    const pod_device_description *about = pod_device_describe(device);
    lua_pushfstring(L, "%d of %s", (int)about->count, about->platform);
}

static const pod_lua_kind kind = {"moonpod.accelerator", "accelerator", .end = end, .describe = describe};

pod_device *pod_lua_to_device(lua_State *L, int index)
{
    return lua_isnoneornil(L, index) ? NULL : pod_lua_check_open(L, index, &kind);
}

/* accelerator(context, plugin, { count =, all =, seconds =, compile_seconds =, kept =, kept_bytes = }) -> the devices
 * of a plugin */
static int accelerator(lua_State *L, pod_error *error)
{
    static const pod_lua_field asked[] = {
        POD_LUA_FIELD(pod_device_question, count),      POD_LUA_FIELD(pod_device_question, all),
        POD_LUA_FIELD(pod_device_question, seconds),    POD_LUA_FIELD(pod_device_question, compile_seconds),
        POD_LUA_FIELD(pod_device_question, kept_bytes), {0}};
    pod_context *context = pod_lua_check_context(L, 1);
    pod_device_question question = {.plugin = pod_lua_check_text(L, 2)};
    luaL_checktype(L, 3, LUA_TTABLE);
    pod_lua_read_fields(L, 3, &question, asked);
    lua_getfield(L, 3, "kept");
    question.kept = pod_lua_optional_text(L, -1, NULL); /* which the table keeps */
    pod_device **box = pod_lua_new_box(L, &kind);
    return pod_lua_results(pod_device_open(context, &question, box, error), 1);
}

/* accelerator:describe() -> { platform =, version =, kind =, count =, there =, major =, minor = } */
static int accelerator_describe(lua_State *L)
{
    static const pod_lua_field fields[] = {POD_LUA_FIELD(pod_device_description, count),
                                           POD_LUA_FIELD(pod_device_description, there),
                                           POD_LUA_FIELD(pod_device_description, major),
                                           POD_LUA_FIELD(pod_device_description, minor),
                                           {0}};
    const pod_device_description about = *pod_device_describe(pod_lua_check_open(L, 1, &kind));
    lua_createtable(L, 0, 7);
    pod_lua_set_fields(L, &about, fields);
    pod_lua_set_text(L, "platform", about.platform);
    pod_lua_set_text(L, "version", about.version);
    pod_lua_set_text(L, "kind", about.kind);
    return 1;
}

/* accelerator:memory(index) -> { used =, peak =, limit =, largest_free = } of a device, from 0: bytes that the plugin
 * tells. Where it tells nothing: nil, why */
static int accelerator_memory(lua_State *L, pod_error *error)
{
    static const pod_lua_field fields[] = {POD_LUA_FIELD(pod_device_memory, peak),
                                           POD_LUA_FIELD(pod_device_memory, limit),
                                           POD_LUA_FIELD(pod_device_memory, largest_free),
                                           {0}};
    pod_device_memory memory;
    const pod_device *device = pod_lua_check_open(L, 1, &kind);
    const pod_status status =
        pod_device_ask_memory(device, (int32_t)pod_lua_check_within(L, 2, "the device", 0, INT32_MAX), &memory, error);
    if (status == POD_ERROR_UNSUPPORTED) {
        lua_pushnil(L);
        lua_pushstring(L, error->message);
        return 2;
    }
    lua_createtable(L, 0, 4);
    pod_lua_set_integer(L, "used", memory.used);
    pod_lua_set_known_fields(L, &memory, fields);
    return pod_lua_results(status, 1);
}

static const pod_lua_function functions[] = {{"accelerator", .failing = accelerator}, {0}};
static const pod_lua_function methods[] = {
    {"describe", .plain = accelerator_describe}, {"memory", .failing = accelerator_memory}, {0}};

const pod_lua_part pod_lua_accelerator_part = {.functions = functions, .kind = &kind, .methods = methods};
