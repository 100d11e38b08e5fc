/* row_reads - finds the parameters that a program reads row by row: see pod_program.reads_rows. */

#include "program/compiled.h"

static void mark(const pod_program *program, uint32_t slot)
{
    if (slot < program->slot_count && program->slots[slot].kind == POD_SLOT_PARAMETER)
        program->reads_rows[program->slots[slot].index] = false;
}

/* Loads of elements in their order find rows anywhere; others compute places in one block. */
static void look_at_loop(const pod_program *program, const pod_loop *loop)
{
    for (uint32_t i = 0; loop && i < loop->load_count; i++) {
        const pod_loop_load *load = &loop->loads[i];
        if (load->access == POD_ACCESS_TILE || load->access == POD_ACCESS_COUNT || load->slot >= program->slot_count)
            continue;
        const pod_slot *slot = &program->slots[load->slot];
        if (slot->kind != POD_SLOT_PARAMETER)
            continue;
        const pod_shape *shape = &program->parameters[slot->index].shape;
        bool whole = shape->rank > 0 && shape->dims[0] > 0 &&
                     slot->bytes / (uint64_t)shape->dims[0] % pod_dtype_size(load->dtype) == 0;
        if (load->access != POD_ACCESS_DENSE || load->in_memory || !whole)
            mark(program, load->slot);
    }
}

static void look_at(const pod_program *program, const pod_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        look_at_loop(program, pod_instruction_loop(one));
        for (uint32_t j = 0; j < pod_instruction_own_operands(one); j++)
            mark(program, one->slots[j]);
        for (uint32_t j = 0; j < one->result_count; j++)
            mark(program, one->slots[one->operand_count + j]);
        for (uint32_t j = 0; pod_instruction_has_regions(one) && j < program->slot_count; j++)
            mark(program, j); /* what regions take and give is copied whole */
    }
}

void pod_program_find_row_reads(pod_program *program)
{
    for (uint32_t i = 0; i < program->parameter_count; i++)
        program->reads_rows[i] = program->parameters[i].alias < 0 && program->parameters[i].shape.rank > 0;
    look_at(program, program->function);
}
