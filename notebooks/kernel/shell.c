#include "shell.h"

#include <errno.h>
#include <lauxlib.h>
#include <time.h>

#include "control_thread.h"
#include "interrupt.h"
#include "paths.h"
#include "startup.h"

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

bool shell_run(lua_State *L, kernel_state *kernel)
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
