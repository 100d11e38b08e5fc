/*
 * What the proof of a program (verify/verify_program.c) refuses of slots, groups, subgroups and phases: one field of a
 * good
 * program is changed at a time, to the nearest value that is bad; and the nearest that is good passes.
 */

#include "verify/verify.h"
#include "test.h"

#include <limits.h>

#define SLOTS        6
#define INSTRUCTIONS 3
#define ARENA        192

static pod_error error;
static pod_context *context;
static const pod_kernels *kernels;

/*
 * Three copies: the first two in one group, a subgroup each, the third in a group and
 * a phase of its own.
 */
typedef struct trial {
    pod_shape shapes[SLOTS];
    pod_slot slots[SLOTS];
    pod_signature parameter, output;
    uint32_t numbers[INSTRUCTIONS][2];
    int64_t parts[INSTRUCTIONS][2];
    pod_instruction instructions[INSTRUCTIONS], *list[INSTRUCTIONS];
    pod_subgroup subgroups[2];
    pod_group groups[2];
    pod_phase phases[2];
    pod_function function;
    pod_program program;
} trial;

/* What was broken; NULL: the program is good. */
static const char *broken(trial *t)
{
    const pod_compile_options options = {0};
    pod_arena scratch;
    pod_arena_init(&scratch, context);
    pod_verifier v = {.program = &t->program, .options = &options, .scratch = &scratch};
    for (int i = 0; i < SLOTS; i++)
        t->slots[i].shape = &t->shapes[i];
    for (int i = 0; i < INSTRUCTIONS; i++) {
        t->list[i] = &t->instructions[i];
        t->instructions[i].slots = t->numbers[i];
        t->instructions[i].parts = t->parts[i];
    }
    t->groups[0].subgroups = t->groups[0].subgroup_count ? t->subgroups : NULL;
    t->function.instructions = t->list;
    t->function.groups = t->groups;
    t->function.phases = t->phases;
    t->program.function = &t->function;
    t->program.kernels = kernels;
    t->program.slots = t->slots;
    t->program.parameters = &t->parameter;
    t->program.outputs = &t->output;
    const bool good = pod_verify_whole(&v);
    pod_arena_clear(&scratch);
    if (good == (v.what != NULL))
        FAIL("the answer is %d, with the rule %s", good, v.what ? v.what : "(none)");
    return v.what;
}

