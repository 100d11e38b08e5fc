/* verify_loop - proves that a fused loop reads registers that were filled, by functions of their size, and
 * memory within its slots: see verify.h and engine/run_loop.c. */

#ifndef NDEBUG

#include "base/sizes.h"
#include "verify/verify.h"

/* Holds what is known of the registers while the code is walked through. */
typedef struct register_walk {
    pod_verifier *v;
    const pod_loop *loop;
    bool tile;
    uint8_t *sizes; /* of each register's elements, in bytes; 0: not filled yet */
    bool *kept;     /* registers that a load fills once for all blocks */
} register_walk;

static int64_t size_of(pod_class class_)
{
    return (int64_t)pod_kernel_class_size(class_);
}

/* The size of what is no register but rows in memory, which only Adam reads. */
#define APART 255

/* What is filled block by block must not be what keeps. */
static bool fill(register_walk *w, uint32_t at, int64_t size, bool once)
{
    if (at >= w->loop->register_count || w->kept[at] || w->loop->block * size > (int64_t)w->loop->register_bytes)
        return pod_verify_fail(w->v, "a loop fills a register that it has not");
    w->sizes[at] = (uint8_t)size;
    w->kept[at] = once;
    return true;
}

/* Added to the size of elements of which a register has one a row only. */
#define A_ROW 64

/* For steps and stores on rows, a register of one element a row has enough, and one of the block, too. */
static bool holds(register_walk *w, uint32_t at, int64_t size, bool rows)
{
    return (at < w->loop->register_count && (w->sizes[at] == size || (rows && w->sizes[at] == size + A_ROW))) ||
           pod_verify_fail(w->v, "a loop reads a register that was not filled so");
}

/* ---- loads ------------------------------------------------------------------------------------------ */

/* Elements of the slot up to which a load reads; -1 when that cannot be. */
static int64_t reach_of(const register_walk *w, const pod_loop_load *load)
{
    const pod_loop *loop = w->loop;
    int64_t all = pod_verify_times(loop->rows, loop->columns), one = 1;
    switch (load->access) {
    case POD_ACCESS_DENSE:
        return pod_verify_reach(load->offset, 1, &all, &one);
    case POD_ACCESS_SCALAR:
        return pod_verify_reach(load->offset, 0, NULL, NULL);
    case POD_ACCESS_ROW:
    case POD_ACCESS_ROWS:
        return pod_verify_reach(load->offset, 1, &loop->rows, &one);
    case POD_ACCESS_COLUMN:
        return pod_verify_reach(load->offset, 1, &loop->columns, &one);
    case POD_ACCESS_STRIDED:
    case POD_ACCESS_COUNT:
        if (load->shape.rank < 1 || pod_shape_elements(&load->shape) != all)
            return -1;
        return pod_verify_reach(load->offset, load->shape.rank, load->shape.dims, load->strides);
    case POD_ACCESS_RANDOM: /* seed and step */
        return 2;
    case POD_ACCESS_TILE:
        return 0;
    }
    return -1;
}

static bool verify_load(register_walk *w, const pod_loop_load *load)
{
    const pod_kernels *kernels = w->v->program->kernels;
    pod_dtype dtype = load->access == POD_ACCESS_RANDOM ? POD_U64 : load->dtype;
    int64_t reach = reach_of(w, load);
    bool inside = load->access == POD_ACCESS_TILE || load->access == POD_ACCESS_COUNT ||
                  (load->access == POD_ACCESS_SCALAR && load->slot == POD_SLOT_END);
    if (load->dtype == POD_DTYPE_NONE || !kernels->load[load->dtype] || reach < 0 ||
        (load->access == POD_ACCESS_TILE && (!w->tile || load->dtype != POD_F32)) ||
        (load->access == POD_ACCESS_RANDOM && (load->dtype != POD_U32 || load->row_elements < 1)))
        return pod_verify_fail(w->v, "a loop loads what is not there");
    if (load->once && load->access != POD_ACCESS_SCALAR &&
        (load->access != POD_ACCESS_COLUMN || w->loop->columns > w->loop->block))
        return pod_verify_fail(w->v, "a loop keeps what differs from block to block");
    bool dense = load->access == POD_ACCESS_DENSE && load->dtype == POD_F32;
    if (load->in_memory && ((!dense && load->access != POD_ACCESS_TILE) || load->once))
        return pod_verify_fail(w->v, "a loop leaves in memory what is no row there");
    if (!inside && !pod_verify_slot(w->v, load->slot, reach, (int64_t)pod_dtype_size(dtype)))
        return false;
    if (!fill(w, load->result, size_of(pod_kernel_class_of(load->dtype)), load->once))
        return false;
    if (load->in_memory)
        w->sizes[load->result] = load->access == POD_ACCESS_TILE ? APART - 1 : APART;
    if (load->access == POD_ACCESS_ROWS)
        w->sizes[load->result] += A_ROW;
    return true;
}

