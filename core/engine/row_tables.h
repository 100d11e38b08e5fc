#ifndef POD_ENGINE_ROW_TABLES_H
#define POD_ENGINE_ROW_TABLES_H

/* row_tables - values whose rows an infeed gives by address (pod_infeed.next_rows). */

#include <stddef.h>
#include <stdint.h>

/* Where the rows of a parameter lie in this step, when they are given by address. */
typedef struct pod_row_table {
    const uint64_t *rows; /* the address of each */
    int64_t count, row_bytes;
} pod_row_table;

/* Elements first .. first + count - 1 of a value in row-major order, each of `size` bytes. */
typedef struct pod_piece {
    int64_t first, count;
    size_t size;
} pod_piece;

/* Returns where the elements of a piece lie one behind the other: in their row, or in `staging`, where they
 * are copied if they are of several rows. Asks rows that come later from memory. */
const char *pod_run_find_rows(const pod_row_table *table, const pod_piece *piece, char *staging);

#endif
