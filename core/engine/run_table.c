/* run_table - loops that are functions of a byte: see program/byte_tables.c. */

#include "engine/row_tables.h"
#include "engine/run_loop.h"

void pod_run_table(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_run *run = worker->run;
    const pod_byte_table *table = instruction->table;
    const int64_t columns = instruction->loop->columns, stop = end * columns;
    const uint8_t *from = pod_slot_memory(worker, table->from);
    uint16_t *to = pod_slot_memory(worker, table->to);
    const pod_row_table *rows = from ? NULL : &run->state->tables[run->program->slots[table->from].index];
    for (int64_t i = begin * columns, count; i < stop; i += count) {
        const uint8_t *at = from ? from + table->offset + i : NULL;
        count = stop - i;
        if (rows) {
            const int64_t left = rows->row_bytes - (table->offset + i) % rows->row_bytes;
            const pod_piece piece = {table->offset + i, count < left ? count : left, 1};
            count = piece.count;
            at = (const uint8_t *)pod_find_rows(rows, &piece, NULL);
        }
        run->program->kernels->look_up_16(to + i, table->entries, at, (size_t)count);
    }
}