static bool verify_loads(register_walk *w, uint32_t *next, uint32_t step, bool once)
{
    const pod_loop *loop = w->loop;
    for (; *next < loop->load_count && loop->loads[*next].at <= step; ++*next)
        if (loop->loads[*next].once == once && !verify_load(w, &loop->loads[*next]))
            return false;
    return true;
}

/* ---- steps, folds and stores ---------------------------------------------------------------------------- */

static const uint8_t operands_of[POD_BLOCK_OP_COUNT] = {
#define X(op, operands, classes, name) operands,
    POD_BLOCK_OP_LIST(X)
#undef X
};

static bool verify_adam(register_walk *w, const pod_loop_adam *adam)
{
    static const uint8_t sizes[POD_ROWS_KINDS] = {
        [POD_ROWS_OF_BLOCK] = 4, [POD_ROWS_OF_LOOP] = APART, [POD_ROWS_OF_TILE] = APART - 1};
    int64_t all = pod_verify_times(w->loop->rows, w->loop->columns);
    for (int i = 0; i < 4; i++)
        if (!holds(w, adam->operands[i], sizes[adam->rows[i]], false))
            return false;
    if (!holds(w, adam->operands[4], 4, false))
        return false;
    for (int i = 0; i < 3; i++) {
        bool stored = adam->slots[i] != POD_SLOT_END;
        if (stored ? !pod_verify_written(w->v, adam->slots[i], all, 4) : !fill(w, adam->results[i], 4, false))
            return false;
    }
    return true;
}

/* Steps on rows want blocks that are whole rows: there is no tile, and a row fits. */
static bool verify_row_step(register_walk *w, const pod_loop_step *step)
{
    int64_t size = size_of(step->class_);
    bool folds = step->kind == POD_STEP_FOLD;
    if (w->tile || w->loop->columns > w->loop->block || w->loop->columns < 1)
        return pod_verify_fail(w->v, "a loop cuts rows that it keeps in registers");
    if (step->kind == POD_STEP_ROWS)
        return true;
    if (folds && !w->v->program->kernels->fold[step->fold][step->class_])
        return pod_verify_fail(w->v, "a loop folds by no function");
    if (!holds(w, step->a, size, !folds))
        return false;
    if (folds && step->b != UINT32_MAX &&
        (step->fold != POD_FOLD_SUM || step->class_ != POD_CLASS_F32 || !holds(w, step->b, size, false)))
        return pod_verify_fail(w->v, "a loop folds by no function");
    if (!fill(w, step->result, size, false))
        return false;
    if (folds)
        w->sizes[step->result] += A_ROW;
    return true;
}

/* The elements of the rows stay until all rows are made. */
static bool verify_by_row(register_walk *w, const pod_loop_step *step)
{
    if (step->result == step->b)
        return pod_verify_fail(w->v, "a loop writes over the elements of its rows");
    return holds(w, step->a, 4, false) && holds(w, step->b, 4, true) && fill(w, step->result, 4, false);
}

/* The place of a step's function among the elementwise ones, then the conversions; BLOCK_CODES when it is none. */
#define BLOCK_CODES (POD_BLOCK_OP_COUNT * POD_CLASS_COUNT + POD_CLASS_COUNT * POD_CLASS_COUNT)

static uint32_t block_code(const pod_kernels *kernels, pod_block_function function)
{
    const pod_block_function *elements = &kernels->element[0][0];
    const pod_block_function *converts = &kernels->convert[0][0];
    uint32_t count = POD_BLOCK_OP_COUNT * POD_CLASS_COUNT;
    for (uint32_t i = 0; i < count; i++)
        if (elements[i] == function)
            return i;
    for (uint32_t i = 0; i < POD_CLASS_COUNT * POD_CLASS_COUNT; i++)
        if (converts[i] == function)
            return count + i;
    return BLOCK_CODES;
}

