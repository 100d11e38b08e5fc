#include "interrupt.h"

#include <lauxlib.h>
#include <moonpod.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

/* What the signal handler may touch: written by the thread that runs Lua. */
static lua_State *_Atomic running;  /* the innermost coroutine that runs */
static pod_context *engine_context; /* the module's context, written by it through the registry */
static volatile sig_atomic_t last_second;
static volatile sig_atomic_t presses;         /* since interrupt_begin() */
static volatile sig_atomic_t waiting_presses; /* while nothing ran, since they were last asked for */
static volatile sig_atomic_t in_session;      /* no press ends the process */
static void (*_Atomic asked)(lua_State *L);   /* NULL: nothing is */

static volatile sig_atomic_t pressed_at; /* in milliseconds of the last press: those fit for the next days */
static volatile sig_atomic_t told;       /* the error was raised, or whoever ran has taken the interrupt */

/* Milliseconds in which whoever is interrupted may end by himself; who runs on has caught the error. */
enum { CAUGHT = 40 };

static sig_atomic_t milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* async-signal-safe */
    return (sig_atomic_t)((now.tv_sec % 1000000) * 1000 + now.tv_nsec / 1000000);
}

static void stop(lua_State *L, lua_Debug *record);
static void hook(lua_State *L);

/* Whether what runs puts back what was changed: functions of moonpod.base.around, and what they call. The hook is
 * called again at once when they are done. */
static bool puts_back(lua_State *L)
{
    static const char name[] = "moonpod/base/around.lua";
    lua_Debug record;
    for (int level = 0; level < 8 && lua_getstack(L, level, &record); level++) {
        lua_getinfo(L, "S", &record);
        const size_t length = strlen(record.source);
        if (length >= sizeof name - 1 && strcmp(record.source + length - (sizeof name - 1), name) == 0)
            return true;
        if (level > 0 && strcmp(record.what, "C") == 0) /* pcall, behind which is what may be stopped */
            return false;
    }
    return false;
}

/* Raises with the line of the script, which the module knows from its own, where it is loaded. */
static void raise_interrupted(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, "moonpod.base.errors") == LUA_TTABLE && lua_getfield(L, -1, "raise") == LUA_TFUNCTION) {
        lua_pushliteral(L, "interrupted!");
        lua_call(L, 1, 0);
    }
    luaL_error(L, "interrupted!");
}

/* Whether a script that has caught the error and gone on is stopped for good: the error is raised again and again,
 * until nothing that would catch it is left. */
static bool insist(void)
{
    return in_session && (presses > 1 || (presses == 1 && milliseconds_now() - pressed_at > CAUGHT));
}

/* From now on it is seen, once in a while, whether the error was caught. */
static void look_later(lua_State *L)
{
    enum { INSTRUCTIONS = 1000 };
    lua_sethook(L, in_session ? stop : NULL, in_session ? LUA_MASKCOUNT : 0, INSTRUCTIONS);
}

static void stop(lua_State *L, lua_Debug *record)
{
    (void)record;
    if (puts_back(L))
        return;
    void (*call)(lua_State *) = atomic_exchange(&asked, NULL);
    if (call != NULL) {
        if (presses == 0)
            lua_sethook(L, NULL, 0, 0);
        call(L);
    }
    if (presses == 0)
        return;
    const bool insists = insist();
    if (insists)
        hook(L);
    else
        look_later(L);
    if (told && !insists)
        return;
    told = true;
    /* Where the engine ran it has taken the interrupt, and what called it says how far it came. */
    if (engine_context != NULL && !pod_context_clear_interrupt(engine_context) && !insists)
        return;
    raise_interrupted(L);
}

/* look(): for functions of C that take long, in the place of the hook, which waits until they return. */
static int look(lua_State *L)
{
    if (atomic_load(&running) == L && presses > 0)
        stop(L, NULL);
    return 0;
}

static void hook(lua_State *L)
{
    lua_sethook(L, stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

static void stop_all(void)
{
    lua_State *L = atomic_load(&running);
    if (L != NULL)
        hook(L);
    pod_context *context = engine_context;
    if (context != NULL)
        pod_context_interrupt(context);
}

void interrupt_ask(void (*call)(lua_State *L))
{
    lua_State *L = atomic_load(&running);
    if (L == NULL)
        return;
    atomic_store(&asked, call);
    hook(L);
}

void interrupt_handle(int number, void (*handler)(int), int flags, struct sigaction *before)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, before);
}

/* Microseconds after which a press stops what runs while keys are waited for; and between two alarms, which end what
 * waits for the system: a press that came right before it began to wait has not ended it. */
enum { LATE = 30000 };

/* From now on every LATE; not at all with 0. System calls and no more: signal handlers may call it. */
static void set_alarms(long microseconds)
{
    const struct timeval step = {.tv_usec = microseconds};
    const struct itimerval time = {.it_interval = step, .it_value = step};
    setitimer(ITIMER_REAL, &time, NULL);
}

static void at_prompt(int number)
{
    waiting_presses = waiting_presses + (number == SIGINT && waiting_presses < 2);
}

