/*
 * moonpod-kernel - a kernel of Jupyter: `moonpod-kernel FILE` talks with front ends as the connection file says.
 * Protocol 5.4 on ZeroMQ; threads for the gate, heartbeat, iopub, control and what is written to the standard streams;
 * the one of Lua runs cells, by lua/moonpod/notebook, on the session of the executable `moonpod`.
 */

#include "calls.h"
#include "control_thread.h"
#include "interrupt.h"
#include "paths.h"
#include "session.h"
#include "shell.h"
#include "sockets.h"
#include "startup.h"
#include "streams.h"
#include "threads.h"
#include "trouble.h"

#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: moonpod-kernel CONNECTION_FILE\n"
                            "A kernel of Jupyter, which front ends start; moonpod --install-kernel tells them of it.\n";

typedef struct kernel_invocation {
    const char *path;
    kernel_state *kernel;
    bool works; /* the kernel has talked, and ended well */
} kernel_invocation;

static void prepare_state(lua_State *L)
{
    luaL_openlibs(L);
    paths_add(L);
    startup_set_host(L, false, true);
    interrupt_prepare(L);
    trouble_prepare(L);
    session_offer_module(L);
    lua_gc(L, LUA_GCGEN, 0, 0);
}

/* Begins all threads but that of Lua; talks; ends them. */
static bool talk(lua_State *L, kernel_state *kernel)
{
    pthread_t control;
    control_thread thread = {kernel, control_new(L, kernel)};
    const int log = streams_begin(&kernel->shared);
    if (log >= 0)
        channel_log_to(log);
    if (log < 0 || thread.L == NULL || !threads_begin(&control, control_run, &thread)) {
        channel_log("a thread could not be begun");
        return false;
    }
    interrupt_keep_session(true);
    trouble_set(true, false);
    const bool works = shell_run(L, kernel);
    atomic_store(&kernel->is_ending, true);
    lua_close(L);
    streams_end();
    atomic_store(&kernel->has_ended, true);
    pthread_join(control, NULL);
    return works;
}

/* All of the program in a protected call. */
static int run_all(lua_State *L)
{
    kernel_invocation *call = lua_touserdata(L, 1);
    prepare_state(L);
    if (!sockets_open(L, call->path, call->kernel))
        return 0;
    call->works = true;
    return 0;
}

int main(int argc, char **argv)
{
    static kernel_state kernel = {.shared.lock = PTHREAD_MUTEX_INITIALIZER,
                                  .shell.name = "shell",
                                  .control.name = "control",
                                  .ask.name = "stdin"};
    kernel_invocation call = {argc == 2 ? argv[1] : NULL, &kernel, false};
    const bool help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (argc != 2 || help) {
        fputs(usage, help ? stdout : stderr);
        return help ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    kernel.lua_thread = pthread_self();
    lua_State *L = luaL_newstate();
    if (L == NULL) {
        channel_log("there is not enough memory for a state");
        return EXIT_FAILURE;
    }
    lua_pushcfunction(L, run_all);
    lua_pushlightuserdata(L, &call);
    const int status = lua_pcall(L, 1, 0, 0);
    if (status != LUA_OK)
        channel_log("%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "(an error without a message)");
    if (!call.works) {
        lua_close(L);
        sockets_close(&kernel);
        return EXIT_FAILURE;
    }
    const bool worked = talk(L, &kernel);
    sockets_close(&kernel);
    return worked ? EXIT_SUCCESS : EXIT_FAILURE;
}
