/* ranks - processes that run programs together: see moonpod/ranks.h. */

#include "program_access.h"

#include <moonpod/ranks.h>
#include <stdio.h>
#include <string.h>

static void end(void *ranks)
{
    pod_ranks_close(ranks);
}

static void describe(lua_State *L, void *ranks)
{
    const pod_ranks_description *about = pod_ranks_describe(ranks);
    lua_pushfstring(L, "%d of %d", (int)about->rank, (int)about->count);
}

static const pod_lua_kind kind = {"moonpod.ranks", "ranks", .end = end, .describe = describe};

/* A wait is told while it lasts: no Lua runs meanwhile that could hand it to anybody else. */
static void tell(void *unused, const char *text)
{
    (void)unused;
    (void)fprintf(stderr, "moonpod: %s\n", text);
}

/* ranks(context, module, narrow, algorithm) -> the processes that a launcher has started together */
static int ranks(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const pod_ranks_options options = {.module = pod_lua_check_text(L, 2),
                                       .tell = tell,
                                       .watches = true,
                                       .narrow = lua_toboolean(L, 3),
                                       .algorithm = pod_lua_optional_text(L, 4, NULL)};
    pod_ranks **box = pod_lua_new_box(L, &kind);
    return pod_lua_results(pod_ranks_open(context, &options, box, error), 1);
}

/* ranks:describe() -> { rank =, count =, neighbours =, threads =, library =, meetings =, sent_bytes =,
 * meeting_nanoseconds =, host = } */
static int ranks_describe(lua_State *L)
{
    static const pod_lua_field fields[] = {POD_LUA_FIELD(pod_ranks_description, rank),
                                           POD_LUA_FIELD(pod_ranks_description, count),
                                           POD_LUA_FIELD(pod_ranks_description, neighbours),
                                           POD_LUA_FIELD(pod_ranks_description, threads),
                                           POD_LUA_FIELD(pod_ranks_description, meetings),
                                           POD_LUA_FIELD(pod_ranks_description, sent_bytes),
                                           POD_LUA_FIELD(pod_ranks_description, meeting_nanoseconds),
                                           {0}};
    const pod_ranks_description about = *pod_ranks_describe(pod_lua_check_open(L, 1, &kind));
    lua_createtable(L, 0, 9);
    pod_lua_set_fields(L, &about, fields);
    pod_lua_set_text(L, "library", about.library);
    pod_lua_set_text(L, "host", about.host);
    return 1;
}

/* ranks:gather(text) -> an array of what each rank gave */
static int ranks_gather(lua_State *L, pod_error *error)
{
    pod_ranks *all = pod_lua_check_open(L, 1, &kind);
    size_t size;
    const char *text = luaL_checklstring(L, 2, &size);
    const size_t count = (size_t)pod_ranks_describe(all)->count;
    uint64_t *sizes = pod_lua_new_array(L, count, sizeof *sizes);
    const uint64_t own = size;
    pod_lua_check(L, pod_ranks_gather(all, &own, sizeof own, sizes, error), error);
    size_t most = 1;
    for (size_t i = 0; i < count; i++)
        most = sizes[i] > most ? (size_t)sizes[i] : most;
    char *padded = pod_lua_new_array(L, most, 1), *texts = pod_lua_new_array(L, count * most, 1);
    memcpy(padded, text, size);
    pod_lua_check(L, pod_ranks_gather(all, padded, most, texts, error), error);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushlstring(L, texts + i * most, (size_t)sizes[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* ranks:note_checkpoint(path): a file that is being written, by which training can go on */
static int ranks_note_checkpoint(lua_State *L)
{
    pod_ranks_note_checkpoint(pod_lua_check_open(L, 1, &kind), pod_lua_check_text(L, 2));
    return 0;
}

static const pod_lua_function functions[] = {{"ranks", .failing = ranks}, {0}};
static const pod_lua_function methods[] = {{"describe", .plain = ranks_describe},
                                           {"gather", .failing = ranks_gather},
                                           {"note_checkpoint", .plain = ranks_note_checkpoint},
                                           {0}};

const pod_lua_part pod_lua_ranks_part = {.functions = functions, .kind = &kind, .methods = methods};