static bool verify_step(register_walk *w, const pod_loop_step *step)
{
    const pod_kernels *kernels = w->v->program->kernels;
    if ((step->kind == POD_STEP_ADAM) != (step->adam != NULL))
        return pod_verify_fail(w->v, "a loop does Adam without its numbers");
    if (step->adam)
        return verify_adam(w, step->adam);
    if (step->kind == POD_STEP_BY_ROW)
        return verify_by_row(w, step);
    if (step->kind != POD_STEP_BLOCK && !verify_row_step(w, step))
        return false;
    if (step->kind == POD_STEP_FOLD || step->kind == POD_STEP_SPREAD)
        return true;
    const uint32_t at[3] = {step->a, step->b, step->c};
    uint32_t code = step->function ? block_code(kernels, step->function) : BLOCK_CODES;
    uint32_t elements = POD_BLOCK_OP_COUNT * POD_CLASS_COUNT;
    if (code == BLOCK_CODES)
        return pod_verify_fail(w->v, "a loop calls no function");
    pod_block_op element = code < elements ? (pod_block_op)(code / POD_CLASS_COUNT) : POD_BLOCK_OP_COPY;
    pod_class from = (pod_class)(code < elements ? code % POD_CLASS_COUNT : (code - elements) / POD_CLASS_COUNT);
    pod_class to = code < elements ? from : (pod_class)((code - elements) % POD_CLASS_COUNT);
    if (pod_kernel_block_op_tests(element))
        to = POD_CLASS_S32;
    bool rows = step->kind == POD_STEP_ROWS;
    for (int i = 0; i < 3; i++) {
        pod_class wanted = element == POD_BLOCK_OP_SELECT && i == 0 ? POD_CLASS_S32 : from;
        if (i < operands_of[element] && !holds(w, at[i], size_of(wanted), rows))
            return false;
        if (i >= operands_of[element] && at[i] != UINT32_MAX)
            return pod_verify_fail(w->v, "a loop gives a function too many operands");
    }
    if (!fill(w, step->result, size_of(to), false))
        return false;
    if (rows)
        w->sizes[step->result] += A_ROW;
    return true;
}

/* Partial sums are kept in the result's slot, or behind all else in scratch. */
static bool verify_fold(register_walk *w, const pod_loop_fold *fold)
{
    const pod_loop *loop = w->loop;
    const pod_kernels *kernels = w->v->program->kernels;
    int64_t size = size_of(fold->class_);
    if (fold->dtype == POD_DTYPE_NONE || pod_kernel_class_of(fold->dtype) != fold->class_ ||
        !kernels->fold[fold->fold][fold->class_] || !kernels->element[pod_fold_elements[fold->fold]][fold->class_] ||
        fold->inner < 1 || fold->partial_rows < 1)
        return pod_verify_fail(w->v, "a loop folds by no function");
    if (!holds(w, fold->source, size, false))
        return false;
    if (!fold->by_rows) {
        int64_t partials = loop->rows / fold->partial_rows + (loop->rows % fold->partial_rows != 0);
        if (fold->inner != loop->columns && fold->inner != 1)
            return pod_verify_fail(w->v, "a loop folds neither columns nor all");
        return pod_verify_written(w->v, fold->slot, pod_verify_times(partials, fold->inner), size);
    }
    if (loop->columns % fold->inner != 0)
        return pod_verify_fail(w->v, "a loop folds parts of rows");
    return pod_verify_written(w->v, fold->slot, pod_verify_times(loop->rows, fold->inner),
                              (int64_t)pod_dtype_size(fold->dtype));
}

