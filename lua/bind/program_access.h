#ifndef POD_BIND_PROGRAM_ACCESS_H
#define POD_BIND_PROGRAM_ACCESS_H

/* What the files of programs share: lua_program.c has the programs, lua_run.c what runs them, lua_bound.c what does so
 * again and again. */

#include "bind.h"

/* The box of a program: what running it needs of its graph, which is gone by then. */
typedef struct pod_lua_program {
    pod_program *program;
    pod_context *context; /* the program's */
    size_t parameter_count, output_count;
    bool on_device;
} pod_lua_program;

extern const pod_lua_kind pod_lua_program_kind;

/* Pushes a table of what is known of an instruction, one of an array of pod_instruction_time. */
void pod_lua_push_instruction(lua_State *L, const void *times, size_t index);

/* Returns the open accelerator at `index` (accelerator.c); NULL for nil. */
pod_device *pod_lua_to_device(lua_State *L, int index);

/* Returns the open program at `index`. */
const pod_lua_program *pod_lua_check_program(lua_State *L, int index);

#endif
