/*
 * write_chains - chains for a loop of sums, products and folds of f32: a chain for the steps up to each fold of rows.
 * Nothing but what a later chain reads is kept for whole rows. engine/run_chains.c runs them.
 */

#include "program/chain_plan.h"

#include <assert.h>
#include <string.h>

/* ---- writing -------------------------------------------------------------------------------------------- */

static bool add_step(pod_chain_plan *p, uint8_t chain, pod_chain_op op, uint8_t source)
{
    if (p->step_counts[chain] == POD_CHAIN_STEPS)
        return false;
    const pod_chain_operand operand = source == POD_NO_VALUE ? POD_CHAIN_F32 : p->values[source].operand;
    p->steps[chain][p->step_counts[chain]++] = (pod_planned_step){(uint8_t)op, (uint8_t)operand, source, 0};
    return true;
}

/* A step whose operand is where a store or fold of the loop puts what is made. */
static bool add_end(pod_chain_plan *p, uint8_t chain, pod_chain_op op, pod_chain_operand operand, uint32_t end)
{
    assert(end < POD_CHAIN_ENDS);
    if (!add_step(p, chain, op, POD_NO_VALUE))
        return false;
    pod_planned_step *made = &p->steps[chain][p->step_counts[chain] - 1];
    made->operand = (uint8_t)operand;
    made->end = (uint8_t)end;
    return true;
}

/* A step that reads a value. */
static bool add_reading(pod_chain_plan *p, uint8_t chain, pod_chain_op op, uint8_t of)
{
    pod_chain_value *operand = &p->values[of];
    if (operand->kind == POD_VALUE_MADE) {
        operand->kept = true;
        operand->whole |= operand->chain != chain;
    }
    return add_step(p, chain, op, of);
}

static bool bring(pod_chain_plan *p, uint8_t chain, uint8_t of, uint8_t *at_hand)
{
    if (*at_hand == of)
        return true;
    *at_hand = of;
    return add_reading(p, chain, POD_CHAIN_LOAD, of);
}

/* Sums of columns of a value that is at hand. */
static bool add_column_sums(pod_chain_plan *p, uint8_t chain, uint8_t of)
{
    for (uint32_t i = 0; i < p->loop->fold_count; i++)
        if (p->column_sums[i] == of && !add_end(p, chain, POD_CHAIN_SUM_COLUMNS, POD_CHAIN_F32, i))
            return false;
    return true;
}

/* What was made is at hand: it is kept and summed. */
static bool finish_value(pod_chain_plan *p, uint8_t chain, uint8_t of)
{
    if (p->values[of].kept && !add_step(p, chain, POD_CHAIN_STORE_F32, of))
        return false;
    return add_column_sums(p, chain, of);
}

static bool write_action(pod_chain_plan *p, const pod_chain_action *what, uint8_t *at_hand)
{
    pod_chain_op op = what->op;
    uint8_t a = what->a, b = what->b;
    const bool may_turn =
        op == POD_CHAIN_ADD || op == POD_CHAIN_SUBTRACT || op == POD_CHAIN_MULTIPLY || op == POD_CHAIN_SUM_PRODUCTS;
    if (may_turn && *at_hand == b && *at_hand != a) {
        a = what->b;
        b = what->a;
        op = op == POD_CHAIN_SUBTRACT ? POD_CHAIN_SUBTRACT_FROM : op;
    }
    if (!bring(p, what->chain, a, at_hand))
        return false;
    if (a == b && op == POD_CHAIN_MULTIPLY) {
        op = POD_CHAIN_SQUARE;
        b = POD_NO_VALUE;
    }
    if (b != POD_NO_VALUE ? !add_reading(p, what->chain, op, b) : !add_step(p, what->chain, op, POD_NO_VALUE))
        return false;
    if (what->result == POD_NO_VALUE)
        return true;
    *at_hand = what->result;
    return finish_value(p, what->chain, what->result);
}

/* Stores come behind all that the last chain reads: they may go where something was read. */
static bool write_stores(pod_chain_plan *p, uint8_t *at_hand)
{
    for (uint32_t i = 0; i < p->loop->store_count; i++) {
        const pod_loop_store *store = &p->loop->stores[i];
        if (store->by_rows)
            continue;
        const bool is_f32 = store->dtype == POD_F32;
        if (!bring(p, p->chain, p->current[store->source], at_hand) ||
            !add_end(p, p->chain, is_f32 ? POD_CHAIN_STORE_F32 : POD_CHAIN_STORE_BF16,
                     is_f32 ? POD_CHAIN_F32 : POD_CHAIN_BF16, i))
            return false;
    }
    return true;
}

