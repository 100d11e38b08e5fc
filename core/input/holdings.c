/* holdings - memory that lives as long as its owner. */

#include "input/holdings.h"

#include <string.h>

#include "base/checked.h"

typedef struct pod_holding {
    struct pod_holding *older;
    _Alignas(16) unsigned char memory[];
} pod_holding;

void *pod_input_hold(pod_holdings *holdings, size_t count, size_t size)
{
    size_t bytes;
    if (pod_multiply_overflows(count, size, &bytes) || pod_add_overflows(bytes, sizeof(pod_holding), &bytes))
        bytes = SIZE_MAX;
    pod_holding *made = pod_allocate_zeroed(holdings->context, 1, bytes);
    if (made == NULL) {
        holdings->missing = bytes;
        return NULL;
    }
    made->older = holdings->newest;
    holdings->newest = made;
    return made->memory;
}

char *pod_input_hold_text(pod_holdings *holdings, const char *text)
{
    const size_t length = strlen(text);
    char *copy = pod_input_hold(holdings, length + 1, 1);
    return copy != NULL ? memcpy(copy, text, length) : NULL;
}

const char **pod_input_hold_texts(pod_holdings *holdings, const char *const *texts, size_t count)
{
    const char **copies = pod_input_hold(holdings, count, sizeof *copies);
    for (size_t i = 0; copies != NULL && i < count; i++)
        copies[i] = pod_input_hold_text(holdings, texts[i]);
    return copies;
}

pod_status pod_input_holdings_check(const pod_holdings *holdings, const char *what, pod_error *error)
{
    return holdings->missing > 0 ? pod_error_memory(error, what, holdings->missing) : POD_OK;
}

void pod_input_holdings_end(pod_holdings *holdings)
{
    while (holdings->newest != NULL) {
        pod_holding *one = holdings->newest;
        holdings->newest = one->older;
        pod_free(holdings->context, one);
    }
}
