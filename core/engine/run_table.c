/* run_table - loops that are functions of a byte: see program/byte_tables.c. */

#include "engine/row_tables.h"
#include "engine/run_loop.h"

#include <assert.h>

bool pod_run_table(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile, const pod_rectangle *r,
                   char *scratch)
{
    (void)tile, (void)scratch;
    const pod_run *run = worker->run;
    const pod_byte_table *table = loop->table;
    if (!table)
        return false;
    const int64_t columns = loop->columns, stop = r->row_end * columns;
    assert(!tile && r->column == 0 && r->column_end == columns);
    const uint8_t *from = pod_run_slot_memory(worker, table->from);
    uint16_t *to = pod_run_slot_memory(worker, table->to);
    const pod_row_table *rows = from ? NULL : &run->state->tables[run->program->slots[table->from].index];
    for (int64_t i = r->row * columns, count; i < stop; i += count) {
        const uint8_t *at = from ? from + table->offset + i : NULL;
        count = stop - i;
        if (rows) {
            const int64_t left = rows->row_bytes - (table->offset + i) % rows->row_bytes;
            const pod_piece piece = {table->offset + i, count < left ? count : left, 1};
            count = piece.count;
            at = (const uint8_t *)pod_run_find_rows(rows, &piece, NULL);
        }
        run->program->kernels->look_up_16(to + i, table->entries, at, (size_t)count);
    }
    pod_run_packs(worker, loop, r, r->row, r->row_end, 0);
    return true;
}
