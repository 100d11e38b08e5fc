/*
 * attach_packs - lets the loop that makes an operand pack it, while what it made is in the cache: gradients for the
 * products of weights, and weights, whose packed forms are kept from one step of a run to the next. What is kept is
 * first packed by the program's entry, before the first step of a run. What no loop makes (a gradient of attention) is
 * packed by the first loop that reads it row by row (the sum of a bias), so that its rows need not be kept.
 */

#include "compile/compile_costs.h"
#include "compile/lower.h"
#include "kernels/dot.h"

#include <string.h>

/* The loop that an instruction runs over its rows, in order; NULL when it runs none or otherwise. */
static const pod_loop *loop_of(const pod_instruction *one)
{
    if (one->kind == POD_DO_LOOP)
        return one->loop;
    bool by_rows =
        one->kind == POD_DO_PRODUCT && !one->product.by_columns && one->product.outer == 1 && one->product.inner == 1;
    return by_rows ? one->product.epilogue : NULL;
}

/* Returns whether the rows of a loop are those of b (*turned: its columns). */
static bool has_rows_of(const pod_loop *loop, const pod_pack_detail *pack, bool *turned)
{
    *turned = pack->column_stride != 1;
    int64_t rows = *turned ? pack->n : pack->k, columns = *turned ? pack->k : pack->n;
    return pack->outer == 1 && pack->inner == 1 && pack->offset == 0 && loop->rows == rows &&
           loop->columns == columns && columns > 1 && rows > 1 &&
           (*turned ? pack->k_stride : pack->column_stride) == 1 &&
           (*turned ? pack->column_stride : pack->k_stride) == columns;
}

/* The slot by which a loop stores elements as they are packed; POD_SLOT_END when it does not. */
static uint32_t stored_slot(const pod_lowered *function, const pod_loop *loop, uint32_t slot)
{
    const pod_lowering *owner = function->owner;
    uint32_t base = pod_lower_base(owner, slot);
    for (uint32_t i = 0; i < loop->store_count; i++)
        if (pod_lower_base(owner, loop->stores[i].slot) == base && loop->stores[i].dtype == owner->slots[slot].dtype)
            return loop->stores[i].slot;
    return POD_SLOT_END;
}

/* Gives a loop one more thing to do, and its instruction one more result. */
static bool add_to_loop(pod_lowered *function, pod_instruction *maker, const pod_loop_pack *pack)
{
    pod_arena *memory = function->owner->memory;
    const pod_loop *old = loop_of(maker);
    uint32_t slots = maker->operand_count + maker->result_count;
    pod_loop *loop = pod_arena_copy(memory, old, sizeof *old);
    pod_loop_pack *packs = pod_arena_array(memory, old->pack_count + 1, sizeof *packs);
    uint32_t *all = pod_arena_array(memory, slots + 1, sizeof *all);
    int64_t *parts = pod_arena_array(memory, slots + 1, sizeof *parts);
    if (!loop || !packs || !all || !parts)
        return pod_lower_no_memory(function->owner);
    if (old->pack_count)
        memcpy(packs, old->packs, old->pack_count * sizeof *packs);
    memcpy(all, maker->slots, slots * sizeof *all);
    memcpy(parts, maker->parts, slots * sizeof *parts);
    packs[old->pack_count] = *pack;
    all[slots] = pack->slot;
    parts[slots] = 1;
    loop->packs = packs;
    loop->pack_count++;
    if (maker->kind == POD_DO_LOOP)
        maker->loop = loop;
    else
        maker->product.epilogue = loop;
    maker->slots = all;
    maker->parts = parts;
    maker->result_count++;
    while (maker->unit % POD_PACK_UNIT != 0)
        maker->unit *= 2;
    maker->row_cost += POD_COST_PACKED_AT_ONCE * (double)loop->columns;
    return true;
}

/* The slot by which a loop reads all elements as they are packed; POD_SLOT_END when it does not. */
static uint32_t loaded_slot(const pod_lowered *function, const pod_loop *loop, uint32_t slot)
{
    const pod_lowering *owner = function->owner;
    uint32_t base = pod_lower_base(owner, slot);
    for (uint32_t i = 0; i < loop->load_count; i++) {
        const pod_loop_load *load = &loop->loads[i];
        if (load->access == POD_ACCESS_DENSE && load->offset == 0 && load->slot != POD_SLOT_END &&
            pod_lower_base(owner, load->slot) == base && load->dtype == owner->slots[slot].dtype &&
            owner->slots[load->slot].bytes == owner->slots[slot].bytes)
            return load->slot;
    }
    return POD_SLOT_END;
}

