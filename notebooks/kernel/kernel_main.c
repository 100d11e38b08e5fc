/*
 * moonpod-kernel - a kernel of Jupyter: `moonpod-kernel FILE` talks with front ends as the connection file says.
 * Protocol 5.4 on ZeroMQ; threads for the gate, heartbeat, iopub, control and what is written to the standard streams;
 * the one of Lua runs cells, by lua/moonpod/notebook, on the session of the executable `moonpod`.
 */

#include "calls.h"
#include "control_thread.h"
#include "interrupt.h"
#include "paths.h"
#include "patterns.h"
#include "session.h"
#include "sockets.h"
#include "startup.h"
#include "streams.h"
#include "threads.h"
#include "trouble.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Places on the stack. */
enum { KERNEL = 1, ANSWER };

static bool call(lua_State *L, const char *name)
{
    lua_getfield(L, KERNEL, name);
    interrupt_begin(L);
    const bool done = lua_pcall(L, 0, 1, 0) == LUA_OK;
    interrupt_end();
    const bool result = done && lua_toboolean(L, -1);
    if (!done)
        channel_log_error(name, L);
    lua_pop(L, 1);
    return result;
}

/* Gives what runs in the background a little time; an interrupt ends it. Returns whether it goes on. */
static bool work(lua_State *L)
{
    lua_getfield(L, KERNEL, "work");
    interrupt_begin_work(L);
    const int status = lua_pcall(L, 0, 1, 0);
    const bool pressed = interrupt_end_work(), goes_on = status != LUA_OK || lua_toboolean(L, -1);
    if (status != LUA_OK && !pressed)
        channel_log_error("work", L);
    lua_pop(L, 1);
    if (pressed)
        (void)call(L, "interrupt");
    return goes_on && (status == LUA_OK || pressed);
}

/* (kernel): leaves what moonpod.notebook.kernel makes. */
static int make_kernel(lua_State *L)
{
    kernel_state *kernel = lua_touserdata(L, 1);
    if (!paths_push_function(L, "moonpod.notebook.kernel", "new"))
        return lua_error(L);
    calls_push(L, kernel, &kernel->shell);
    calls_add_session(L, kernel);
    control_push_about(L);
    lua_call(L, 2, 1);
    return 1;
}

/* Answers all requests that are there. */
static void answer_all(lua_State *L, kernel_state *kernel)
{
    while (!atomic_load(&kernel->is_ending) && channel_receive(&kernel->shell)) {
        lua_settop(L, ANSWER);
        calls_answer(L, &kernel->shell);
    }
}

/* Waits for somebody who hears what is published, but not for long. Front ends that stay while the kernel is restarted
 * ask at once, and would miss that it is idle again. */
static void wait_for_listener(kernel_state *kernel)
{
    enum { PATIENCE = 1000, STEP = 5 }; /* milliseconds */
    for (int waited = 0; waited < PATIENCE && !atomic_load(&kernel->shared.is_heard); waited += STEP)
        nanosleep(&(struct timespec){.tv_nsec = STEP * 1000000L}, NULL);
}

/* Answers requests until the kernel is to end. False, with a line in the log, when it cannot begin. */
static bool run_shell(lua_State *L, kernel_state *kernel)
{
    zmq_pollitem_t items[] = {{kernel->shell.socket, 0, ZMQ_POLLIN, 0}, {NULL, kernel->wake, ZMQ_POLLIN, 0}};
    lua_settop(L, 0);
    lua_pushcfunction(L, make_kernel);
    lua_pushlightuserdata(L, kernel);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        channel_log_error("the kernel", L);
        return false;
    }
    lua_getfield(L, KERNEL, "answer");
    (void)startup_run_init(L);
    startup_run_own_file(L);
    wait_for_listener(kernel);
    bool works = false;
    while (!atomic_load(&kernel->is_ending)) {
        const int ready = zmq_poll(items, 2, works ? 0 : -1);
        if (ready < 0 && errno != EINTR)
            return false;
        if (interrupt_take_press()) /* one that comes from here on is the next cell's */
            (void)call(L, "interrupt");
        if (ready > 0)
            answer_all(L, kernel);
        works = (works || ready > 0) && work(L);
    }
    return true;
}

/* ---- the process ---- */

static const char usage[] = "usage: moonpod-kernel CONNECTION_FILE\n"
                            "A kernel of Jupyter, which front ends start; moonpod --install-kernel tells them of it.\n";

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
    control_thread thread = {kernel, control_new(kernel)};
    const int log = streams_begin(&kernel->shared);
    if (log >= 0)
        channel_log_to(log);
    if (log < 0 || thread.L == NULL || !threads_begin(&control, control_run, &thread)) {
        channel_log("a thread could not be begun");
        return false;
    }
    patterns_guard(L);
    interrupt_keep_session(true);
    trouble_set(true, false);
    const bool works = run_shell(L, kernel);
    atomic_store(&kernel->is_ending, true);
    lua_close(L);
    streams_end();
    atomic_store(&kernel->has_ended, true);
    pthread_join(control, NULL);
    return works;
}

/* (path, kernel): whether what the file at the path names could be opened. */
static int begin(lua_State *L)
{
    prepare_state(L);
    lua_pushboolean(L, sockets_open(L, lua_tostring(L, 1), lua_touserdata(L, 2)));
    return 1;
}

int main(int argc, char **argv)
{
    static kernel_state kernel = {.shared.lock = PTHREAD_MUTEX_INITIALIZER,
                                  .shell.name = "shell",
                                  .control.name = "control",
                                  .ask.name = "stdin"};
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
    lua_pushcfunction(L, begin);
    lua_pushstring(L, argv[1]);
    lua_pushlightuserdata(L, &kernel);
    const int status = lua_pcall(L, 2, 1, 0);
    if (status != LUA_OK)
        channel_log("%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "(an error without a message)");
    if (status != LUA_OK || !lua_toboolean(L, -1)) {
        lua_close(L);
        sockets_close(&kernel);
        return EXIT_FAILURE;
    }
    const bool worked = talk(L, &kernel);
    sockets_close(&kernel);
    return worked ? EXIT_SUCCESS : EXIT_FAILURE;
}
