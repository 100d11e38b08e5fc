#ifndef MOONPOD_REPL_DIVERTED_H
#define MOONPOD_REPL_DIVERTED_H

/*
 * diverted - what is written to the terminal while an entry is edited there. Standard output and standard error lead
 * into a pipe then, whoever writes: Lua, the library, its threads, other programs. The editor takes it from there and
 * puts it above the entry; it alone writes to the terminal.
 */

#include <stdbool.h>
#include <stddef.h>

/* From now on the editor gets what is written. Where that cannot be, all goes to the terminal as before. */
void diverted_begin(void);

/* All is as before; what was written and not taken goes to the terminal. */
void diverted_end(void);

/* The same, from a signal handler or when the process ends. */
void diverted_end_at_once(void);

/* The descriptor of the terminal. */
int diverted_terminal(void);

/* Writes all to the terminal; what cannot be written is lost. */
void diverted_write(const char *bytes, size_t size);

/* The descriptor that there is something to read from when something was written; -1: there will be none. */
int diverted_source(void);

/* The caller waits for diverted_source() from now on; true: it need not, as something was written before. */
bool diverted_begin_wait(void);

/* The caller waits no more: a thread sees to it that nobody who writes has to wait. */
void diverted_end_wait(void);

/* What was written since the last time; it is the caller's until the next call. */
const char *diverted_take(size_t *size);

#endif
