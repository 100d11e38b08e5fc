#ifndef POD_EXCHANGE_SYNTAX_NAMES_H
#define POD_EXCHANGE_SYNTAX_NAMES_H

/* syntax_names - the names of values that can be seen while a text is read. */

#include "base/context.h"
#include "exchange/lexer.h"

typedef struct pod_syntax_name {
    pod_span name;
    uint32_t first, count; /* the numbers of the values; 0 of other things */
    void *what;            /* the other thing */
    uint32_t next;         /* in its list */
} pod_syntax_name;

typedef struct pod_syntax_names {
    pod_context *context; /* borrowed */
    pod_syntax_name *entries;
    uint32_t *slots;
    size_t room; /* for entries */
    uint32_t count, slot_count;
} pod_syntax_names;

/* Finds the values of a name; NULL when it is not defined. Valid until the next is added. */
const pod_syntax_name *pod_exchange_names_find(const pod_syntax_names *names, pod_span name);

/* Adds a name, whose list is filled in; false when there is no memory. */
bool pod_exchange_names_add(pod_syntax_names *names, pod_syntax_name name);

/* Takes away all that were added since there were `mark` of them. */
void pod_exchange_names_release(pod_syntax_names *names, uint32_t mark);

void pod_exchange_names_clear(pod_syntax_names *names);

#endif
