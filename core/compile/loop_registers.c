/* loop_registers - gives the virtual registers of a loop real ones, and its blocks their size. */

#include "base/sizes.h"
#include "compile/loop_builder.h"

#include <assert.h>

static void use(uint32_t *last, uint32_t at, uint32_t when)
{
    if (at != POD_NO_REGISTER)
        last[at] = when;
}

/* Registers that keep for all blocks, or point into memory, are found at run time by the same rule: see
 * run_loop.c. */
static bool keeps(const pod_loop *loop, const pod_loop_load *load)
{
    return load->access == POD_ACCESS_SCALAR || (load->access == POD_ACCESS_COLUMN && loop->columns <= POD_BLOCK / 4);
}

/* Holds what packing keeps: where each virtual register went, when it is last used, and what is free. */
typedef struct packing {
    pod_loop *loop;
    uint32_t *last, *real, *spare;
    uint32_t spares, end;
    bool wide;
} packing;

static void find_last_uses(packing *p)
{
    pod_loop *loop = p->loop;
    p->end = loop->step_count + 1;
    for (uint32_t i = 0; i < loop->step_count; i++) {
        use(p->last, loop->steps[i].a, i);
        use(p->last, loop->steps[i].b, i);
        use(p->last, loop->steps[i].c, i);
        for (int j = 0; loop->steps[i].adam && j < 5; j++)
            use(p->last, loop->steps[i].adam->operands[j], i);
    }
    for (uint32_t i = 0; i < loop->store_count; i++)
        use(p->last, loop->stores[i].source, p->end);
    for (uint32_t i = 0; i < loop->fold_count; i++)
        use(p->last, loop->folds[i].source, p->end);
    for (uint32_t i = 0; i < loop->load_count; i++)
        if ((loop->loads[i].once = keeps(loop, &loop->loads[i])))
            p->last[loop->loads[i].result] = p->end;
}

static uint32_t take_register(packing *p, bool reuse)
{
    assert(p->spares <= p->loop->register_count);
    return reuse && p->spares > 0 ? p->spare[--p->spares] : p->loop->register_count++;
}

static void pack_adam(packing *p, uint32_t index)
{
    pod_loop_adam *adam = p->loop->steps[index].adam;
    for (int i = 0; i < 3; i++)
        if (adam->results[i] != POD_NO_REGISTER)
            adam->results[i] = p->real[adam->results[i]] = take_register(p, true);
    for (int i = 0; i < 5; i++) {
        uint32_t from = adam->operands[i];
        adam->operands[i] = p->real[from];
        if (p->last[from] == index) {
            p->last[from] = p->end;
            p->spare[p->spares++] = p->real[from];
        }
    }
}

/* The result may take the place of an operand, unless elements differ in size. */
static void pack_step(packing *p, uint32_t index)
{
    pod_loop_step *step = &p->loop->steps[index];
    uint32_t *operands[3] = {&step->a, &step->b, &step->c};
    uint32_t freed[3], count = 0;
    if (step->adam) {
        pack_adam(p, index);
        return;
    }
    for (int i = 0; i < 3; i++) {
        uint32_t from = *operands[i];
        if (from == POD_NO_REGISTER)
            continue;
        *operands[i] = p->real[from];
        if (p->last[from] == index) {
            p->last[from] = p->end; /* freed once, also when it is read twice */
            freed[count++] = p->real[from];
        }
    }
    uint32_t made = step->result, before = p->wide ? 0 : count; /* freed before the result is placed */
    if (step->kind == POD_STEP_BY_ROW && count > 0 && freed[count - 1] == step->b)
        before = p->wide ? 0 : count - 1; /* b is read until the last row */
    for (uint32_t i = 0; i < before; i++)
        p->spare[p->spares++] = freed[i];
    step->result = p->real[made] = take_register(p, true);
    for (uint32_t i = before; i < count; i++)
        p->spare[p->spares++] = freed[i];
}

/* Gives each virtual register a real one; those that are not needed any more are taken again. */
bool pod_compile_loop_pack_registers(pod_loop *loop, pod_arena *scratch, uint32_t registers, bool wide)
{
    packing p = {.loop = loop, .wide = wide};
    assert(loop->register_count == 0);
    p.last = pod_arena_array(scratch, registers, sizeof *p.last);
    p.real = pod_arena_array(scratch, registers, sizeof *p.real);
    p.spare = pod_arena_array(scratch, (size_t)registers * 2 + 4, sizeof *p.spare);
    if (!p.last || !p.real || !p.spare)
        return false;
    find_last_uses(&p);
    uint32_t load = 0;
    for (uint32_t i = 0; i <= loop->step_count; i++) {
        for (; load < loop->load_count && loop->loads[load].at <= i; load++) {
            uint32_t *result = &loop->loads[load].result;
            *result = p.real[*result] = take_register(&p, !loop->loads[load].once);
        }
        if (i < loop->step_count)
            pack_step(&p, i);
    }
    for (uint32_t i = 0; i < loop->store_count; i++)
        if (loop->stores[i].source != POD_NO_REGISTER)
            loop->stores[i].source = p.real[loop->stores[i].source];
    for (uint32_t i = 0; i < loop->fold_count; i++)
        loop->folds[i].source = p.real[loop->folds[i].source];
    return true;
}

static bool has_row_steps(const pod_loop *loop)
{
    for (uint32_t i = 0; i < loop->step_count; i++)
        if (loop->steps[i].kind != POD_STEP_BLOCK && loop->steps[i].kind != POD_STEP_BY_ROW &&
            loop->steps[i].kind != POD_STEP_ADAM)
            return true;
    return false;
}

/* Blocks are as long as registers fit well into an L1 cache of 32 KiB. */
void pod_compile_loop_size_blocks(pod_loop *loop, bool wide)
{
    int64_t size = wide ? 8 : 4;
    int64_t least = has_row_steps(loop) ? loop->columns : 1; /* whole rows */
    loop->block = POD_BLOCK;
    while (loop->block > POD_BLOCK / 4 && loop->block / 2 >= least &&
           (int64_t)loop->register_count * loop->block * size > 24 * 1024)
        loop->block /= 2;
    loop->register_bytes = (uint32_t)(loop->block * size);
    uint64_t pointers = pod_round_up_bytes(loop->register_count * sizeof(char *), 64);
    loop->scratch_bytes = (uint64_t)loop->register_count * loop->register_bytes + POD_LOOP_STAGING + pointers;
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        loop->folds[i].scratch = loop->scratch_bytes;
        if (loop->folds[i].by_rows)
            loop->scratch_bytes += pod_round_up_bytes((uint64_t)loop->folds[i].inner * 8, 64);
    }
}
