/*
 * byte_tables - loops that compute one result of one byte, by elementwise functions, become tables of
 * their 256 results: the cast and scaling of pictures, mostly. A table is made by the loop's own steps, so it has
 * their bits.
 */

#include "program/compiled.h"

#include <string.h>

/* Elements from which a table is worth making. */
#define MANY 4096

/* A loop with fewer steps is as fast as a look-up. */
#define LEAST_STEPS 2

static bool is_byte(const pod_loop_load *load)
{
    return load->access == POD_ACCESS_DENSE && load->slot != POD_SLOT_END && pod_dtype_size(load->dtype) == 1;
}

/* A scalar that is the same in every run; NULL otherwise. */
static const void *constant_of(const pod_program *program, const pod_loop_load *load)
{
    if (load->access != POD_ACCESS_SCALAR)
        return NULL;
    if (load->slot == POD_SLOT_END)
        return &load->element;
    const pod_slot *slot = &program->slots[load->slot];
    return slot->kind == POD_SLOT_LITERAL
               ? program->literals + slot->offset + (size_t)load->offset * pod_dtype_size(load->dtype)
               : NULL;
}

/* Returns the one load of bytes that all results depend on; NULL when the loop is no function of it. */
static const pod_loop_load *byte_of(const pod_program *program, const pod_loop *loop)
{
    const pod_loop_load *byte = NULL;
    if (loop->fold_count > 0 || loop->store_count != 1 || loop->step_count < LEAST_STEPS ||
        pod_dtype_size(loop->stores[0].dtype) != 2 || loop->rows * loop->columns < MANY)
        return NULL;
    for (uint32_t i = 0; i < loop->step_count; i++)
        if (!loop->steps[i].function)
            return NULL;
    for (uint32_t i = 0; i < loop->load_count; i++) {
        if (!byte && is_byte(&loop->loads[i]))
            byte = &loop->loads[i];
        else if (!constant_of(program, &loop->loads[i]))
            return NULL;
    }
    return byte;
}

/* Registers of the loop, each for all values of a byte. */
typedef struct bench {
    const pod_program *program;
    const pod_loop *loop;
    char *registers, *staging;
} bench;

static void *at(const bench *b, uint32_t index)
{
    return index == UINT32_MAX ? NULL : b->registers + (size_t)index * POD_LOOKUP_ENTRIES * 8;
}

static void load(const bench *b, const pod_loop_load *one)
{
    const size_t size = pod_dtype_size(one->dtype);
    const char *constant = constant_of(b->program, one);
    for (size_t i = 0; i < POD_LOOKUP_ENTRIES; i++) {
        if (constant)
            memcpy(b->staging + i * size, constant, size);
        else
            b->staging[i] = (char)i;
    }
    b->program->kernels->load[one->dtype](at(b, one->result), b->staging, POD_LOOKUP_ENTRIES);
}

/* Does what the engine does with a block. */
static void compute(const bench *b, void *entries)
{
    const pod_loop *loop = b->loop;
    uint32_t loads = 0;
    for (uint32_t i = 0; i <= loop->step_count; i++) {
        for (; loads < loop->load_count && loop->loads[loads].at <= i; loads++)
            load(b, &loop->loads[loads]);
        if (i == loop->step_count)
            break;
        const pod_loop_step *step = &loop->steps[i];
        step->function(at(b, step->result), at(b, step->a), at(b, step->b), at(b, step->c), POD_LOOKUP_ENTRIES);
    }
    const pod_loop_store *store = &loop->stores[0];
    b->program->kernels->store[store->dtype](entries, at(b, store->source), POD_LOOKUP_ENTRIES);
}

bool pod_program_make_table(pod_program *program, pod_arena *scratch, pod_loop *loop)
{
    const pod_loop_load *byte = byte_of(program, loop);
    if (!byte)
        return true;
    const size_t block = POD_LOOKUP_ENTRIES * 8;
    char *blocks = pod_arena_array(scratch, (size_t)loop->register_count + 2, block);
    pod_byte_table *made = pod_arena_array(&program->memory, 1, sizeof *made);
    if (!blocks || !made)
        return false;
    blocks += -(uintptr_t)blocks & 63; /* where registers are aligned */
    bench b = {program, loop, blocks + block, blocks};
    made->from = byte->slot;
    made->offset = byte->offset;
    made->to = loop->stores[0].slot;
    compute(&b, made->entries);
    loop->table = made;
    return true;
}
