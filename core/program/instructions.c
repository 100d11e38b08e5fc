/* instructions - what is asked of single instructions: see instructions.h. */

#include "program/instructions.h"

#include <assert.h>

static const char *const kind_names[POD_DO_COUNT] = {
#define X(enumerator, name) [POD_DO_##enumerator] = name,
    POD_INSTRUCTION_LIST(X)
#undef X
};

const char *pod_instruction_kind_name(pod_instruction_kind kind)
{
    assert(kind < POD_DO_COUNT);
    return kind_names[kind];
}

bool pod_instruction_has_regions(const pod_instruction *instruction)
{
    return instruction->kind == POD_DO_COND || instruction->kind == POD_DO_WHILE || instruction->kind == POD_DO_REDUCE;
}

uint64_t pod_instruction_scratch(const pod_instruction *instruction)
{
    uint64_t arrays = (instruction->operand_count + instruction->result_count) * sizeof(pod_array);
    return (arrays + instruction->scratch_bytes + 191) & ~(uint64_t)63;
}

int64_t pod_program_loop_chunk_end(const pod_loop *loop, int64_t row, int64_t end)
{
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        if (loop->folds[i].by_rows)
            continue;
        int64_t stop = (row / loop->folds[i].chunk + 1) * loop->folds[i].chunk;
        end = stop < end ? stop : end;
    }
    return end;
}
