#ifndef MOONPOD_REPL_INTERRUPT_H
#define MOONPOD_REPL_INTERRUPT_H

/*
 * interrupt - Ctrl-C stops what runs, in Lua (also inside a coroutine) and in the engine. In a script a second one
 * within a second ends the process. In a session none does: a second one stops what has caught the first and gone on.
 */

#include <lua.h>
#include <signal.h>
#include <stdbool.h>

/* Prepares a state: coroutines tell which of them runs, and the module tells which context it made. Call once,
 * after the standard libraries are open. */
void interrupt_prepare(lua_State *L);

/* From now on Ctrl-C raises "interrupted!" in the running thread of Lua and stops the engine after its step. */
void interrupt_begin(lua_State *L);

/* Ctrl-C does what it did before interrupt_begin(). */
void interrupt_end(void);

/* The same for work that is done while keys are waited for, a few milliseconds at a time: a press is kept for the
 * prompt, which is back soon, and stops what runs where it is not. interrupt_end_work() tells whether there was one. */
void interrupt_begin_work(lua_State *L);
bool interrupt_end_work(void);

/* Has a signal handled, with flags of sigaction(); what did so before goes to *before unless that is NULL. */
void interrupt_handle(int number, void (*handler)(int), int flags, struct sigaction *before);

/* Asks what the engine does a slice at a time to return soon, or takes that back. Signal handlers may call it. */
void interrupt_yield(bool on);

/* Whether a session begins, which Ctrl-C never ends, or has ended. */
void interrupt_keep_session(bool keep);

/* Catches Ctrl-C at the prompt: it only interrupts the reading of a line. */
void interrupt_catch_at_prompt(void);

/* Whether Ctrl-C was pressed in a session while nothing ran, since this was last asked. */
bool interrupt_take_press(void);

/* Has `call` called soon by the thread that runs Lua, between two of its instructions; nothing where none runs. Only
 * from a signal handler; one is asked for at a time. */
void interrupt_ask(void (*call)(lua_State *L));

#endif
