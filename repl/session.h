#ifndef MOONPOD_REPL_SESSION_H
#define MOONPOD_REPL_SESSION_H

/* session - runs chunks with a traceback and talks with a person line by line. */

#include <lua.h>
#include <stdbool.h>

#include "editor.h"

/* Calls the function below `arguments` arguments; on failure reports the message with its traceback on the error
 * stream. Leaves all results on success. */
int session_call(lua_State *L, int arguments, int results);

/* Loads nothing: reports `status` of a load or call whose message is on top, and pops it. Returns status. */
int session_report(lua_State *L, int status);

/* Lets chunks write `pod` without require: the module is loaded when it is first asked for. */
void session_offer_module(lua_State *L);

/* Reads, evaluates and prints until the end of input. */
void session_talk(lua_State *L, const editor_options *options);

#endif
