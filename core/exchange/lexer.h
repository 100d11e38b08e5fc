#ifndef POD_EXCHANGE_LEXER_H
#define POD_EXCHANGE_LEXER_H

/*
 * lexer - goes through MLIR text by characters and keeps the first error with its line and column.
 *
 * After an error every function reads nothing and returns false, so that a reader checks once
 * behind several calls. */

#include "moonpod/status.h"

/* A part of the text. */
typedef struct pod_span {
    const char *text;
    size_t length;
} pod_span;

typedef struct pod_lexer {
    const char *file, *begin, *at, *end;
    const char *line_at; /* where lines were counted to; only moves forward */
    uint32_t line;       /* of line_at, from 1 */
    bool failed;
    pod_error *error;
} pod_lexer;

void pod_exchange_lexer_begin(pod_lexer *lexer, const char *file, const char *text, size_t length, pod_error *error);

/* Has the lexer read a part of the text alone; returns what pod_exchange_lexer_leave() takes to go on as before. */
pod_lexer pod_exchange_lexer_enter(pod_lexer *lexer, pod_span part);
void pod_exchange_lexer_leave(pod_lexer *lexer, pod_lexer outer);

/* Returns the line of a place that is not before any asked for earlier; from 1. */
uint32_t pod_exchange_lexer_line(pod_lexer *lexer, const char *at);

/* Returns the column of a place, in bytes from 1. */
uint32_t pod_exchange_lexer_column(const pod_lexer *lexer, const char *at);

/* Keeps an error at a place ("file:line:column: ...") unless there is one; returns false. */
bool pod_exchange_lexer_fail(pod_lexer *lexer, const char *at, pod_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Keeps an error at a place where the context is interrupted; returns whether it is not. Readers ask it for each op. */
bool pod_exchange_lexer_goes_on(pod_lexer *lexer, const char *at, const pod_context *context);

/* Keeps the error that `what` was expected here; the message shows what stands here. */
bool pod_exchange_lexer_expected(pod_lexer *lexer, const char *what);

/* Skips blanks and comments and returns the next character; 0 at the end and after an error. */
char pod_exchange_lexer_peek(pod_lexer *lexer);

/* Takes a token ("(", "->") if it comes next. */
bool pod_exchange_lexer_accept(pod_lexer *lexer, const char *token);

/* Takes a token, or fails. */
bool pod_exchange_lexer_expect(pod_lexer *lexer, const char *token);

/* Takes a word (letters, digits, '_', '.', '$', not starting with a digit) if one comes next. */
bool pod_exchange_lexer_word(pod_lexer *lexer, pod_span *word);

/* True when a word comes next. */
bool pod_exchange_lexer_at_word(pod_lexer *lexer);

/* Takes the given word if it comes next. */
bool pod_exchange_lexer_accept_word(pod_lexer *lexer, const char *word);

/* Takes what follows a '%', '@', '^' or '#' that was taken: digits, letters, '_', '.', '$', '-';
 * for '@' also a quoted text. Fails when there is none. */
bool pod_exchange_lexer_name(pod_lexer *lexer, pod_span *name);

/* Takes a quoted text, without the quotes, escapes as they stand. Fails when none comes. */
bool pod_exchange_lexer_text(pod_lexer *lexer, pod_span *text);

/* Takes an integer; fails when none comes or when it does not fit. */
bool pod_exchange_lexer_integer(pod_lexer *lexer, int64_t *value);

/* Takes a number of any kind ("-1.5e-3", "0x7FC00000", "12") as text; fails when none comes. */
bool pod_exchange_lexer_number(pod_lexer *lexer, pod_span *number);

/* Takes everything from an opening bracket here to the one that closes it; quoted texts are
 * passed over whole. The span includes the brackets. */
bool pod_exchange_lexer_balanced(pod_lexer *lexer, pod_span *span);

/* True when the span is this text. */
bool pod_exchange_span_is(pod_span span, const char *text);

/* True when the span is one of these texts, which end with NULL. */
bool pod_exchange_span_among(pod_span span, const char *const *texts);

/* Reads the integer that a span is, with a sign or without; false where it is none or does not fit. */
bool pod_exchange_span_integer(pod_span span, int64_t *value);

/* Returns what a hexadecimal digit stands for; -1 for other characters. */
int pod_exchange_hex_digit(char c);

/* True for characters of words. */
bool pod_exchange_is_word_character(char c);

#endif
