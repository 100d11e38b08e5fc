#ifndef POD_BASE_SYSTEM_HOST_SYSTEM_H
#define POD_BASE_SYSTEM_HOST_SYSTEM_H

/* host_system - what the module of Lua asks a system for, which is linked beside the library: its names are not
 * exported. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nanoseconds that have passed since some moment, never going back. */
uint64_t pod_host_nanoseconds(void);

/* Whether a person looks at an open file of C's numbers. */
bool pod_host_is_terminal(int file);

/* Columns of the terminal that standard output is; 0: none, or not known. */
int pod_host_columns(void);

/* Writes a path that opens a file of pod_open_file() once more, whatever has its name by then where the system has such
 * paths; false where there is none. */
bool pod_host_path_of(int file, char *path, size_t size);

void pod_host_close(int file);

#endif