static void on_signal(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* async-signal-safe */
    presses = presses + (presses < 2);
    pressed_at = milliseconds_now();
    if (!in_session) /* what a script catches is over: the next press is one of its own */
        told = false;
    if (!in_session && last_second != 0 && (sig_atomic_t)now.tv_sec - last_second <= 0)
        signal(number, SIG_DFL);
    last_second = (sig_atomic_t)now.tv_sec;
    stop_all();
    if (in_session) {
        interrupt_handle(SIGALRM, at_prompt, 0, NULL);
        set_alarms(LATE);
    }
}

static void install(void (*handler)(int))
{
    interrupt_handle(SIGINT, handler, 0, NULL); /* no SA_RESTART: reading a line is interrupted */
}

/* Resumes a coroutine with the arguments on top of L; leaves its results there. Returns their number, or -1 with the
 * error on top. */
static int resume(lua_State *L, lua_State *co, int arguments)
{
    int results;
    if (lua_status(co) == LUA_OK && lua_gettop(co) == 0) {
        lua_pushliteral(L, "cannot resume dead coroutine");
        return -1;
    }
    if (!lua_checkstack(co, arguments)) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    lua_xmove(L, co, arguments);
    lua_State *outer = atomic_exchange(&running, co);
    int status = lua_resume(co, L, arguments, &results);
    atomic_store(&running, outer);
    if (outer != NULL && insist()) {
        lua_sethook(co, NULL, 0, 0);
        hook(outer);
    } else if (outer != NULL && in_session && presses > 0) {
        look_later(outer);
    }
    if (status == LUA_OK || status == LUA_YIELD) {
        if (!lua_checkstack(L, results + 1)) {
            lua_pop(co, results);
            lua_pushliteral(L, "too many results to resume");
            return -1;
        }
        lua_xmove(co, L, results);
        return results;
    }
    lua_xmove(co, L, 1);
    return -1;
}

static int coroutine_resume(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co, 1, "coroutine");
    int results = resume(L, co, lua_gettop(L) - 1);
    if (results < 0) {
        lua_pushboolean(L, 0);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushboolean(L, 1);
    lua_insert(L, -(results + 1));
    return results + 1;
}

static int call_wrapped(lua_State *L)
{
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int results = resume(L, co, lua_gettop(L));
    if (results >= 0)
        return results;
    int status = lua_status(co);
    if (status != LUA_OK && status != LUA_YIELD) { /* an error in the coroutine: close what it left open */
        status = lua_resetthread(co);
        lua_xmove(co, L, 1);
    }
    if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

static int coroutine_wrap(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    lua_pushcclosure(L, call_wrapped, 1);
    return 1;
}

void interrupt_prepare(lua_State *L)
{
    lua_getglobal(L, "coroutine");
    if (lua_istable(L, -1)) {
        lua_pushcfunction(L, coroutine_resume);
        lua_setfield(L, -2, "resume");
        lua_pushcfunction(L, coroutine_wrap);
        lua_setfield(L, -2, "wrap");
    }
    lua_pop(L, 1);
    lua_pushcfunction(L, coroutine_resume);
    lua_setfield(L, LUA_REGISTRYINDEX, "moonpod.resume"); /* of the module's own coroutines */
    lua_pushcfunction(L, look);
    lua_setfield(L, LUA_REGISTRYINDEX, "moonpod.look");
    lua_pushlightuserdata(L, &engine_context);
    lua_setfield(L, LUA_REGISTRYINDEX, "moonpod.context_slot");
}

void interrupt_begin(lua_State *L)
{
    atomic_store(&running, L);
    last_second = presses = 0;
    told = false;
    install(on_signal);
}

void interrupt_end(void)
{
    lua_State *L = atomic_exchange(&running, NULL);
    install(in_session ? at_prompt : SIG_DFL); /* between two entries a press finds nothing to stop */
    if (in_session && presses > 0)
        set_alarms(0);
    if (L != NULL)
        lua_sethook(L, NULL, 0, 0);
    if (engine_context != NULL)
        pod_context_clear_interrupt(engine_context);
}

/* ---- while keys are waited for ---- */

void interrupt_yield(bool on)
{
    pod_context *context = engine_context;
    if (context != NULL && on)
        pod_context_yield(context);
    else if (context != NULL)
        (void)pod_context_clear_yield(context);
}

static void on_work_signal(int number)
{
    (void)number;
    presses = presses + (presses < 2);
    interrupt_yield(true);
    set_alarms(LATE);
}

static void on_late(int number)
{
    (void)number;
    if (pressed_at == 0) {
        pressed_at = milliseconds_now();
        stop_all();
    }
}

void interrupt_begin_work(lua_State *L)
{
    atomic_store(&running, L);
    last_second = presses = pressed_at = 0;
    told = false;
    interrupt_handle(SIGALRM, on_late, 0, NULL);
    install(on_work_signal);
    if (interrupt_take_press()) /* right before this */
        on_work_signal(SIGINT);
}

bool interrupt_end_work(void)
{
    const bool pressed = presses > 0;
    install(at_prompt); /* no press comes between the alarm's end and this */
    interrupt_end();
    return pressed;
}

bool interrupt_take_press(void)
{
    const bool pressed = waiting_presses > 0;
    waiting_presses = 0;
    return pressed;
}

void interrupt_keep_session(bool keep)
{
    in_session = keep;
    install(keep ? at_prompt : SIG_DFL);
}

void interrupt_catch_at_prompt(void)
{
    (void)interrupt_take_press();
    install(at_prompt);
}