/* Lets instruction `by` pack what it makes, or reads, as `one` does. *taken tells whether it can. */
static bool attach(pod_lowered *function, const pod_instruction *one, pod_instruction *by, bool reads, bool kept,
                   bool *taken)
{
    const pod_loop *loop = loop_of(by);
    bool turned;
    if (!loop || !one->pack.kernels->family || !has_rows_of(loop, &one->pack, &turned) ||
        (by->kind == POD_DO_PRODUCT && by->product.kernels != one->pack.kernels))
        return true;
    pod_loop_pack pack = {.slot = one->slots[1],
                          .source = (reads ? loaded_slot : stored_slot)(function, loop, one->slots[0]),
                          .dtype = one->pack.dtype,
                          .kernels = one->pack.kernels,
                          .turned = turned,
                          .kept = kept};
    *taken = pack.source != POD_SLOT_END;
    return !*taken || add_to_loop(function, by, &pack);
}

static bool reads_base(const pod_lowered *function, const pod_instruction *one, uint32_t base)
{
    for (uint32_t i = 0; i < one->operand_count; i++)
        if (pod_lower_base(function->owner, one->slots[i]) == base)
            return true;
    return false;
}

/* Lets the first loop that reads what instruction `index` packs do that, if one does before the packed form is read. */
static bool attach_to_reader(pod_lowered *function, uint32_t index, uint32_t writer, bool *taken)
{
    const pod_instruction *one = function->instructions[index];
    uint32_t packed = pod_lower_base(function->owner, one->slots[1]);
    for (uint32_t i = writer + 1; i < function->count && !*taken; i++) {
        pod_instruction *by = function->instructions[i];
        if (reads_base(function, by, packed))
            return true;
        if (by->kind == POD_DO_LOOP && !attach(function, one, by, true, false, taken))
            return false;
    }
    return true;
}

/* Returns whether a slot is the memory of an argument, not a part of it. */
static bool is_argument(const pod_lowered *function, uint32_t slot)
{
    const pod_slot *place = &function->owner->slots[pod_lower_base(function->owner, slot)];
    return place->kind == POD_SLOT_PARAMETER && place->bytes == function->owner->slots[slot].bytes;
}

/* What is packed here for the next step as well is taken to the entry; *room: bytes that f32 may take so. */
static bool attach_one(pod_lowered *function, uint32_t index, const pod_slot_users *slots, pod_lowered *entry,
                       uint64_t *room, bool *taken)
{
    pod_instruction *one = function->instructions[index];
    const pod_slot_users *source = &slots[pod_lower_base(function->owner, one->slots[0])];
    if (source->writers != 1)
        return true;
    bool kept = source->last_writer > index;
    /* What reads the packed weight has to be done with it when the new one is made. */
    const pod_slot_users *packed = &slots[pod_lower_base(function->owner, one->slots[1])];
    const uint64_t bytes = function->owner->slots[one->slots[1]].bytes;
    bool is_f32 = one->pack.kernels->family && one->pack.kernels->family->packed_bytes == 4;
    bool is_large = bytes >= POD_KEPT_BYTES || (is_f32 && bytes > *room);
    if (kept &&
        (!entry || is_large || !is_argument(function, one->slots[0]) || packed->last_reader > source->last_writer))
        return true;
    if (!attach(function, one, function->instructions[source->last_writer], false, kept, taken))
        return false;
    if (!kept && !*taken)
        return attach_to_reader(function, index, source->last_writer, taken);
    if (!kept || !*taken)
        return true;
    function->owner->slots[one->slots[1]].kept = true;
    *room -= is_f32 ? bytes : 0;
    entry->instructions[entry->count++] = one;
    return true;
}

bool pod_compile_attach_packs(pod_lowered *function, pod_lowered *entry)
{
    pod_arena *scratch = function->owner->scratch;
    bool *taken = pod_arena_array(scratch, function->count, sizeof *taken);
    const pod_slot_users *slots = pod_lower_slot_users(function);
    if (entry)
        entry->instructions = pod_arena_array(scratch, function->count, sizeof *entry->instructions);
    if (!taken || !slots || (entry && !entry->instructions))
        return pod_lower_no_memory(function->owner);
    uint64_t room = POD_KEPT_BYTES;
    for (uint32_t i = 0; i < function->count; i++)
        if (function->instructions[i]->kind == POD_DO_PACK && !attach_one(function, i, slots, entry, &room, &taken[i]))
            return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->count; i++)
        if (!taken[i])
            function->instructions[count++] = function->instructions[i];
    function->count = count;
    return true;
}