/* Writes all chains; values that are found to be kept are only kept the next time. */
static bool write_chains(pod_chain_plan *p)
{
    memset(p->step_counts, 0, sizeof p->step_counts);
    uint8_t at_hand = POD_NO_VALUE, chain = 0;
    for (uint8_t i = 0; i < p->value_count; i++) {
        if (p->values[i].kind != POD_VALUE_STORED)
            continue;
        for (uint32_t j = 0; j < p->loop->fold_count; j++)
            if (p->column_sums[j] == i) {
                if (!bring(p, 0, i, &at_hand) || !add_column_sums(p, 0, i))
                    return false;
                break;
            }
    }
    for (int i = 0; i < p->action_count; i++) {
        if (p->actions[i].chain != chain)
            at_hand = POD_NO_VALUE;
        chain = p->actions[i].chain;
        if (!write_action(p, &p->actions[i], &at_hand))
            return false;
    }
    if (chain != p->chain)
        at_hand = POD_NO_VALUE;
    return write_stores(p, &at_hand);
}

/* How what is kept is read. */
static void settle_kept(pod_chain_plan *p)
{
    for (uint8_t i = 0; i < p->value_count; i++) {
        pod_chain_value *one = &p->values[i];
        if (!one->kept)
            continue;
        one->of_block = one->whole;
        one->operand = one->whole ? POD_CHAIN_F32 : POD_CHAIN_NEAR;
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

/* The columns of all sums that are made of each row, which repeat along it; else 0. */
static int64_t inner_columns(const pod_loop *loop)
{
    int64_t inner = 0;
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        if (!loop->folds[i].by_rows || (inner != 0 && loop->folds[i].inner != inner))
            return 0;
        inner = loop->folds[i].inner;
    }
    return inner;
}

static void *keep(pod_arena *memory, const void *array, int64_t count, size_t size)
{
    return pod_arena_copy(memory, array, (size_t)count * size);
}

static const pod_loop_chains *keep_plan(const pod_chain_plan *p, pod_arena *memory)
{
    pod_loop_chains *made = pod_arena_array(memory, 1, sizeof *made);
    if (!made)
        return NULL;
    made->value_count = p->value_count;
    made->row_action_count = p->row_action_count;
    made->values = keep(memory, p->values, p->value_count, sizeof *p->values);
    made->row_actions = keep(memory, p->row_actions, p->row_action_count, sizeof *p->row_actions);
    made->last = p->chain;
    made->columns = p->columns;
    made->split = p->split;
    bool whole = made->values && made->row_actions;
    for (uint32_t i = 0; i < p->loop->store_count; i++)
        made->store_sources[i] = p->current[p->loop->stores[i].source];
    for (int i = 0; i < POD_CHAINS && whole; i++) {
        pod_planned_chain *chain = &made->chains[i];
        chain->count = p->step_counts[i];
        chain->sums = p->sums[i];
        chain->steps = chain->count ? keep(memory, p->steps[i], chain->count, sizeof *p->steps[i]) : NULL;
        whole = !chain->count || chain->steps;
    }
    return whole ? made : NULL;
}

bool pod_program_plan_chains(const pod_kernels *kernels, const pod_loop *loop, bool tile, pod_arena *memory,
                             const pod_loop_chains **chains)
{
    const int64_t inner = inner_columns(loop);
    pod_chain_plan p; /* large: pod_program_read_chains() sets what is read */
    p.kernels = kernels;
    p.loop = loop;
    p.tile = tile;
    p.split = inner > 1 && inner < loop->columns && loop->pack_count == 0 && !tile ? loop->columns / inner : 1;
    p.columns = loop->columns / p.split;
    p.scratch_left = (int64_t)loop->register_count * loop->register_bytes + POD_LOOP_STAGING;
    *chains = NULL;
    if (!kernels->chain || (!tile && p.columns % POD_CHAIN_LANES != 0) || !pod_program_read_chains(&p) ||
        !write_chains(&p))
        return true;
    settle_kept(&p);
    if (!write_chains(&p))
        return true;
    *chains = keep_plan(&p, memory);
    return *chains != NULL;
}