#define GOOD(...)                                                                                                      \
    do {                                                                                                               \
        trial t = good();                                                                                              \
        __VA_ARGS__;                                                                                                   \
        const char *why = broken(&t);                                                                                  \
        if (why)                                                                                                       \
            FAIL("%s is refused: %s", #__VA_ARGS__, why);                                                              \
    } while (0)

#define BAD(expected, ...)                                                                                             \
    do {                                                                                                               \
        trial t = good();                                                                                              \
        __VA_ARGS__;                                                                                                   \
        const char *why = broken(&t);                                                                                  \
        if (!why || !strstr(why, expected))                                                                            \
            FAIL("%s: %s", #__VA_ARGS__, why ? why : "is taken");                                                      \
    } while (0)

#define OUTSIDE "a slot lies outside of its memory"
#define GROUP   "a group does not fit its instructions"
#define PHASE   "a phase does not fit its groups"
#define EMPTY   "memory that no slot lies in"

enum { ARGUMENT, RESULT, FIRST, SECOND, LITERAL, THIRD };

static trial good(void)
{
    static const pod_slot_kind kinds[SLOTS] = {POD_SLOT_PARAMETER, POD_SLOT_OUTPUT,  POD_SLOT_ARENA,
                                               POD_SLOT_ARENA,     POD_SLOT_LITERAL, POD_SLOT_ARENA};
    static const uint64_t offsets[SLOTS] = {0, 0, 0, 64, 0, 128};
    static const uint32_t copied[INSTRUCTIONS][2] = {{ARGUMENT, FIRST}, {FIRST, SECOND}, {LITERAL, RESULT}};
    trial t = {
        .program = {
            .slot_count = SLOTS, .parameter_count = 1, .output_count = 1, .arena_bytes = ARENA, .literal_bytes = 64}};
    for (uint32_t i = 0; i < SLOTS; i++) {
        t.shapes[i] = (pod_shape){1, {8}};
        t.slots[i] = (pod_slot){.kind = kinds[i], .dtype = POD_F32, .base = i, .offset = offsets[i], .bytes = 32};
    }
    t.parameter = (pod_signature){.dtype = POD_F32, .shape = {1, {8}}, .alias = -1};
    t.output = t.parameter;
    for (int i = 0; i < INSTRUCTIONS; i++) {
        memcpy(t.numbers[i], copied[i], sizeof copied[i]);
        t.parts[i][0] = t.parts[i][1] = 1;
        t.instructions[i] =
            (pod_instruction){.kind = POD_DO_COPY, .operand_count = 1, .result_count = 1, .rows = 1, .unit = 1};
    }
    t.groups[0] = (pod_group){.first = 0, .count = 2, .parts = 1, .unit = 1, .chunk = 1, .subgroup_count = 2};
    t.subgroups[0] = (pod_subgroup){.first = 0, .count = 1, .parts = 1, .chunk = 1};
    t.subgroups[1] = (pod_subgroup){.first = 1, .count = 1, .parts = 1, .chunk = 1};
    t.groups[1] = (pod_group){.first = 2, .count = 1, .parts = 1, .unit = 1, .chunk = 1};
    t.phases[0] = (pod_phase){.first = 0, .count = 1};
    t.phases[1] = (pod_phase){.first = 1, .count = 1};
    t.function = (pod_function){.instruction_count = INSTRUCTIONS, .group_count = 2, .phase_count = 2};
    return t;
}

TEST(slots_lie_in_their_memory)
{
    GOOD((void)0);
    BAD(OUTSIDE, t.slots[THIRD].offset = ARENA);
    BAD(OUTSIDE, t.slots[SECOND].offset = 65);
    BAD(OUTSIDE, t.slots[SECOND].offset = 96);
    BAD(OUTSIDE, t.slots[THIRD].offset = UINT64_MAX - 63);
    BAD(OUTSIDE, t.program.arena_bytes = 128 + 31);
    GOOD(t.slots[FIRST].offset = 128);
    BAD(OUTSIDE, t.program.literal_bytes = 31);
    BAD(OUTSIDE, t.slots[LITERAL].offset = 64);
    BAD(OUTSIDE, t.slots[FIRST].dtype = POD_DTYPE_NONE);
    BAD(OUTSIDE, t.slots[FIRST].bytes--);
    BAD(OUTSIDE, t.slots[FIRST].bytes++);
    BAD(OUTSIDE, t.shapes[FIRST].dims[0] = INT64_MAX);
    BAD(OUTSIDE, t.slots[FIRST].base = SLOTS);
    GOOD(t.slots[FIRST].base = SLOTS - 1);
    BAD(OUTSIDE, t.slots[ARGUMENT].index = 1);
    BAD(OUTSIDE, t.parameter.shape.dims[0]--);
    GOOD(t.parameter.shape.dims[0]++);
    BAD(OUTSIDE, t.slots[RESULT].index = 1);
    BAD(OUTSIDE, t.output.shape.dims[0]--);
    BAD(OUTSIDE, t.output.alias = 0); /* it lies in its argument */
    BAD(OUTSIDE, t.slots[FIRST].kind = (pod_slot_kind)(POD_SLOT_LITERAL + 1));
    GOOD(t.slots[THIRD].kind = POD_SLOT_NONE; t.program.arena_bytes = 128);
    BAD("a slot is too small", t.slots[ARGUMENT].kind = POD_SLOT_NONE);
}

TEST(memory_is_what_slots_fill)
{
    BAD(EMPTY, t.program.arena_bytes += 64);
    BAD(EMPTY, t.slots[THIRD].kind = POD_SLOT_NONE);
    BAD(EMPTY, t.program.block_bytes = 64);
    BAD("no good size", t.program.block_bytes = 32);
}

TEST(groups_hold_instructions_that_fall_into_their_parts)
{
    BAD(GROUP, t.groups[1].first = INSTRUCTIONS);
    BAD(GROUP, t.groups[1].first = INSTRUCTIONS + 1; t.groups[1].count = 0);
    BAD(GROUP, t.groups[1].count = 2);
    BAD(GROUP, t.groups[1].parts = -1);
    BAD(GROUP, t.groups[1].unit = 0);
    BAD(GROUP, t.groups[1].chunk = 0);
    BAD(GROUP, t.groups[1].unit = 2);
    GOOD(t.groups[1].unit = 2; t.groups[1].chunk = 4);
    BAD(GROUP, t.groups[1].unit = 2; t.groups[1].chunk = 5);
    BAD(GROUP, t.groups[1].unit = t.groups[1].chunk = INT64_MAX / 4 + 1);
    GOOD(t.groups[1].unit = t.groups[1].chunk = INT64_MAX / 4);
    BAD(GROUP, t.groups[1].chunk = INT64_MAX / 4 + 1);
    BAD(GROUP, t.groups[1].parts = 2); /* of one row */
    BAD(GROUP, t.groups[1].parts = INT64_MAX / 4 + 1; t.instructions[2].rows = 0);
    GOOD(t.groups[1].parts = INT64_MAX / 4; t.instructions[2].rows = 0);
}

/* Four parts of two rows each, taken two parts at a time, where a unit begins after every fourth row. */
#define ROWS                                                                                                           \
    t.shapes[LITERAL].dims[0] = t.shapes[RESULT].dims[0] = t.output.shape.dims[0] = 8 * POD_COPY_ROW / 4;              \
    t.slots[LITERAL].bytes = t.slots[RESULT].bytes = 8 * POD_COPY_ROW;                                                 \
    t.program.literal_bytes = 8 * POD_COPY_ROW;                                                                        \
    t.instructions[2].rows = 8;                                                                                        \
    t.instructions[2].unit = 4;                                                                                        \
    t.groups[1].parts = 4;                                                                                             \
    t.groups[1].unit = t.groups[1].chunk = 2

TEST(units_begin_where_instructions_may_begin)
{
    GOOD(ROWS);
    BAD(GROUP, ROWS; t.groups[1].unit = 1);
    BAD(GROUP, ROWS; t.groups[1].unit = t.groups[1].chunk = 3);
    BAD(GROUP, ROWS; t.groups[1].parts = 3);
    GOOD(ROWS; t.groups[1].unit = t.groups[1].chunk = 4; t.instructions[2].unit = 5); /* all is one unit */
    BAD(GROUP, ROWS; t.groups[1].parts = 8; t.groups[1].unit = t.groups[1].chunk = 7; t.instructions[2].unit = 5);
}

TEST(subgroups_are_their_group)
{
    GOOD(t.groups[0].subgroup_count = 0);
    BAD(GROUP, t.subgroups[0].first = 1);
    BAD(GROUP, t.subgroups[1].first = 0);
    BAD(GROUP, t.subgroups[0].count = 0);
    BAD(GROUP, t.subgroups[1].count = 0);
    BAD(GROUP, t.subgroups[1].count = 2);
    GOOD(t.subgroups[0].count = 2; t.subgroups[1].first = 2; t.subgroups[1].count = 0);
    BAD(GROUP, t.subgroups[0].parts = -1);
    BAD(GROUP, t.subgroups[0].parts = 0);
    BAD(GROUP, t.subgroups[0].parts = 2);
    BAD(GROUP, t.subgroups[0].chunk = 0);
    BAD(GROUP, t.subgroups[0].chunk = INT64_MAX / 4 + 1);
    GOOD(t.subgroups[0].chunk = INT64_MAX / 4);
    BAD(GROUP, t.subgroups[0].parts = INT64_MAX / 4 + 1; t.instructions[0].rows = 0);
    GOOD(t.subgroups[0].parts = INT64_MAX / 4; t.instructions[0].rows = 0);
    /* Without parts a group has none in subgroups. */
    GOOD(t.groups[0].parts = 0; t.subgroups[0].parts = t.subgroups[1].parts = 0);
    BAD(GROUP, t.groups[0].parts = 0; t.subgroups[0].parts = 0);
    BAD(GROUP, t.groups[0].parts = 2; t.instructions[0].rows = t.instructions[1].rows = 0; t.subgroups[0].parts = 3;
        t.subgroups[1].parts = 2);
    GOOD(t.groups[0].parts = 2; t.instructions[0].rows = t.instructions[1].rows = 0; t.subgroups[0].parts = 4;
         t.subgroups[1].parts = 2);
}

TEST(phases_hold_groups)
{
    BAD(PHASE, t.phases[0].count = 0);
    BAD(PHASE, t.phases[1].count = 2);
    BAD(PHASE, t.phases[1].first = 2);
    BAD(PHASE, t.phases[1].first = 3);
    GOOD(t.phases[0].count = 2; t.function.phase_count = 1);
    BAD(PHASE, t.phases[1].serial = true);
}

/* A print, which is done alone. */
#define PRINT                                                                                                          \
    t.instructions[2] = (pod_instruction){.kind = POD_DO_PRINT, .operand_count = 1, .rows = 1, .unit = 1};             \
    t.phases[1].serial = true

TEST(serial_phases_hold_one_instruction)
{
    GOOD(PRINT);
    BAD(PHASE, PRINT; t.phases[1].serial = false);
    BAD(PHASE, PRINT; t.phases[0].count = 2; t.phases[1] = t.phases[0]; t.function.phase_count = 1);
    BAD(PHASE, PRINT; t.phases[0] = ((pod_phase){.count = 2, .serial = true}); t.function.phase_count = 1);
    BAD(PHASE, PRINT; t.groups[1].first = 1; t.groups[1].count = 2);
}

TEST(regions_and_the_entry_are_looked_at)
{
    pod_function other = good().function, *entry = &other;
    pod_group empty = {.first = 1, .unit = 1, .chunk = 1};
    other = (pod_function){.groups = &empty, .group_count = 1};
    BAD(GROUP, t.program.entry = entry);
    empty.first = 0;
    GOOD(t.program.entry = entry);
    /* The regions of a branch: both. */
    static const pod_attributes none;
    pod_function fine = {0}, *regions[2] = {&fine, &fine};
    uint32_t *outputs[2] = {(uint32_t[]){0}, (uint32_t[]){0}};
#define BRANCH                                                                                                         \
    t.instructions[2] =                                                                                                \
        (pod_instruction){.kind = POD_DO_COND,                                                                         \
                          .operand_count = 1,                                                                          \
                          .rows = 1,                                                                                   \
                          .unit = 1,                                                                                   \
                          .region = {&none, {regions[0], regions[1]}, 0, NULL, {outputs[0], outputs[1]}}};             \
    t.phases[1].serial = true
    GOOD(BRANCH);
    empty.first = 1;
    for (int i = 0; i < 2; i++) {
        regions[i] = &other;
        BAD(GROUP, BRANCH);
        regions[i] = &fine;
    }
}

static void choose(void)
{
    context = test_context(NULL);
    if (pod_kernel_choose_family(NULL, &kernels, &error) != POD_OK)
        FAIL("no kernels: %s", error.message);
}

TEST_MAIN(choose(); RUN(slots_lie_in_their_memory); RUN(memory_is_what_slots_fill);
          RUN(groups_hold_instructions_that_fall_into_their_parts); RUN(units_begin_where_instructions_may_begin);
          RUN(subgroups_are_their_group); RUN(phases_hold_groups); RUN(serial_phases_hold_one_instruction);
          RUN(regions_and_the_entry_are_looked_at); pod_context_release(context))
