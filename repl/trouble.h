#ifndef MOONPOD_REPL_TROUBLE_H
#define MOONPOD_REPL_TROUBLE_H

/* trouble - what is told of an error: the message, the user's line and frames (moonpod.session.traceback). */

#include <lua.h>
#include <stdbool.h>

/* How errors are told from now on: of entries of a session, in colours. Without: those of scripts. */
void trouble_set(bool in_session, bool colours);

/* Adds to the message on top, of Lua's compiler, what Lua writes where another language was written
 * (moonpod.session.habits). */
void trouble_add_hint(lua_State *L);

/* Has a call of nil say what was meant (moonpod.session.traceback) in its message, whoever catches it: what is called
 * when nil is, in a state that is the executable's own. Scripts that do not use the module get Lua's message. */
void trouble_prepare(lua_State *L);

/* A handler of lua_pcall(): makes a text of an error. */
int trouble_tell(lua_State *L);

#endif
