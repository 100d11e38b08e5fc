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

bool pod_instruction_is_serial(const pod_instruction *instruction)
{
    return instruction->kind == POD_DO_PRINT || instruction->kind == POD_DO_COND || instruction->kind == POD_DO_WHILE ||
           instruction->kind == POD_DO_MEET;
}

bool pod_instruction_has_regions(const pod_instruction *instruction)
{
    return instruction->kind == POD_DO_COND || instruction->kind == POD_DO_WHILE || instruction->kind == POD_DO_REDUCE;
}

pod_function *pod_instruction_region(const pod_instruction *instruction, int index)
{
    return pod_instruction_has_regions(instruction) ? instruction->region.functions[index] : NULL;
}

pod_loop *pod_instruction_loop(const pod_instruction *instruction)
{
    switch (instruction->kind) {
    case POD_DO_LOOP:
        return instruction->loop;
    case POD_DO_PRODUCT:
        return instruction->product.epilogue;
    case POD_DO_CONVOLUTION:
        return instruction->convolution.epilogue;
    default:
        return NULL;
    }
}

bool pod_instruction_meets(const pod_instruction *instruction)
{
    for (int side = 0; side < 2; side++) {
        const pod_function *region = pod_instruction_region(instruction, side);
        for (uint32_t i = 0; region && i < region->instruction_count; i++)
            if (pod_instruction_meets(region->instructions[i]))
                return true;
    }
    return instruction->kind == POD_DO_MEET;
}

uint32_t pod_instruction_own_operands(const pod_instruction *instruction)
{
    if (instruction->kind == POD_DO_PRODUCT || instruction->kind == POD_DO_CONVOLUTION)
        return instruction->kind == POD_DO_PRODUCT ? 2 : 3;
    return instruction->kind == POD_DO_LOOP ? 0 : instruction->operand_count;
}

uint64_t pod_instruction_scratch(const pod_instruction *instruction)
{
    uint64_t arrays = (instruction->operand_count + instruction->result_count) * sizeof(pod_array);
    return (arrays + instruction->scratch_bytes + 191) & ~(uint64_t)63;
}

int64_t pod_program_partial_end(const pod_loop *loop, int64_t row, int64_t end)
{
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        if (loop->folds[i].by_rows)
            continue;
        int64_t stop = (row / loop->folds[i].partial_rows + 1) * loop->folds[i].partial_rows;
        end = stop < end ? stop : end;
    }
    return end;
}
