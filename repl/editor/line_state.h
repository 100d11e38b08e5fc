#ifndef MOONPOD_REPL_LINE_STATE_H
#define MOONPOD_REPL_LINE_STATE_H

/* line_state - what an editor of entries holds, for the files that are it. */

#include <stdint.h>

#include "editor/edit_text.h"
#include "editor/history.h"
#include "editor/key_reader.h"
#include "editor/kill_ring.h"
#include "editor/line_editor.h"
#include "editor/screen.h"

/* Answers of a completion. */
typedef struct line_candidate {
    char *text, *help; /* help: NULL or a line */
    size_t size;
} line_candidate;

struct line_candidates {
    line_candidate *list;
    size_t count, capacity;
    size_t start, cursor; /* what each replaces */
};

typedef struct line_search {
    bool active, failed;
    int step;          /* -1: back, 1: forward */
    size_t found;      /* entry of the history; its count: none yet */
    byte_string words; /* what is looked for */
    byte_string prompt;
    byte_string before; /* the text when it began, and the entry that was shown */
    size_t recalled;
} line_search;

/* What the last key did, where the next one looks at it. */
typedef enum line_act { ACT_OTHER, ACT_KILL, ACT_YANK, ACT_VERTICAL, ACT_RECALL } line_act;

struct line_editor {
    line_settings given;
    edit_text text;
    kill_ring kills;
    line_history past;
    size_t recalled;   /* the entry that is shown; past.count: the new one */
    byte_string draft; /* the new one, while another is shown */
    key_reader keys;
    screen screen;
    line_search search;
    line_candidates menu;
    size_t chosen; /* of the menu; SIZE_MAX: none */
    bool menu_shown;
    byte_string menu_text;  /* as it is painted */
    size_t menu_mark;       /* where in it the chosen one is */
    line_act last_act, act; /* of the key before, and of this one */
    line_outcome outcome;   /* of this key */
    size_t yanked_at, yanked_size;
    size_t column; /* that moves up and down go for */
    bool literal;  /* the next key is text */
    bool after_x;  /* Ctrl-X came */
    char *prompt, *more;
    char hint[512];
    size_t hint_size;
    const char *status; /* borrowed; NULL: none */
    bool closed;        /* the entry has ended: it is painted once more without what is around it */
    byte_string taken_output;
};

/* ---- parts: each file's functions for the others ---- */

/* A key of the table, or text; ACT_* is set. */
line_outcome line_keys_take(line_editor *editor, const key_event *event);

/* What keys do takes a number that the table of keys has for it. */

/* Enter: the entry, or another line. */
void line_enter(line_editor *editor, int unused);

/* A new line with the indentation that belongs there. */
void line_indent_newline(line_editor *editor, int unused);

/* Shows the entry before (step < 0) or after; with `prefix` the next that begins with what stands before the cursor. */
void line_recall(line_editor *editor, int step, bool prefix);

/* The first or the last of all. */
void line_recall_end(line_editor *editor, int step);

/* Up and down: within the entry, then in the history. */
void line_vertical(line_editor *editor, int step);

void line_search_begin(line_editor *editor, int step);

/* A key while searching; false: the search has ended, and the key means what it always does. */
bool line_search_take(line_editor *editor, const key_event *event);

/* Tab. step: 1, or -1 for the one before. */
void line_menu_complete(line_editor *editor, int step);
void line_menu_close(line_editor *editor);

/* What was pasted. */
void line_paste(line_editor *editor, const char *bytes, size_t size);

#endif
