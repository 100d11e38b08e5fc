/*
 * What the proof of a loop (verify/verify_loop.c) refuses: one field of a good loop is changed at a time, to the
 * nearest
 * value that is bad; and the nearest that is good passes.
 */

#include "verify/verify.h"
#include "test.h"

#define ROWS    6
#define COLUMNS 8
#define BLOCK   64
#define ALL     (ROWS * COLUMNS)

enum { IN, PER_COLUMN, PER_ROW, OUT, SUMS, CONSTANT, WIDE, SLOTS };

static pod_error error;

/* A loop over memory of its own size: every slot has what the loop touches and no byte more. */
typedef struct trial {
    pod_slot slots[SLOTS];
    pod_loop_load loads[6];
    pod_loop_step steps[5];
    pod_loop_store stores[2];
    pod_loop_fold folds[2];
    pod_loop_pack packs[1];
    pod_loop_adam adam;
    pod_loop loop;
    bool tile;
} trial;

static pod_context *context;
static const pod_kernels *kernels;

static pod_slot slot_of(uint64_t bytes)
{
    return (pod_slot){.kind = POD_SLOT_ARENA, .dtype = POD_F32, .bytes = bytes};
}

/* Registers, room for gathering, pointers, then accumulators. */
static void lay_scratch(trial *t)
{
    pod_loop *loop = &t->loop;
    uint64_t bytes = (uint64_t)loop->register_count * loop->register_bytes + POD_LOOP_STAGING +
                     (loop->register_count * sizeof(char *) + 63) / 64 * 64;
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        t->folds[i].scratch = bytes;
        bytes += t->folds[i].by_rows ? ((uint64_t)t->folds[i].inner * 8 + 63) / 64 * 64 : 0;
    }
    loop->scratch_bytes = bytes;
}

/* What was broken; NULL: the loop is good. */
static const char *broken(trial *t)
{
    pod_program program = {.kernels = kernels, .slots = t->slots, .slot_count = SLOTS};
    pod_arena scratch;
    pod_arena_init(&scratch, context);
    pod_verifier v = {.program = &program, .scratch = &scratch};
    t->loop.loads = t->loads;
    t->loop.steps = t->steps;
    t->loop.stores = t->stores;
    t->loop.folds = t->folds;
    t->loop.packs = t->packs;
    for (uint32_t i = 0; i < t->loop.step_count; i++)
        t->steps[i].adam = t->steps[i].adam ? &t->adam : NULL;
    const bool good = pod_verify_loop(&v, &t->loop, t->tile);
    pod_arena_clear(&scratch);
    if (good == (v.what != NULL))
        FAIL("the answer is %d, with the rule %s", good, v.what ? v.what : "(none)");
    return v.what;
}

