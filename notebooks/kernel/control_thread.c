#include "control_thread.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <moonpod.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "paths.h"

void control_push_about(lua_State *L)
{
    const int version = pod_version();
    lua_createtable(L, 0, 3);
    lua_pushfstring(L, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
    lua_pushfstring(L, "Moonpod %s, %s", lua_tostring(L, -1), LUA_RELEASE);
    lua_setfield(L, -3, "banner");
    lua_setfield(L, -2, "version");
    lua_pushliteral(L, LUA_VERSION_MAJOR "." LUA_VERSION_MINOR "." LUA_VERSION_RELEASE);
    lua_setfield(L, -2, "lua");
}

/* (kernel): leaves the function that answers. */
static int prepare(lua_State *L)
{
    kernel_state *kernel = lua_touserdata(L, 1);
    luaL_openlibs(L);
    paths_add(L);
    if (!paths_push_function(L, "moonpod.notebook.protocol", "answerer"))
        return lua_error(L);
    calls_push(L, kernel, &kernel->control);
    control_push_about(L);
    lua_call(L, 2, 1);
    return 1;
}

lua_State *control_new(kernel_state *kernel)
{
    lua_State *L = luaL_newstate();
    if (L == NULL) {
        channel_log("there is no memory for the control thread");
        return NULL;
    }
    lua_pushcfunction(L, prepare);
    lua_pushlightuserdata(L, kernel);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK)
        return L;
    channel_log("the control thread: %s", lua_tostring(L, -1));
    lua_close(L);
    return NULL;
}

/* Waits for the thread of Lua; one that hangs is not waited for. */
static void wait_for_end(kernel_state *kernel)
{
    enum { PATIENCE = 3000, STEP = 20 }; /* milliseconds */
    for (int waited = 0; waited < PATIENCE && !atomic_load(&kernel->has_ended); waited += STEP) {
        if (waited % 500 == 0)
            calls_interrupt(kernel);
        nanosleep(&(struct timespec){.tv_nsec = STEP * 1000000L}, NULL);
    }
    if (!atomic_load(&kernel->has_ended)) {
        channel_log("a cell that does not stop is ended with the process");
        _exit(EXIT_SUCCESS);
    }
}

void *control_run(void *argument)
{
    enum { LOOK = 1000 }; /* milliseconds between two looks whether whoever has started the kernel lives */
    control_thread *thread = argument;
    kernel_state *kernel = thread->kernel;
    zmq_pollitem_t item = {kernel->control.socket, 0, ZMQ_POLLIN, 0};
    const pid_t parent = getenv("JPY_PARENT_PID") != NULL ? getppid() : 0;
    while (!atomic_load(&kernel->is_ending)) {
        if (zmq_poll(&item, 1, LOOK) < 0 && errno != EINTR)
            break;
        while (!atomic_load(&kernel->is_ending) && channel_receive(&kernel->control))
            calls_answer(thread->L, &kernel->control);
        if (parent != 0 && getppid() != parent) {
            channel_log("whoever has started this kernel is gone");
            calls_leave(kernel);
        }
    }
    lua_close(thread->L);
    channel_close(&kernel->control);
    wait_for_end(kernel);
    return NULL;
}
