/*
 * Walks the op table: every op has a batching case, and its joined, stacked and mapped forms and
 * its sums over the replicas give what a loop over the replicas gives.
 */

#include "batching_cases.h"

typedef struct batching_case {
    case_builder *build;
    uint32_t refused; /* bit v: variant v is refused when shards are uneven */
    bool mixes;       /* with one split operand, others may be anything in uneven shards too */
    bool apart;       /* has a test of its own (test_replicate*.c) */
} batching_case;

/* ---- the table ---- */

static batching_case case_of(pod_op op)
{
    static case_builder *const by_element[] = {NULL, build_unary, build_binary, build_ternary};
    if (pod_op_is_elementwise(op))
        return (batching_case){by_element[pod_op_get(op)->operands], 0, true, false};
    switch (op) {
    case POD_OP_PARAMETER:
    case POD_OP_CONSTANT:
    case POD_OP_IOTA:
        return (batching_case){build_leaf, 0, false, false};
    case POD_OP_RESULT:
        return (batching_case){build_result, 0, false, false};
    case POD_OP_WITH_ROWS:
        return (batching_case){build_with_rows, 0, false, false};
    case POD_OP_CHECK:
        return (batching_case){build_check, 0, false, false};
    case POD_OP_BARRIER:
    case POD_OP_PRINT:
        return (batching_case){build_unary, 0, true, false};
    case POD_OP_RANDOM_BITS:
    case POD_OP_ALL_REDUCE:
    case POD_OP_REDUCE_SCATTER:
    case POD_OP_ALL_GATHER:
    case POD_OP_ALL_TO_ALL:
    case POD_OP_COLLECTIVE_PERMUTE:
    case POD_OP_REPLICA_ID:
    case POD_OP_OPAQUE: /* refused */
        return (batching_case){NULL, 0, false, true};
    case POD_OP_RESHAPE:
        return (batching_case){build_reshape, 1 << 3, false, false};
    case POD_OP_TRANSPOSE:
        return (batching_case){build_transpose, 0, false, false};
    case POD_OP_BROADCAST:
        return (batching_case){build_broadcast, 0, false, false};
    case POD_OP_SLICE:
        return (batching_case){build_slice, 1 << 1, false, false};
    case POD_OP_DYNAMIC_SLICE:
        return (batching_case){build_dynamic_slice, 0, false, false};
    case POD_OP_DYNAMIC_UPDATE_SLICE:
        return (batching_case){build_dynamic_update, 0, false, false};
    case POD_OP_PAD:
        return (batching_case){build_pad, 1 << 1, false, false};
    case POD_OP_CONCATENATE:
        return (batching_case){build_concatenate, 1 << 1, false, false};
    case POD_OP_REVERSE:
        return (batching_case){build_reverse, 1 << 1, false, false};
    case POD_OP_GATHER:
        return (batching_case){build_gather, 0, false, false};
    case POD_OP_SCATTER:
        return (batching_case){build_scatter, 0, false, false};
    case POD_OP_SORT:
        return (batching_case){build_sort, 1 << 1, false, false};
    case POD_OP_TOP_K:
        return (batching_case){build_top_k, 1 << 2, false, false};
    case POD_OP_DIMENSION_SIZE:
        return (batching_case){build_dimension, 0, false, false};
    case POD_OP_REDUCE_SUM:
    case POD_OP_REDUCE_PRODUCT:
    case POD_OP_REDUCE_MAX:
    case POD_OP_REDUCE_MIN:
    case POD_OP_REDUCE_AND:
    case POD_OP_REDUCE_OR:
        return (batching_case){build_reduction, 0, false, false};
    case POD_OP_ARGMAX:
    case POD_OP_ARGMIN:
        return (batching_case){build_arg_reduction, 0, false, false};
    case POD_OP_REDUCE:
        return (batching_case){build_reduce, 1 << 1, false, false};
    case POD_OP_CUMULATIVE_SUM:
        return (batching_case){build_cumulative, 0, false, false};
    case POD_OP_DOT:
        return (batching_case){build_dot, 0, false, false};
    case POD_OP_CONVOLUTION:
    case POD_OP_CONVOLUTION_INPUT_GRADIENT:
    case POD_OP_CONVOLUTION_KERNEL_GRADIENT:
        return (batching_case){build_convolution, 0, false, false};
    case POD_OP_POOL_MAX:
    case POD_OP_POOL_MAX_GRADIENT:
    case POD_OP_POOL_MAX_SELECT:
    case POD_OP_POOL_SUM:
    case POD_OP_POOL_SUM_GRADIENT:
        return (batching_case){build_pool, 0, false, false};
    case POD_OP_CALL:
        return (batching_case){build_call, 0, false, false};
    case POD_OP_COND:
        return (batching_case){build_cond, 0, false, false};
    case POD_OP_WHILE:
        return (batching_case){build_while, 0, false, false};
    default:
        return (batching_case){NULL, 0, false, false};
    }
}