#define GOOD(base, ...)                                                                                                \
    do {                                                                                                               \
        trial t = base();                                                                                              \
        __VA_ARGS__;                                                                                                   \
        const char *why = broken(&t);                                                                                  \
        if (why)                                                                                                       \
            FAIL("%s is refused: %s", #__VA_ARGS__, why);                                                              \
    } while (0)

#define BAD(base, expected, ...)                                                                                       \
    do {                                                                                                               \
        trial t = base();                                                                                              \
        __VA_ARGS__;                                                                                                   \
        const char *why = broken(&t);                                                                                  \
        if (!why || !strstr(why, expected))                                                                            \
            FAIL("%s: %s", #__VA_ARGS__, why ? why : "is taken");                                                      \
    } while (0)

#define TOO_SMALL  "a slot is too small"
#define NOT_FILLED "a register that was not filled so"
#define NO_SIZES   "no good sizes"
#define NO_FOLD    "folds by no function"

static pod_loop_load load(pod_access access, uint32_t slot, uint32_t result, uint32_t at)
{
    return (pod_loop_load){.access = access, .slot = slot, .result = result, .at = at, .dtype = POD_F32};
}

static pod_loop_step block_step(pod_block_op op, uint32_t a, uint32_t b, uint32_t result)
{
    return (pod_loop_step){.function = kernels->element[op][POD_CLASS_F32],
                           .result = result,
                           .a = a,
                           .b = b,
                           .c = UINT32_MAX,
                           .kind = POD_STEP_BLOCK};
}

static trial empty(void)
{
    trial t = {.loop = {.rows = ROWS, .columns = COLUMNS, .block = BLOCK, .register_bytes = BLOCK * 4}};
    t.slots[IN] = slot_of(ALL * 4);
    t.slots[PER_COLUMN] = slot_of(COLUMNS * 4);
    t.slots[PER_ROW] = slot_of(ROWS * 4);
    t.slots[OUT] = slot_of(ALL * 4);
    t.slots[SUMS] = slot_of(2 * COLUMNS * 4);
    t.slots[CONSTANT] = slot_of(ALL * 4);
    t.slots[CONSTANT].kind = POD_SLOT_LITERAL;
    t.slots[WIDE] = slot_of(ALL * 8);
    return t;
}

/* out = in + per_column, and partial sums of four rows at a time. */
static trial sums(void)
{
    trial t = empty();
    t.loads[0] = load(POD_ACCESS_DENSE, IN, 0, 0);
    t.loads[1] = load(POD_ACCESS_COLUMN, PER_COLUMN, 1, 0);
    t.steps[0] = block_step(POD_BLOCK_OP_ADD, 0, 1, 2);
    t.stores[0] = (pod_loop_store){OUT, 2, POD_F32, false};
    t.folds[0] = (pod_loop_fold){.slot = SUMS,
                                 .source = 2,
                                 .fold = POD_FOLD_SUM,
                                 .class_ = POD_CLASS_F32,
                                 .dtype = POD_F32,
                                 .inner = COLUMNS,
                                 .partial_rows = 4};
    t.loop.load_count = 2;
    t.loop.step_count = t.loop.store_count = t.loop.fold_count = 1;
    t.loop.register_count = 3;
    lay_scratch(&t);
    return t;
}

/* out = in - the row's negated sum, which is stored as well, and spread. */
static trial rows(void)
{
    trial t = empty();
    t.loads[0] = load(POD_ACCESS_DENSE, IN, 0, 0);
    t.steps[0] = (pod_loop_step){.result = 1,
                                 .a = 0,
                                 .b = UINT32_MAX,
                                 .c = UINT32_MAX,
                                 .kind = POD_STEP_FOLD,
                                 .fold = POD_FOLD_SUM,
                                 .class_ = POD_CLASS_F32};
    t.steps[1] = block_step(POD_BLOCK_OP_NEGATE, 1, UINT32_MAX, 2);
    t.steps[1].kind = POD_STEP_ROWS;
    t.steps[2] = (pod_loop_step){
        .result = 3, .a = 2, .b = UINT32_MAX, .c = UINT32_MAX, .kind = POD_STEP_SPREAD, .class_ = POD_CLASS_F32};
    t.steps[3] = (pod_loop_step){
        .result = 4, .a = 0, .b = 2, .c = UINT32_MAX, .kind = POD_STEP_BY_ROW, .by_row = POD_BY_ROW_SUBTRACT};
    t.steps[4] = block_step(POD_BLOCK_OP_ADD, 3, 4, 5);
    t.stores[0] = (pod_loop_store){OUT, 5, POD_F32, false};
    t.stores[1] = (pod_loop_store){PER_ROW, 2, POD_F32, true};
    t.loop.load_count = 1;
    t.loop.step_count = 5;
    t.loop.store_count = 2;
    t.loop.register_count = 6;
    lay_scratch(&t);
    return t;
}

/* Weight and first moment are read in memory, the weight's new value is stored by the step. */
static trial adam(void)
{
    trial t = empty();
    t.loads[0] = load(POD_ACCESS_DENSE, IN, 0, 0);
    t.loads[1] = load(POD_ACCESS_DENSE, IN, 1, 0);
    t.loads[2] = load(POD_ACCESS_DENSE, IN, 2, 0);
    t.loads[3] = load(POD_ACCESS_DENSE, IN, 3, 0);
    t.loads[4] = load(POD_ACCESS_SCALAR, PER_ROW, 4, 0);
    t.loads[0].in_memory = t.loads[1].in_memory = true;
    t.adam = (pod_loop_adam){.operands = {0, 1, 2, 3, 4},
                             .results = {UINT32_MAX, 5, 6},
                             .rows = {POD_ROWS_OF_LOOP, POD_ROWS_OF_LOOP, POD_ROWS_OF_BLOCK, POD_ROWS_OF_BLOCK},
                             .slots = {OUT, POD_SLOT_END, POD_SLOT_END}};
    t.steps[0] =
        (pod_loop_step){.kind = POD_STEP_ADAM, .adam = &t.adam, .a = UINT32_MAX, .b = UINT32_MAX, .c = UINT32_MAX};
    t.loop.load_count = 5;
    t.loop.step_count = 1;
    t.loop.register_count = 7;
    lay_scratch(&t);
    return t;
}

TEST(loads_stay_in_their_slots)
{
    GOOD(sums, (void)0);
    BAD(sums, TOO_SMALL, t.slots[IN].bytes--);
    BAD(sums, TOO_SMALL, t.slots[PER_COLUMN].bytes--);
    BAD(sums, TOO_SMALL, t.loads[0].offset = 1);
    BAD(sums, "what is not there", t.loads[0].offset = -1);
    BAD(sums, "there is no such slot", t.loads[0].slot = SLOTS);
    GOOD(sums, t.loads[1].access = POD_ACCESS_ROW; t.loads[1].slot = PER_ROW);
    BAD(sums, TOO_SMALL, t.loads[1].access = POD_ACCESS_ROW; t.loads[1].slot = PER_ROW; t.slots[PER_ROW].bytes--);
    GOOD(sums, t.loads[1].access = POD_ACCESS_SCALAR; t.slots[PER_COLUMN].bytes = 4);
    BAD(sums, TOO_SMALL, t.loads[1].access = POD_ACCESS_SCALAR; t.slots[PER_COLUMN].bytes = 3);
    GOOD(sums, t.loads[1].access = POD_ACCESS_SCALAR; t.loads[1].slot = POD_SLOT_END);
    BAD(sums, "there is no such slot", t.loads[1].slot = POD_SLOT_END);
    BAD(sums, "what is not there", t.loads[1].dtype = POD_DTYPE_NONE);
}

/* The turned picture of in. */
#define STRIDED(access_)                                                                                               \
    t.loads[0].access = (access_);                                                                                     \
    t.loads[0].shape = (pod_shape){2, {ROWS, COLUMNS}};                                                                \
    t.loads[0].strides[0] = 1;                                                                                         \
    t.loads[0].strides[1] = ROWS

TEST(views_and_counts_stay_in_their_slots)
{
    GOOD(sums, STRIDED(POD_ACCESS_STRIDED));
    BAD(sums, TOO_SMALL, STRIDED(POD_ACCESS_STRIDED); t.slots[IN].bytes--);
    BAD(sums, TOO_SMALL, STRIDED(POD_ACCESS_STRIDED); t.loads[0].strides[1]++);
    BAD(sums, "what is not there", STRIDED(POD_ACCESS_STRIDED); t.loads[0].strides[1] = -1);
    BAD(sums, "what is not there", STRIDED(POD_ACCESS_STRIDED); t.loads[0].shape.dims[1]--);
    BAD(sums, "what is not there", STRIDED(POD_ACCESS_STRIDED); t.loads[0].shape.rank = 0);
    GOOD(sums, STRIDED(POD_ACCESS_COUNT); t.loads[0].slot = POD_SLOT_END);
    BAD(sums, "what is not there", STRIDED(POD_ACCESS_COUNT); t.loads[0].shape.dims[0]++);
}

TEST(random_bits_are_words_from_a_seed_and_a_step)
{
#define RANDOM                                                                                                         \
    t.loads[1].access = POD_ACCESS_RANDOM;                                                                             \
    t.loads[1].dtype = POD_U32;                                                                                        \
    t.loads[1].row_elements = 1;                                                                                       \
    t.slots[PER_COLUMN].bytes = 16
    GOOD(sums, RANDOM);
    BAD(sums, TOO_SMALL, RANDOM; t.slots[PER_COLUMN].bytes = 15);
    BAD(sums, "what is not there", RANDOM; t.loads[1].row_elements = 0);
    BAD(sums, "what is not there", RANDOM; t.loads[1].dtype = POD_F32);
}

TEST(tiles_are_of_products_and_f32)
{
#define TILE                                                                                                           \
    t.loads[0].access = POD_ACCESS_TILE;                                                                               \
    t.loads[0].slot = POD_SLOT_END
    GOOD(sums, TILE; t.tile = true);
    BAD(sums, "what is not there", TILE);
    BAD(sums, "what is not there", TILE; t.tile = true; t.loads[0].dtype = POD_S32);
}

TEST(only_what_is_the_same_in_all_blocks_is_kept)
{
    GOOD(sums, t.loads[1].once = true);
    GOOD(sums, t.loads[1].once = true; t.loop.block = COLUMNS);
    BAD(sums, "keeps what differs", t.loads[1].once = true; t.loop.block = COLUMNS - 1);
    BAD(sums, "keeps what differs", t.loads[0].once = true);
    GOOD(sums, t.loads[1].once = true; t.loads[1].access = POD_ACCESS_SCALAR; t.loop.block = COLUMNS - 1);
    BAD(sums, "fills a register that it has not", t.loads[1].once = true; t.steps[0].result = 1;
        t.stores[0].source = 1);
}

TEST(registers_have_room_and_are_filled_before_they_are_read)
{
    BAD(sums, "fills a register that it has not", t.loads[1].result = 3);
    BAD(sums, "fills a register that it has not", t.steps[0].result = 3);
    GOOD(sums, t.loop.block = BLOCK - 1);
    BAD(sums, "fills a register that it has not", t.loop.block = BLOCK + 1);
    BAD(sums, NOT_FILLED, t.steps[0].a = 2);
    BAD(sums, NOT_FILLED, t.steps[0].b = 3);
    BAD(sums, NOT_FILLED, t.steps[0].b = UINT32_MAX);
    BAD(sums, "too many operands", t.steps[0].c = 0);
    BAD(sums, "calls no function", t.steps[0].function = NULL);
    BAD(sums, "fills a register that it has not", t.loads[1].dtype = POD_F64;
        t.loads[1].slot = WIDE); /* eight bytes an element */
    BAD(sums, NOT_FILLED, t.loads[1].dtype = POD_F64; t.loads[1].slot = WIDE; t.loop.block = BLOCK / 2);
    BAD(sums, NOT_FILLED, t.stores[0].source = 3);
    BAD(sums, "registers that nothing fills", t.steps[0].result = 0; t.stores[0].source = t.folds[0].source = 0);
}

TEST(loads_come_in_the_order_of_steps)
{
    GOOD(sums, t.loads[1].at = 0);
    BAD(sums, NOT_FILLED, t.loads[1].at = 1);
    BAD(sums, "loads too late", t.loads[0].at = 1);
    BAD(sums, "loads too late", t.steps[0].b = 0; t.loads[1].at = 2);
    GOOD(sums, t.steps[0].b = 0; t.loads[1].at = 1);
}

TEST(comparisons_and_choices_are_of_words)
{
    const pod_block_function greater = kernels->element[POD_BLOCK_OP_GT][POD_CLASS_F64];
    /* Of doubles, but the result is of words, as choices want it. */
#define DOUBLES                                                                                                        \
    t.loop.register_bytes = BLOCK * 8;                                                                                 \
    t.loads[0].dtype = t.loads[1].dtype = POD_F64;                                                                     \
    t.loads[0].slot = WIDE;                                                                                            \
    t.slots[PER_COLUMN].bytes *= 2;                                                                                    \
    t.steps[0].function = greater;                                                                                     \
    t.folds[0].class_ = POD_CLASS_S32;                                                                                 \
    t.folds[0].dtype = t.stores[0].dtype = POD_S32;                                                                    \
    lay_scratch(&t)
    GOOD(sums, DOUBLES);
    BAD(sums, NOT_FILLED, DOUBLES; t.stores[0].dtype = POD_F64; t.stores[0].slot = WIDE);
    BAD(sums, NOT_FILLED, DOUBLES; t.loads[1].dtype = POD_F32);
    const pod_block_function choose = kernels->element[POD_BLOCK_OP_SELECT][POD_CLASS_F64];
    BAD(sums, NOT_FILLED, DOUBLES; t.steps[0].function = choose; t.steps[0].c = 1; t.stores[0].dtype = POD_F64;
        t.stores[0].slot = WIDE; t.loop.fold_count = 0; lay_scratch(&t));
    GOOD(sums, DOUBLES; t.steps[0].function = choose; t.steps[0].c = t.steps[0].b; t.loads[0].dtype = POD_S32;
         t.loads[0].slot = IN; t.stores[0].dtype = POD_F64; t.stores[0].slot = WIDE; t.loop.fold_count = 0;
         lay_scratch(&t));
}

TEST(stores_stay_in_slots_that_may_be_written)
{
    BAD(sums, TOO_SMALL, t.slots[OUT].bytes--);
    BAD(sums, "writes a constant", t.stores[0].slot = CONSTANT);
    BAD(sums, "stores no type", t.stores[0].dtype = POD_DTYPE_NONE);
    BAD(sums, NOT_FILLED, t.stores[0].dtype = POD_F64; t.stores[0].slot = WIDE);
    BAD(rows, TOO_SMALL, t.slots[PER_ROW].bytes--);
    BAD(rows, TOO_SMALL, t.slots[OUT].bytes--);
    BAD(rows, NOT_FILLED, t.stores[1].by_rows = false; t.stores[1].slot = OUT);
    GOOD(rows, t.stores[1].source = 5); /* of a whole block the first elements */
}

TEST(folds_over_rows_stay_in_their_slots)
{
    BAD(sums, TOO_SMALL, t.slots[SUMS].bytes--);
    BAD(sums, TOO_SMALL, t.folds[0].partial_rows = 2);
    GOOD(sums, t.folds[0].partial_rows = 3);
    GOOD(sums, t.folds[0].partial_rows = ROWS; t.slots[SUMS].bytes /= 2);
    BAD(sums, TOO_SMALL, t.folds[0].partial_rows = ROWS - 1; t.slots[SUMS].bytes /= 2);
    BAD(sums, NO_FOLD, t.folds[0].partial_rows = 0);
    BAD(sums, NO_FOLD, t.folds[0].inner = 0; lay_scratch(&t));
    BAD(sums, "neither columns nor all", t.folds[0].inner = 4; lay_scratch(&t));
    GOOD(sums, t.folds[0].inner = 1; t.slots[SUMS].bytes = 8; lay_scratch(&t));
    BAD(sums, TOO_SMALL, t.folds[0].inner = 1; t.slots[SUMS].bytes = 7; lay_scratch(&t));
    BAD(sums, NO_FOLD, t.folds[0].dtype = POD_S32);
    BAD(sums, NO_FOLD, t.folds[0].dtype = POD_DTYPE_NONE);
    BAD(sums, NO_FOLD, t.folds[0].fold = POD_FOLD_AND);
    BAD(sums, NOT_FILLED, t.folds[0].source = 3);
    BAD(sums, NOT_FILLED, t.folds[0].class_ = POD_CLASS_F64; t.folds[0].dtype = POD_F64);
    BAD(sums, "writes a constant", t.folds[0].slot = CONSTANT);
}

TEST(folds_of_rows_stay_in_their_slots)
{
#define BY_ROWS(inner_)                                                                                                \
    t.folds[0].by_rows = true;                                                                                         \
    t.folds[0].inner = (inner_);                                                                                       \
    t.folds[0].slot = PER_ROW;                                                                                         \
    t.slots[PER_ROW].bytes *= (uint64_t)(inner_);                                                                      \
    lay_scratch(&t)
    GOOD(sums, BY_ROWS(1));
    GOOD(sums, BY_ROWS(4));
    GOOD(sums, BY_ROWS(COLUMNS));
    BAD(sums, TOO_SMALL, BY_ROWS(4); t.slots[PER_ROW].bytes--);
    BAD(sums, "folds parts of rows", BY_ROWS(3));
    BAD(sums, NO_SIZES, BY_ROWS(4); t.loop.scratch_bytes -= 64);
    BAD(sums, "writes a constant", BY_ROWS(1); t.folds[0].slot = CONSTANT);
}

TEST(scratch_is_as_the_engine_lays_it)
{
    BAD(sums, NO_SIZES, t.loop.scratch_bytes += 64);
    BAD(sums, NO_SIZES, t.loop.scratch_bytes--);
    BAD(sums, NO_SIZES, t.folds[0].scratch += 64);
    BAD(sums, NO_SIZES, t.loop.register_bytes += 4; lay_scratch(&t));
    GOOD(sums, t.loop.register_bytes += 64; lay_scratch(&t));
    GOOD(sums, t.loop.register_bytes = POD_BLOCK * 8; t.loop.block = POD_BLOCK; lay_scratch(&t));
    BAD(sums, NO_SIZES, t.loop.register_bytes = POD_BLOCK * 8 + 64; lay_scratch(&t));
    BAD(sums, NO_SIZES, t.loop.register_bytes = POD_BLOCK * 8; t.loop.block = POD_BLOCK + 1; lay_scratch(&t));
    BAD(sums, NO_SIZES, t.loop.block = 0);
    BAD(sums, NO_SIZES, t.folds[0].inner = (int64_t)INT32_MAX + 1; lay_scratch(&t));
}

TEST(loops_have_sizes_that_count)
{
    BAD(sums, NO_SIZES, t.loop.rows = -1);
    BAD(sums, NO_SIZES, t.loop.columns = -1);
    BAD(sums, NO_SIZES, t.loop.columns = 0);
    BAD(sums, NO_SIZES, t.loop.rows = INT64_MAX / 64; t.loop.columns = 2);
    BAD(sums, NO_SIZES, t.loop.rows = (int64_t)1 << 40; t.loop.columns = (int64_t)1 << 40);
    BAD(sums, TOO_SMALL, t.loop.rows++);
    BAD(sums, TOO_SMALL, t.loop.columns++; t.folds[0].inner++; lay_scratch(&t));
    BAD(sums, NO_SIZES, t.loop.register_count = 6; lay_scratch(&t)); /* five can be filled */
    BAD(sums, "registers that nothing fills", t.loop.register_count = 5; lay_scratch(&t));
    GOOD(sums, t.loop.rows = 0; for (int i = 0; i < SLOTS; i++) t.slots[i].bytes = COLUMNS * 4);
}

TEST(steps_on_rows_want_whole_rows)
{
    GOOD(rows, (void)0);
    GOOD(rows, t.loop.block = COLUMNS);
    BAD(rows, "cuts rows", t.loop.block = COLUMNS - 1);
    BAD(rows, "cuts rows", t.tile = true);
    BAD(rows, NOT_FILLED, t.steps[0].a = 2);
    BAD(rows, NOT_FILLED, t.steps[4].a = 2); /* has one element a row */
    BAD(rows, NOT_FILLED, t.steps[1].a = 5);
    GOOD(rows, t.steps[1].a = 0);
    BAD(rows, NOT_FILLED, t.steps[2].a = 5);
    BAD(rows, NOT_FILLED, t.steps[2].class_ = POD_CLASS_F64);
    BAD(rows, NOT_FILLED, t.steps[0].class_ = POD_CLASS_F64);
    BAD(rows, "fills a register that it has not", t.steps[2].result = 6);
    BAD(rows, NO_FOLD, t.steps[0].fold = POD_FOLD_AND);
    GOOD(rows, t.steps[0].fold = POD_FOLD_MAX);
    GOOD(rows, t.steps[0].b = 0);
    BAD(rows, NO_FOLD, t.steps[0].b = 0; t.steps[0].fold = POD_FOLD_MAX);
    BAD(rows, NOT_FILLED, t.steps[0].b = 2);
    BAD(rows, "writes over the elements", t.steps[3].result = 2);
    BAD(rows, NOT_FILLED, t.steps[3].a = 2);
    BAD(rows, NOT_FILLED, t.steps[3].b = 5);
    GOOD(rows, t.steps[3].b = 3);
    BAD(rows, "fills a register that it has not", t.steps[3].result = 6);
    /* What a fold makes is no whole block, and stays none after a step on rows. */
    BAD(rows, NOT_FILLED, t.steps[4].a = 1);
}

TEST(loads_of_rows_have_one_element_a_row)
{
#define ONE_A_ROW                                                                                                      \
    t.loads[0] = load(POD_ACCESS_DENSE, IN, 0, 0);                                                                     \
    t.loads[1] = load(POD_ACCESS_ROWS, PER_ROW, 6, 0);                                                                 \
    t.loop.load_count = 2;                                                                                             \
    t.loop.register_count = 7;                                                                                         \
    t.steps[1].a = 6;                                                                                                  \
    lay_scratch(&t)
    GOOD(rows, ONE_A_ROW);
    BAD(rows, NOT_FILLED, ONE_A_ROW; t.steps[4].a = 6);
    BAD(rows, TOO_SMALL, ONE_A_ROW; t.loads[1].offset = 1);
}

TEST(adam_reads_rows_that_lie_as_it_is_told)
{
    GOOD(adam, (void)0);
    BAD(adam, "Adam without its numbers", t.steps[0].kind = POD_STEP_BLOCK);
    BAD(adam, "Adam without its numbers", t.steps[0].adam = NULL);
    BAD(adam, NOT_FILLED, t.loads[0].in_memory = false);
    BAD(adam, NOT_FILLED, t.loads[2].in_memory = true);
    BAD(adam, NOT_FILLED, t.adam.rows[0] = POD_ROWS_OF_TILE);
    BAD(adam, NOT_FILLED, t.adam.rows[3] = POD_ROWS_OF_LOOP);
    BAD(adam, NOT_FILLED, t.adam.operands[3] = 7);
    BAD(adam, NOT_FILLED, t.adam.operands[4] = 0);
    BAD(adam, "fills a register that it has not", t.adam.results[1] = 7);
    BAD(adam, "fills a register that it has not", t.adam.results[2] = 7);
    BAD(adam, TOO_SMALL, t.slots[OUT].bytes--);
    BAD(adam, "writes a constant", t.adam.slots[0] = CONSTANT);
    GOOD(adam, t.adam.slots[2] = OUT; t.adam.results[2] = UINT32_MAX; t.loop.register_count--; lay_scratch(&t));
    BAD(adam, "registers that nothing fills", t.adam.slots[2] = OUT);
    BAD(adam, NOT_FILLED, t.stores[0] = ((pod_loop_store){OUT, 0, POD_F32, false}); t.loop.store_count = 1);
    GOOD(adam, t.stores[0] = ((pod_loop_store){OUT, UINT32_MAX, POD_F32, false}); t.loop.store_count = 1);
    GOOD(adam, t.tile = true; t.loads[0].access = POD_ACCESS_TILE; t.adam.rows[0] = POD_ROWS_OF_TILE);
    BAD(adam, NOT_FILLED, t.tile = true; t.loads[0].access = POD_ACCESS_TILE);
    BAD(adam, "is no row there", t.loads[0].access = POD_ACCESS_SCALAR);
    BAD(adam, "is no row there", t.loads[1].access = POD_ACCESS_COLUMN);
    BAD(adam, "is no row there", t.loads[0].dtype = POD_S32);
    BAD(adam, "keeps what differs", t.loads[0].once = true);
    BAD(adam, "is no row there", t.tile = true; t.loads[4].access = POD_ACCESS_SCALAR; t.loads[4].in_memory = true;
        t.loads[4].once = true);
}

TEST(packs_are_operands_of_a_kind_of_product)
{
    const pod_dot_kernels *products = &kernels->dot_f32;
    if (!pod_kernel_dot_packed_b_bytes(products, ROWS, COLUMNS) || !products->family)
        return; /* this family packs nothing */
    const uint64_t straight = pod_kernel_dot_packed_b_bytes(products, ROWS, COLUMNS),
                   turned = pod_kernel_dot_packed_b_bytes(products, COLUMNS, ROWS);
#define PACK(turned_)                                                                                                  \
    t.packs[0] =                                                                                                       \
        (pod_loop_pack){.slot = WIDE, .source = OUT, .dtype = POD_F32, .kernels = products, .turned = (turned_)};      \
    t.slots[WIDE].bytes = (turned_) ? turned : straight;                                                               \
    t.loop.pack_count = 1
    GOOD(sums, PACK(false));
    GOOD(sums, PACK(true));
    BAD(sums, TOO_SMALL, PACK(false); t.slots[WIDE].bytes--);
    BAD(sums, TOO_SMALL, PACK(true); t.slots[WIDE].bytes--);
    BAD(sums, TOO_SMALL, PACK(false); t.packs[0].source = PER_ROW);
    BAD(sums, "packs what is no operand", PACK(false); t.packs[0].dtype = POD_BF16);
    BAD(sums, "packs what is no operand", PACK(false); t.packs[0].dtype = POD_S32);
    BAD(sums, "writes a constant", PACK(false); t.packs[0].slot = CONSTANT; t.slots[CONSTANT].bytes = 1 << 20);
}

static void choose(void)
{
    context = test_context(NULL);
    if (pod_kernel_choose_family(NULL, &kernels, &error) != POD_OK)
        FAIL("no kernels: %s", error.message);
}

TEST_MAIN(choose(); RUN(loads_stay_in_their_slots); RUN(views_and_counts_stay_in_their_slots);
          RUN(random_bits_are_words_from_a_seed_and_a_step); RUN(tiles_are_of_products_and_f32);
          RUN(only_what_is_the_same_in_all_blocks_is_kept);
          RUN(registers_have_room_and_are_filled_before_they_are_read); RUN(loads_come_in_the_order_of_steps);
          RUN(comparisons_and_choices_are_of_words); RUN(stores_stay_in_slots_that_may_be_written);
          RUN(folds_over_rows_stay_in_their_slots); RUN(folds_of_rows_stay_in_their_slots);
          RUN(scratch_is_as_the_engine_lays_it); RUN(loops_have_sizes_that_count); RUN(steps_on_rows_want_whole_rows);
          RUN(loads_of_rows_have_one_element_a_row); RUN(adam_reads_rows_that_lie_as_it_is_told);
          RUN(packs_are_operands_of_a_kind_of_product); pod_context_release(context))
