/* loop_adam - what only Adam reads in a loop, and what of its results is only stored, is not copied through registers.
 */

#include "compile/loop_builder.h"

static void read_in_place(pod_loop *loop, pod_loop_adam *adam)
{
    for (int i = 0; i < 4; i++) {
        pod_loop_load *load = pod_compile_loop_load_of(loop, adam->operands[i]);
        bool tile = load && load->access == POD_ACCESS_TILE;
        if (!load || load->dtype != POD_F32 || (!tile && load->access != POD_ACCESS_DENSE) ||
            pod_compile_loop_uses(loop, adam->operands[i]) != 1)
            continue;
        load->in_memory = true;
        adam->rows[i] = tile ? POD_ROWS_OF_TILE : POD_ROWS_OF_LOOP;
    }
}

/* Returns whether the last step may store its results: nothing reads memory after it, which may be what it writes. */
static bool can_store_last(const pod_loop *loop)
{
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].at >= loop->step_count)
            return false;
    for (uint32_t i = 0; i < loop->store_count; i++)
        if (pod_compile_loop_load_of(loop, loop->stores[i].source))
            return false;
    for (uint32_t i = 0; i < loop->fold_count; i++)
        if (pod_compile_loop_load_of(loop, loop->folds[i].source))
            return false;
    return true;
}

static void store_in_place(pod_loop *loop, pod_loop_adam *adam)
{
    for (int i = 0; i < 3; i++)
        for (uint32_t j = 0; j < loop->store_count; j++) {
            pod_loop_store *store = &loop->stores[j];
            if (store->source != adam->results[i] || store->dtype != POD_F32 ||
                pod_compile_loop_uses(loop, adam->results[i]) != 1)
                continue;
            adam->slots[i] = store->slot;
            adam->results[i] = store->source = POD_NO_REGISTER;
            break;
        }
}

void pod_compile_loop_keep_adam(pod_loop *loop)
{
    for (uint32_t i = 0; i < loop->step_count; i++)
        if (loop->steps[i].adam)
            read_in_place(loop, loop->steps[i].adam);
    if (loop->step_count && loop->steps[loop->step_count - 1].adam && can_store_last(loop))
        store_in_place(loop, loop->steps[loop->step_count - 1].adam);
}
