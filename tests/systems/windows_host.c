/*
 * windows_host - a host in C for Windows: contexts of the library, and states of LuaJIT with the module, come and go,
 * CYCLES of them, and leave neither memory nor handles behind. Prints its counts as tests of C do.
 *
 *     windows_host CYCLES FOLDER     the folder has lua/ and lua5.1/, as what is unpacked has
 */

#include <lauxlib.h>
#include <lualib.h>
#include <moonpod.h>
#include <moonpod_lua.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static int passed, failed;

static void check(const char *what, int holds, const char *seen)
{
    *(holds ? &passed : &failed) += 1;
    printf("%s %d - %s%s%s\n", holds ? "ok" : "not ok", passed + failed, what, holds ? "" : ": ", holds ? "" : seen);
    fflush(stdout);
}

/* What the process has taken. Wine does not count it, so its pages are asked for, and how far numbers of handles are,
 * of which the lowest that is free is given out. */
typedef struct taken {
    long long bytes;
    long handles;
} taken;

static taken look(void)
{
    MEMORY_BASIC_INFORMATION part;
    taken found = {0};
    for (char *at = NULL; VirtualQuery(at, &part, sizeof part) == sizeof part;
         at = (char *)part.BaseAddress + part.RegionSize)
        if (part.State == MEM_COMMIT && part.Type == MEM_PRIVATE)
            found.bytes += (long long)part.RegionSize;
    const HANDLE next = CreateEventW(NULL, FALSE, FALSE, NULL);
    found.handles = (long)((uintptr_t)next / 4);
    (void)CloseHandle(next);
    return found;
}

static int open_context(const char *folder)
{
    pod_error error;
    pod_context *context;
    pod_graph *graph = NULL;
    pod_program *program = NULL;
    pod_buffer *state = NULL;
    const pod_shape shape = {2, {16, 16}};
    (void)folder;
    if (pod_context_new(&(pod_context_options){.threads = 2}, &context, &error) != POD_OK)
        return 0;
    int done = pod_graph_new(context, "cycle", &graph, &error) == POD_OK;
    pod_node *x = pod_graph_parameter(graph, POD_F32, &shape, "x");
    pod_graph_add_output(graph, pod_graph_tanh(graph, pod_graph_matmul(graph, x, x)));
    pod_graph_set_alias(graph, 0, 0);
    done = done && pod_program_compile(context, graph, NULL, &program, &error) == POD_OK &&
           pod_buffer_new(context, POD_F32, &shape, &state, &error) == POD_OK &&
           pod_program_run(program, &state, NULL, &(pod_run_options){.steps = 3}, NULL, &error) == POD_OK;
    pod_buffer_release(state);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
    return done;
}

static const char script[] = "local root = ...\n"
                             "package.path = root .. '/lua/?.lua;' .. root .. '/lua/?/init.lua'\n"
                             "package.cpath = root .. '/lua5.1/?.dll'\n"
                             "local pod = require 'moonpod'\n"
                             "local x = pod.tensor { { 1, 2 }, { 3, 4 } }\n"
                             "assert((x + 1):sum():item() == 14)";

static int open_state(const char *folder)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    int done = luaL_loadstring(L, script) == 0;
    lua_pushstring(L, folder);
    done = done && lua_pcall(L, 1, 0, 0) == 0;
    if (!done)
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    lua_close(L);
    return done;
}

/* A quarter of the cycles are to fill what the system and the allocator keep; the others take nothing more than what
 * differs from one moment to the next. */
static void cycle(const char *what, int cycles, const char *folder, int (*one)(const char *folder))
{
    enum { SLACK = 2 << 20 };
    char seen[128];
    int done = 1;
    for (int i = 0; i < cycles / 4; i++)
        done = one(folder) && done;
    const taken before = look();
    for (int i = cycles / 4; i < cycles; i++)
        done = one(folder) && done;
    const taken after = look();
    (void)snprintf(seen, sizeof seen, "%lld bytes, %ld handles, then %lld, %ld", before.bytes, before.handles,
                   after.bytes, after.handles);
    printf("# %s: %s\n", what, seen);
    check(what, done, "not all were done");
    check("they leave no memory behind", after.bytes - before.bytes < SLACK, seen);
    check("they leave no handles behind", after.handles - before.handles < 8, seen);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    const int cycles = atoi(argv[1]);
    cycle("contexts in C come and go", cycles, argv[2], open_context);
    cycle("states of LuaJIT come and go", cycles, argv[2], open_state);
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
