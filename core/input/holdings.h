#ifndef POD_INPUT_HOLDINGS_H
#define POD_INPUT_HOLDINGS_H

/*
 * holdings - memory that lives as long as its owner. That there was none for some of it is looked for once, when all
 * was asked for:
 *
 *     self->rows = pod_input_hold(&self->holdings, count, sizeof *self->rows);
 *     self->path = pod_input_hold_text(&self->holdings, path);
 *     status = pod_input_holdings_check(&self->holdings, "an iterator", error);
 */

#include "base/context.h"

typedef struct pod_holdings {
    pod_context *context;       /* borrowed */
    struct pod_holding *newest; /* a list */
    size_t missing;             /* bytes that there was no memory for */
} pod_holdings;

/* Returns `count` items of `size` bytes, cleared to zero; NULL when there is no memory. */
void *pod_input_hold(pod_holdings *holdings, size_t count, size_t size);

/* Returns a copy of a text; NULL when there is no memory. */
char *pod_input_hold_text(pod_holdings *holdings, const char *text);

/* Returns copies of texts; NULL when there is no memory. */
const char **pod_input_hold_texts(pod_holdings *holdings, const char *const *texts, size_t count);

/* Fails where there was no memory for something. */
pod_status pod_input_holdings_check(const pod_holdings *holdings, const char *what, pod_error *error);

/* Frees all of it. */
void pod_input_holdings_end(pod_holdings *holdings);

#endif
