/* element - see element.h. */

#include "chip/element.h"

#include <string.h>

typedef struct element_row {
    pod_dtype dtype;
    const char *name, *xla_name;
    int32_t bits, parts;
} element_row;

static const element_row rows[POD_ELEMENT_END] = {[POD_ELEMENT_NONE] = {POD_DTYPE_NONE, "none", "none", 0, 0},
#define X(enumerator, dtype, long_name, xla_name, bits, parts) [enumerator] = {dtype, long_name, xla_name, bits, parts},
                                                  POD_ELEMENT_LIST(X)
#undef X
};

static const element_row *row_of(pod_element element)
{
    const int number = (int)element;
    return &rows[number > 0 && number < POD_ELEMENT_END ? number : POD_ELEMENT_NONE];
}

pod_element pod_element_from_dtype(pod_dtype dtype)
{
    for (int i = POD_ELEMENT_NONE + 1; dtype != POD_DTYPE_NONE && i < POD_ELEMENT_END; i++)
        if (rows[i].dtype == dtype)
            return (pod_element)i;
    return POD_ELEMENT_NONE;
}

pod_element pod_element_from_name(const char *name)
{
    for (int i = POD_ELEMENT_NONE + 1; name && i < POD_ELEMENT_END; i++)
        if (strcmp(name, rows[i].name) == 0 || strcmp(name, rows[i].xla_name) == 0)
            return (pod_element)i;
    return POD_ELEMENT_NONE;
}

const char *pod_element_name(pod_element element)
{
    return row_of(element)->name;
}

const char *pod_element_xla_name(pod_element element)
{
    return row_of(element)->xla_name;
}

int32_t pod_element_bits(pod_element element)
{
    return row_of(element)->bits;
}

int32_t pod_chip_element_part_bits(pod_element element)
{
    return row_of(element)->bits / row_of(element)->parts;
}
