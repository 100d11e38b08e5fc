#ifndef MOONPOD_BIND_EMBEDDED_H
#define MOONPOD_BIND_EMBEDDED_H

/* embedded - the modules within an executable that is one file (MOONPOD_ONE_FILE). */

#include <lua.h>
#include <stddef.h>

typedef struct embedded_module {
    const char *name, *path; /* "moonpod.layers", "moonpod/layers/init.lua" */
    size_t size;
    const char *text;
} embedded_module;

/* In the order of names: cmake/embed_modules.lua writes them. */
extern const embedded_module embedded_modules[];
extern const size_t embedded_count;

/* Lets require find them, and moonpod.core, before what lies on package.path and cpath. */
void embedded_add(lua_State *L);

/* A function of Lua: the text of a module by its name or path; nil where there is none. */
int embedded_text(lua_State *L);

#endif
