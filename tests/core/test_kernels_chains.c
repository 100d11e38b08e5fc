/* What chains do in registers has the bits of block functions one by one. */

#include "base/random.h"
#include "kernels/kernels.h"
#include "plain_chain.h"
#include "test.h"

#include <math.h>

#define ROWS    5
#define COLUMNS 704
#define STRIDE  720 /* elements between rows of a matrix */
#define STEPS   14

static const pod_kernels *kernels; /* of the family in use */

static const float edges[] = {0.0f,    -0.0f,       NAN,         INFINITY,     -INFINITY, 1e-40f,
                              3.4e38f, 1.00390625f, 1.01171875f, -1.00390625f, 1e-38f};

/* Memory that chains read and write. */
typedef struct memory {
    float matrix[ROWS * STRIDE], row[ROWS], columns[COLUMNS];
    uint16_t halves[ROWS * STRIDE], column_halves[COLUMNS];
    uint8_t truths[ROWS * STRIDE];
    _Alignas(64) float near[COLUMNS]; /* more than a chain needs: here of a whole row */
    float stored[ROWS * STRIDE], column_sums[COLUMNS], sums[ROWS];
    uint16_t stored_halves[ROWS * STRIDE];
} memory;

static void fill(pod_random_stream *random, float *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        to[i] = (float)pod_random_unit(random) * 4 - 2;
        if (pod_random_below(random, 400) == 0)
            to[i] = edges[pod_random_below(random, sizeof edges / sizeof *edges)];
    }
}

static void fill_memory(pod_random_stream *random, memory *m)
{
    fill(random, m->matrix, ROWS * STRIDE);
    fill(random, m->row, ROWS);
    fill(random, m->columns, COLUMNS);
    fill(random, m->near, COLUMNS);
    fill(random, m->column_sums, COLUMNS);
    kernels->store[POD_BF16](m->halves, m->matrix, ROWS * STRIDE);
    kernels->store[POD_BF16](m->column_halves, m->columns, COLUMNS);
    for (int64_t i = 0; i < ROWS * STRIDE; i++)
        m->truths[i] = (uint8_t)pod_random_below(random, 2);
    memset(m->stored, 0x5a, sizeof m->stored);
    memset(m->stored_halves, 0x5a, sizeof m->stored_halves);
    memset(m->sums, 0x5a, sizeof m->sums);
}

static pod_chain_step step_of(pod_chain_op op, pod_chain_operand operand, void *at, int64_t row_bytes)
{
    return (pod_chain_step){.op = (uint8_t)op, .operand = (uint8_t)operand, .row_bytes = row_bytes, .at = at};
}

/* A step that reads something. */
static pod_chain_step reading(pod_random_stream *random, memory *m, pod_chain_op op)
{
    switch (pod_random_below(random, 6)) {
    case 0:
        return step_of(op, POD_CHAIN_F32, m->matrix, STRIDE * 4);
    case 1:
        return step_of(op, POD_CHAIN_F32, m->columns, 0);
    case 2:
        return step_of(op, POD_CHAIN_BF16, m->halves, STRIDE * 2);
    case 3:
        return step_of(op, POD_CHAIN_BF16, m->column_halves, 0);
    case 4:
        return step_of(op, POD_CHAIN_ROW, m->row, 4);
    default:
        return step_of(op, POD_CHAIN_NEAR, m->near, 0);
    }
}

/* Steps that begin with a value, keep it, and go on. */
static int32_t make_steps(pod_random_stream *random, memory *m, pod_chain_step *steps)
{
    steps[0] = step_of(POD_CHAIN_LOAD, POD_CHAIN_F32, m->matrix, STRIDE * 4);
    steps[1] = step_of(POD_CHAIN_STORE_F32, POD_CHAIN_NEAR, m->near, 0);
    int32_t count = 2, most = 3 + (int32_t)pod_random_below(random, STEPS - 2);
    while (count < most) {
        const pod_chain_op op = (pod_chain_op)pod_random_below(random, POD_CHAIN_SUM_COLUMNS + 1);
        pod_chain_step *step = &steps[count++];
        if (op < POD_CHAIN_OPERATIONS) {
            *step = reading(random, m, op);
        } else if (op == POD_CHAIN_STORE_F32) {
            *step = pod_random_below(random, 2) != 0 ? step_of(op, POD_CHAIN_F32, m->stored, STRIDE * 4)
                                                     : step_of(op, POD_CHAIN_NEAR, m->near, 0);
        } else if (op == POD_CHAIN_STORE_BF16) {
            *step = step_of(op, POD_CHAIN_BF16, m->stored_halves, STRIDE * 2);
        } else if (op == POD_CHAIN_SUM_COLUMNS) {
            *step = step_of(op, POD_CHAIN_F32, m->column_sums, 0);
            step->first = pod_random_below(random, 2) != 0;
        } else if (op == POD_CHAIN_WHERE) {
            *step = step_of(op, POD_CHAIN_BYTES, m->truths, STRIDE);
        } else {
            *step = step_of(op, POD_CHAIN_F32, NULL, 0);
        }
    }
    return count;
}

