#ifndef MOONPOD_REPL_TERMINAL_H
#define MOONPOD_REPL_TERMINAL_H

/* terminal - the terminal that a session is on: whether it can be edited on, colours, keys one by one, its size, its
 * signals. */

#include <stdbool.h>
#include <stddef.h>

/* Whether lines can be edited: both streams are a terminal that can move its cursor. */
bool terminal_can_edit(void);

typedef enum terminal_colours { COLOURS_AUTO, COLOURS_ALWAYS, COLOURS_NEVER } terminal_colours;

/* Whether to write colours: as was asked for, else where NO_COLOR is empty or missing and the terminal has them. */
bool terminal_has_colours(terminal_colours asked);

/* From now on keys come one by one, pasted text is marked, and what is written by others than diverted_write() is taken
 * by diverted_take(). False where the terminal does not allow it. */
bool terminal_begin(void);

/* The terminal is as it was. What others wrote and nobody took is written. */
void terminal_end(void);

/* Whether Ctrl-C is a signal, between terminal_begin() and terminal_end(); else it is a key. */
void terminal_signals(bool on);

/* Calls tell(false) now, and tell(true) in a signal handler when there is something to read or the size may be another
 * one, until it is called with NULL. What was there before is told by terminal_wait(0). Where the system does not send
 * such signals nobody is told. */
void terminal_watch(void (*tell)(bool there_is));

typedef enum terminal_event {
    TERMINAL_INPUT,     /* there is something to read */
    TERMINAL_OUTPUT,    /* there is something to take */
    TERMINAL_NOTHING,   /* the time is over */
    TERMINAL_RESIZED,   /* it may have another size */
    TERMINAL_CONTINUED, /* the process was stopped, and goes on: the screen may show anything */
    TERMINAL_SIGNAL     /* a signal was caught, such as SIGINT from another process */
} terminal_event;

/* Waits for so many milliseconds, or for ever (-1). */
terminal_event terminal_wait(int milliseconds);

/* Reads what is there to read, as read() does. Between terminal_begin() and terminal_end(). */
long terminal_read(char *bytes, size_t size);

/* Columns and rows. */
void terminal_size(size_t *columns, size_t *rows);

/* Stops the process until the shell continues it. Between terminal_end() and terminal_begin(). */
void terminal_stop_process(void);

#endif