TEST(every_op_has_a_batching_case)
{
    for (pod_op op = 0; op < pod_op_count(); op++) {
        batching_case c = case_of(op);
        if (c.build == NULL && !c.apart)
            FAIL("'%s' has no batching case", pod_op_name(op));
    }
}

/* ---- the walk ---- */

/* Writes combination `number` of placements; false when there are no more. Even shards take every
 * combination; uneven ones have all rows split, or any when at least one is and `mixes` is set. */
static bool place(const replica_case *c, bool mapping, bool even, bool mixes, uint32_t number,
                  pod_placement *placements, bool *valid)
{
    bool any_split = false, all_split = true;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t choices = c->is_rows[i] && !mapping ? 3 : 2;
        static const pod_placement order[] = {POD_PER_REPLICA, POD_MIRRORED, POD_SPLIT};
        placements[i] = order[number % choices];
        number /= choices;
        any_split |= placements[i] == POD_SPLIT;
        all_split &= !c->is_rows[i] || placements[i] == POD_SPLIT;
    }
    *valid = mapping || even || all_split || (mixes && any_split && c->variant == 0);
    return number == 0;
}

static bool is_empty_somewhere(const replica_run *run)
{
    return run->rows != 0 && run_length(run, run->replicas - 1) == 0;
}

/* Runs all placements of one variant over one number of replicas; false when it does not exist. */
static bool check_variant(replica_run *run, const batching_case *row)
{
    replica_case c;
    pod_placement placements[MAX_CASE_PARAMETERS];
    bool valid, mapping = run->rows == 0;
    bool even = mapping || run->rows == run->chunk * run->replicas;
    if (!build_case(run, run->chunk, &c))
        return false;
    pod_dtype dtype = pod_node_dtype(c.graph->outputs[0], 0);
    for (uint32_t number = 0; place(&c, mapping, even, row->mixes, number, placements, &valid); number++) {
        if (!valid)
            continue;
        bool has_rows = false;
        for (uint32_t i = 0; i < c.count; i++)
            has_rows |= c.is_rows[i];
        run->placements = placements;
        run->refused = !even && has_rows && (row->refused >> run->variant & 1) != 0;
        run->sum = false;
        check_run(run);
        run->sum = !mapping && dtype != POD_BOOL && !is_empty_somewhere(run) &&
                   run->op != POD_OP_BITCAST; /* whose integers would overflow */
        if (run->sum)
            check_run(run);
    }
    pod_graph_free(c.graph);
    return true;
}

static void walk(int64_t replicas, int64_t rows, int64_t chunk)
{
    pod_context *context = test_context(NULL);
    for (pod_op op = 0; op < pod_op_count(); op++) {
        batching_case row = case_of(op);
        replica_run run = {.context = context,
                           .build = row.build,
                           .replicas = replicas,
                           .rows = rows,
                           .chunk = chunk,
                           .what = pod_op_name(op),
                           .op = op};
        while (row.build != NULL && check_variant(&run, &row))
            run.variant++;
    }
    pod_context_release(context);
}

TEST(even_shards_give_what_a_loop_gives)
{
    walk(2, 6, 3);
    walk(4, 8, 2);
}

TEST(one_row_a_replica_gives_what_a_loop_gives)
{
    walk(3, 3, 1);
}

TEST(one_replica_gives_what_the_core_gives)
{
    walk(1, 3, 3);
}

TEST(a_short_shard_gives_what_a_loop_gives)
{
    walk(3, 7, 3);
    walk(2, 3, 2);
}

TEST(empty_shards_count_for_nothing)
{
    walk(4, 6, 2);
    walk(5, 12, 3);
}

TEST(mapped_functions_give_what_a_loop_gives)
{
    walk(3, 0, 2);
    walk(1, 0, 3);
}

TEST_MAIN(RUN(every_op_has_a_batching_case); RUN(even_shards_give_what_a_loop_gives);
          RUN(one_row_a_replica_gives_what_a_loop_gives); RUN(one_replica_gives_what_the_core_gives);
          RUN(a_short_shard_gives_what_a_loop_gives); RUN(empty_shards_count_for_nothing);
          RUN(mapped_functions_give_what_a_loop_gives);)