/* Equal but for which NaN it is. */
static bool same(const float *a, const float *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static bool same_halves(const uint16_t *a, const uint16_t *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (a[i] != b[i] && !((a[i] & 0x7fff) > 0x7f80 && (b[i] & 0x7fff) > 0x7f80))
            return false;
    return true;
}

static int folds_in(const pod_chain_step *steps, int32_t count)
{
    int folds = 0;
    for (int32_t i = 0; i < count; i++)
        folds += steps[i].op == POD_CHAIN_SUM || steps[i].op == POD_CHAIN_SUM_PRODUCTS ||
                 steps[i].op == POD_CHAIN_SUM_SQUARES;
    return folds;
}

/* The step with its operand in the other memory. */
static pod_chain_step moved(pod_chain_step step, const memory *from, memory *to)
{
    if (step.at)
        step.at = (char *)to + (step.at - (const char *)from);
    return step;
}

TEST(chains_are_block_functions)
{
    static const int64_t widths[] = {16, 32, 48, 64, 80, 112, 128, 176, 192, 256, 320, 368, 448, 512, COLUMNS};
    static memory real, wanted;
    pod_random_stream random;
    pod_random_stream_init(&random, 11, 0);
    int folded = 0;
    if (!kernels->chain)
        return;
    for (int i = 0; i < 1500; i++) {
        fill_memory(&random, &real);
        pod_chain_step steps[STEPS + 2], others[STEPS + 2];
        const int32_t count = make_steps(&random, &real, steps);
        const int folds = folds_in(steps, count);
        if (folds > 1)
            continue;
        folded += folds;
        wanted = real;
        for (int32_t j = 0; j < count; j++)
            others[j] = moved(steps[j], &real, &wanted);
        pod_chain chain = {.rows = 1 + (int64_t)pod_random_below(&random, ROWS),
                           .columns = widths[pod_random_below(&random, sizeof widths / sizeof *widths)],
                           .count = count,
                           .steps = steps,
                           .sums = folds ? real.sums : NULL};
        kernels->chain(&chain);
        chain.steps = others;
        chain.sums = folds ? wanted.sums : NULL;
        plain_chain(&chain);
        ASSERT(same(wanted.stored, real.stored, ROWS * STRIDE));
        ASSERT(same_halves(wanted.stored_halves, real.stored_halves, ROWS * STRIDE));
        ASSERT(same(wanted.column_sums, real.column_sums, COLUMNS));
        ASSERT(same(wanted.sums, real.sums, ROWS));
    }
    ASSERT(folded > 100);
}

/* Steps of narrow rows: matrices have no gaps, what is the same for all rows is repeated. */
static int32_t make_narrow_steps(pod_random_stream *random, memory *m, int64_t columns, pod_chain_step *steps)
{
    const int32_t count = make_steps(random, m, steps);
    int32_t kept = 0;
    bool summed = false; /* to one sum a row gives one element */
    for (int32_t i = 0; i < count; i++) {
        pod_chain_step *step = &steps[i];
        const bool whole = step->row_bytes != 0;
        if (step->op == POD_CHAIN_SUM || step->op == POD_CHAIN_SUM_PRODUCTS || step->op == POD_CHAIN_SUM_SQUARES ||
            (step->op == POD_CHAIN_SUM_COLUMNS && summed))
            continue;
        summed |= step->op == POD_CHAIN_SUM_COLUMNS;
        if (step->operand == POD_CHAIN_ROW)
            step->row_bytes = 0;
        else if (whole)
            step->row_bytes = columns * (step->operand == POD_CHAIN_F32 ? 4 : step->operand == POD_CHAIN_BF16 ? 2 : 1);
        steps[kept++] = *step;
    }
    return kept;
}

/* Several narrow rows as one are those rows one by one. */
TEST(narrow_rows_go_together)
{
    static const int64_t widths[] = {16, 32, 64, 128};
    static memory real, wanted;
    pod_random_stream random;
    pod_random_stream_init(&random, 12, 0);
    if (!kernels->chain)
        return;
    for (int i = 0; i < 1500; i++) {
        const int64_t columns = widths[i % 4], together = POD_CHAIN_NEAR_LANES / columns;
        pod_chain_step steps[STEPS + 2], others[STEPS + 2];
        fill_memory(&random, &real);
        for (int64_t j = columns; j < POD_CHAIN_NEAR_LANES; j++) {
            real.near[j] = real.near[j - columns];
            real.columns[j] = real.columns[j - columns];
            real.column_halves[j] = real.column_halves[j - columns];
        }
        const int32_t count = make_narrow_steps(&random, &real, columns, steps);
        wanted = real;
        for (int32_t j = 0; j < count; j++) {
            others[j] = moved(steps[j], &real, &wanted);
            steps[j].row_bytes *= together;
        }
        const int64_t rows = 1 + (int64_t)pod_random_below(&random, ROWS);
        kernels->chain(&(pod_chain){
            .rows = rows, .columns = POD_CHAIN_NEAR_LANES, .narrow = columns, .count = count, .steps = steps});
        plain_chain(&(pod_chain){.rows = rows * together, .columns = columns, .count = count, .steps = others});
        ASSERT(same(wanted.stored, real.stored, ROWS * STRIDE));
        ASSERT(same_halves(wanted.stored_halves, real.stored_halves, ROWS * STRIDE));
        ASSERT(same(wanted.column_sums, real.column_sums, columns));
    }
}

static void choose(void)
{
    pod_error error;
    if (pod_kernel_choose_family(NULL, &kernels, &error) != POD_OK) {
        printf("Bail out! %s\n", error.message);
        exit(1);
    }
    plain_kernels = kernels;
}

TEST_MAIN(choose(); RUN(chains_are_block_functions); RUN(narrow_rows_go_together))