static bool verify_pack(register_walk *w, const pod_loop_pack *pack)
{
    const pod_loop *loop = w->loop;
    int64_t k = pack->turned ? loop->columns : loop->rows;
    int64_t n = pack->turned ? loop->rows : loop->columns;
    bool is_f32 = pack->kernels != &w->v->program->kernels->dot_bf16;
    if (pack->dtype != POD_F32 && (pack->dtype != POD_BF16 || is_f32))
        return pod_verify_fail(w->v, "a loop packs what is no operand");
    size_t bytes = pod_kernel_dot_packed_b_bytes(pack->kernels, k, n);
    if (!pack->kernels->family || !bytes || bytes > INT64_MAX)
        return pod_verify_fail(w->v, "a loop packs for other kernels");
    return pod_verify_written(w->v, pack->slot, (int64_t)bytes, 1) &&
           pod_verify_slot(w->v, pack->source, pod_verify_times(k, n), (int64_t)pod_dtype_size(pack->dtype));
}

static bool verify_ends(register_walk *w)
{
    const pod_loop *loop = w->loop;
    int64_t all = pod_verify_times(loop->rows, loop->columns);
    for (uint32_t i = 0; i < loop->fold_count; i++)
        if (!verify_fold(w, &loop->folds[i]))
            return false;
    for (uint32_t i = 0; i < loop->store_count; i++) {
        const pod_loop_store *store = &loop->stores[i];
        if (store->dtype == POD_DTYPE_NONE || !w->v->program->kernels->store[store->dtype])
            return pod_verify_fail(w->v, "a loop stores no type");
        bool made = store->source == UINT32_MAX; /* by a step, which was looked at */
        if ((!made && !holds(w, store->source, size_of(pod_kernel_class_of(store->dtype)), store->by_rows)) ||
            !pod_verify_written(w->v, store->slot, store->by_rows ? loop->rows : all,
                                (int64_t)pod_dtype_size(store->dtype)))
            return false;
    }
    for (uint32_t i = 0; i < loop->pack_count; i++)
        if (!verify_pack(w, &loop->packs[i]))
            return false;
    return true;
}

/* Registers, staging for gathering, pointers and then the accumulators of folds: as lower_loop.c lays them. */
static bool verify_scratch(const pod_loop *loop)
{
    uint64_t bytes = (uint64_t)loop->register_count * loop->register_bytes + POD_LOOP_STAGING +
                     pod_round_up_bytes(loop->register_count * sizeof(char *), 64);
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        int64_t inner = loop->folds[i].inner;
        if (loop->folds[i].scratch != bytes || inner > INT32_MAX)
            return false;
        if (loop->folds[i].by_rows)
            bytes += pod_round_up_bytes((uint64_t)inner * 8, 64);
    }
    return bytes == loop->scratch_bytes;
}

bool pod_verify_loop(pod_verifier *v, const pod_loop *loop, bool tile)
{
    register_walk w = {.v = v, .loop = loop, .tile = tile};
    int64_t elements = pod_verify_times(loop->rows, loop->columns);
    uint64_t made = (uint64_t)loop->load_count + 3 * (uint64_t)loop->step_count; /* Adam makes three */
    if (elements < 0 || elements > INT64_MAX / 64 || loop->register_count > made ||
        (loop->columns == 0 && loop->rows != 0) || loop->block < 1 || loop->block > POD_BLOCK ||
        loop->register_bytes > POD_BLOCK * 8 || loop->register_bytes % 64 != 0 || !verify_scratch(loop))
        return pod_verify_fail(v, "a loop has no good sizes");
    w.sizes = pod_verify_array(v, loop->register_count, sizeof *w.sizes);
    w.kept = pod_verify_array(v, loop->register_count, sizeof *w.kept);
    if (!w.sizes || !w.kept)
        return pod_verify_fail(v, "there is no memory to look at a loop");
    uint32_t kept = 0, next = 0;
    for (uint32_t i = 1; i < loop->load_count; i++)
        if (loop->loads[i].at < loop->loads[i - 1].at)
            return pod_verify_fail(v, "a loop loads too late");
    if (!verify_loads(&w, &kept, UINT32_MAX, true))
        return false;
    for (uint32_t i = 0; i < loop->step_count; i++)
        if (!verify_loads(&w, &next, i, false) || !verify_step(&w, &loop->steps[i]))
            return false;
    if (!verify_loads(&w, &next, loop->step_count, false) || next != loop->load_count)
        return pod_verify_fail(v, "a loop loads too late");
    for (uint32_t i = 0; i < loop->register_count; i++)
        if (!w.sizes[i])
            return pod_verify_fail(v, "a loop has registers that nothing fills");
    return verify_ends(&w);
}

#endif
