/* row_tables - see row_tables.h. */

#include "engine/row_tables.h"

#include <assert.h>
#include <string.h>

/* How many rows ahead memory is asked: rows lie at random, so that each would be waited for. They come to the second
 * cache early, as the first has places for few lines that are still to come, and to the first one just before. */
#define AHEAD 32
#define NEAR  2

static const char *address(const pod_row_table *table, int64_t row)
{
    return (const char *)(uintptr_t)table->rows[row];
}

static void fetch(const char *address, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(address + i, 0, 2);
}

static void fetch_near(const char *address, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(address + i);
}

const char *pod_run_find_rows(const pod_row_table *table, const pod_piece *piece, char *staging)
{
    assert(piece->first >= 0 && piece->count > 0 && table->row_bytes > 0);
    assert((piece->first + piece->count) * (int64_t)piece->size <= table->count * table->row_bytes);
    int64_t at = piece->first * (int64_t)piece->size, left = piece->count * (int64_t)piece->size;
    int64_t row = at / table->row_bytes, inside = at % table->row_bytes;
    int64_t here = table->row_bytes - inside;
    if (row + AHEAD < table->count)
        fetch(address(table, row + AHEAD) + inside, left < here ? left : here);
    if (row + NEAR < table->count)
        fetch_near(address(table, row + NEAR) + inside, left < here ? left : here);
    if (left <= here)
        return address(table, row) + inside;
    for (char *to = staging; left > 0; row++) {
        int64_t bytes = left < here ? left : here;
        memcpy(to, address(table, row) + inside, (size_t)bytes);
        to += bytes;
        left -= bytes;
        inside = 0;
        here = table->row_bytes;
    }
    return staging;
}
