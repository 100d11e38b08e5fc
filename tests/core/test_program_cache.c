/* Programs on disk: what is loaded is what was compiled, what differs is not found, what is damaged is not run. */

#include "base/arena_apart.h"
#include "program_run.h"
#include "stored_cases.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static pod_error error;

/* ---- bytes ------------------------------------------------------------------------------------------------ */

/* A graph's program as bytes, with what it is for; end with stored_free(). */
typedef struct stored {
    pod_context *context;
    pod_graph *graph;
    pod_program *program;
    pod_arena memory;
    pod_stored_target target;
    unsigned char *bytes;
    size_t size;
} stored;

static const pod_compile_options defaults = {0};

static stored stored_new(int number)
{
    stored s = {0};
    const char *what = "";
    s.context = test_context(&(pod_context_options){.threads = 1});
    s.graph = stored_case(s.context, number);
    ASSERT(s.graph);
    ASSERT_OK(pod_graph_check(s.graph, &error));
    ASSERT_OK(pod_program_compile(s.context, s.graph, NULL, &s.program, &error));
    pod_arena_init(&s.memory, s.context);
    ASSERT(pod_store_target_make(&s.target, s.context, &s.memory, s.graph, &defaults));
    s.bytes = pod_store_to_bytes(s.program, &s.target, &s.size, &what);
    if (!s.bytes)
        FAIL("case %d: %s", number, what);
    return s;
}

static void stored_free(stored *s)
{
    pod_free(s->context, s->bytes);
    pod_arena_clear(&s->memory);
    pod_program_free(s->program);
    pod_graph_free(s->graph);
    pod_context_release(s->context);
}

static pod_program *load(stored *s, const unsigned char *bytes, size_t size)
{
    const char *what = NULL;
    pod_program *program = pod_store_from_bytes(s->context, &s->target, bytes, size, &what);
    ASSERT(program || what);
    return program;
}

TEST(programs_of_all_kinds_of_instructions_are_stored_and_loaded)
{
    bool seen[POD_DO_COUNT] = {false};
    for (int number = 0; number < STORED_CASES; number++) {
        stored s = stored_new(number);
        for (uint32_t i = 0; i < s.program->function->instruction_count; i++)
            seen[s.program->function->instructions[i]->kind] = true;
        program_restore(s.context, s.graph, &defaults, &s.program);
        run_anyhow(s.context, s.program);
        stored_free(&s);
    }
    for (int kind = 0; kind < POD_DO_COUNT; kind++)
        if (!seen[kind] && kind != POD_DO_WHILE) /* test_engine.c has those */
            FAIL("no case has an instruction of kind %d", kind);
}

/* The number of an argument's slot that is no variable and has so many bytes; POD_SLOT_END when there is none. */
static uint32_t constant_argument(const pod_program *program, uint64_t bytes)
{
    for (uint32_t i = 0; i < program->slot_count; i++) {
        const pod_slot *slot = &program->slots[i];
        if (slot->kind == POD_SLOT_PARAMETER && slot->bytes >= bytes && program->parameters[slot->index].alias < 0)
            return i;
    }
    return POD_SLOT_END;
}

static pod_status write_down(pod_context *host, pod_error *into)
{
    pod_stored_target target;
    pod_arena memory;
    pod_program *program = NULL;
    const char *what;
    size_t size;
    pod_graph *graph = stored_case(host, 1);
    if (!graph)
        return POD_ERROR_MEMORY;
    into->status = POD_OK;
    pod_status status = pod_program_compile(host, graph, NULL, &program, into);
    pod_arena_init(&memory, host);
    if (status == POD_OK && pod_store_target_make(&target, host, &memory, graph, &defaults)) {
        unsigned char *bytes = pod_store_to_bytes(program, &target, &size, &what);
        status = bytes ? POD_OK : POD_ERROR_MEMORY;
        pod_free(host, bytes);
        ASSERT(program->function);
        for (uint32_t i = 0; i < program->function->instruction_count; i++) {
            const pod_instruction *one = program->function->instructions[i];
            ASSERT(one->kind != POD_DO_LOOP || one->loop);
            ASSERT(one->kind != POD_DO_KERNEL || one->kernel.attributes);
        }
    } else if (status == POD_OK) {
        status = POD_ERROR_MEMORY;
    }
    pod_program_free(program);
    pod_arena_clear(&memory);
    pod_graph_free(graph);
    return status;
}

/* Where there is no memory to write a program down, it is not kept, and is what it was. */
TEST(a_program_outlives_a_writing_that_fails)
{
    pod_arenas_apart = true;
    every_allocation_may_fail(write_down);
    pod_arenas_apart = false;
}

TEST(no_loop_writes_an_argument_that_is_no_variable)
{
    uint32_t turned = 0;
    for (int number = 0; number < STORED_CASES; number++) {
        stored s = stored_new(number);
        for (uint32_t i = 0; i < s.program->function->instruction_count; i++) {
            pod_instruction *one = s.program->function->instructions[i];
            if (one->kind != POD_DO_LOOP || one->loop->store_count == 0)
                continue;
            pod_loop_store *store = &one->loop->stores[0];
            uint32_t own = store->slot;
            uint32_t other = constant_argument(s.program, s.program->slots[own].bytes);
            if (other == POD_SLOT_END)
                continue;
            const char *what = NULL;
            size_t size;
            store->slot = other;
            ASSERT(!pod_store_to_bytes(s.program, &s.target, &size, &what));
            ASSERT(what && strstr(what, "an argument that is no variable"));
            store->slot = own;
            turned++;
        }
        stored_free(&s);
    }
    ASSERT(turned > 0);
}

/* Whether a program that somebody changed is refused for this reason. */
static bool is_refused(stored *s, const char *why)
{
    const char *what = NULL;
    size_t size;
    unsigned char *bytes = pod_store_to_bytes(s->program, &s->target, &size, &what);
    pod_free(s->context, bytes);
    return !bytes && what && strstr(what, why);
}

/* Not what fits beside what the graph needs, but what slots and steps fill. */
TEST(a_program_asks_for_no_memory_that_it_does_not_fill)
{
    uint32_t loops = 0;
    for (int number = 0; number < STORED_CASES; number++) {
        stored s = stored_new(number);
        s.program->arena_bytes += 64;
        ASSERT(is_refused(&s, "memory that no slot lies in"));
        s.program->arena_bytes -= 64;
        s.program->block_bytes += 64;
        ASSERT(is_refused(&s, "memory that no slot lies in"));
        s.program->block_bytes -= 64;
        for (uint32_t i = 0; i < s.program->function->instruction_count; i++) {
            pod_instruction *one = s.program->function->instructions[i];
            one->scratch_bytes += 128;
            ASSERT(is_refused(&s, "other scratch"));
            one->scratch_bytes -= 128;
            if (one->kind != POD_DO_LOOP || one->loop->fold_count > 0)
                continue;
            pod_loop *own = one->loop;
            for (uint32_t more = 1; more <= 1u << 20; more *= 1024) {
                pod_loop changed = *own;
                const uint64_t all = (uint64_t)own->register_count + more;
                changed.register_count += more;
                changed.scratch_bytes += (uint64_t)more * own->register_bytes +
                                         ((all * sizeof(char *) + 63) & ~(uint64_t)63) -
                                         ((own->register_count * sizeof(char *) + 63) & ~(uint64_t)63);
                one->loop = &changed;
                one->scratch_bytes = changed.scratch_bytes;
                ASSERT(is_refused(&s, "a loop has"));
            }
            one->loop = own;
            one->scratch_bytes = own->scratch_bytes;
            loops++;
        }
        stored_free(&s);
    }
    ASSERT(loops > 0);
}

/* Grants a graph's compiler 0, 1, 2, ... allocations, each block of an arena being one, until it succeeds. */
static void compile_case_with_little_memory(int number)
{
    test_allocator allocator = {.granted = -1};
    pod_context *context = test_context(&(pod_context_options){.threads = 1, .allocator = {test_resize, &allocator}});
    pod_graph *graph = stored_case(context, number);
    ASSERT(graph);
    ASSERT_OK(pod_graph_check(graph, &error));
    pod_status status = POD_ERROR_MEMORY;
    for (long granted = 0; status != POD_OK; granted++) {
        const long live = allocator.live;
        pod_program *program = NULL;
        allocator.granted = granted;
        status = pod_program_compile(context, graph, NULL, &program, &error);
        allocator.granted = -1;
        if (status != POD_OK && status != POD_ERROR_MEMORY)
            FAIL("case %d with %ld allocations: %s", number, granted, error.message);
        pod_program_free(program);
        if (allocator.live != live)
            FAIL("case %d with %ld allocations: %ld blocks are lost", number, granted, allocator.live - live);
    }
    pod_graph_free(graph);
    pod_context_release(context);
    ASSERT_EQ(0, allocator.live);
}

TEST(every_allocation_of_compiling_a_case_may_fail)
{
    pod_arenas_apart = true;
    for (int number = 0; number < 6; number++)
        compile_case_with_little_memory(number);
    pod_arenas_apart = false;
}

TEST(every_damaged_byte_is_found)
{
    for (int number = 0; number < 5; number++) {
        stored s = stored_new(number);
        for (size_t i = 0; i < s.size; i++) {
            s.bytes[i] ^= (unsigned char)(1 << i % 8);
            ASSERT(!load(&s, s.bytes, s.size));
            s.bytes[i] ^= (unsigned char)(1 << i % 8);
        }
        for (size_t size = 0; size < s.size; size += 1 + size / 16)
            ASSERT(!load(&s, s.bytes, size));
        pod_program *whole = load(&s, s.bytes, s.size);
        ASSERT(whole);
        pod_program_free(whole);
        stored_free(&s);
    }
}

/* Bytes with a good checksum that somebody made: refused, or run within the program's own memory (the sanitizers
 * look at that). */
TEST(changed_bytes_with_a_good_checksum_do_no_harm)
{
    uint64_t random = 1;
    unsigned refused = 0, ran = 0;
    for (int number = 0; number < STORED_CASES; number++) {
        stored s = stored_new(number);
        unsigned char *changed = pod_allocate(s.context, s.size);
        for (int round = 0; round < 150; round++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const size_t at = 56 + (size_t)(random >> 20) % (s.size - 56);
            memcpy(changed, s.bytes, s.size);
            changed[at] =
                round % 3 == 0 ? (unsigned char)(random >> 56) : changed[at] ^ (unsigned char)(1 << round % 8);
            if (round % 5 == 0 && at + 8 <= s.size)
                memset(changed + at, round % 2 ? 0xFF : 0x7F, 8);
            seal(changed, s.size);
            pod_program *program = load(&s, changed, s.size);
            if (program)
                run_anyhow(s.context, program);
            program ? ran++ : refused++;
            pod_program_free(program);
        }
        pod_free(s.context, changed);
        stored_free(&s);
    }
    ASSERT(refused > 100 && ran > 100);
}

/* ---- keys ------------------------------------------------------------------------------------------------- */

/* tanh(x * constant) of this type and shape, at this line. */
static pod_graph *small_graph(pod_context *context, pod_dtype dtype, int64_t rows, double value, const char *line,
                              const char *name)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, name, &graph, &error));
    pod_graph_set_location(graph, line);
    pod_node *x = pod_graph_parameter(graph, dtype, &(pod_shape){2, {rows, 3}}, name);
    pod_graph_add_output(
        graph, pod_graph_tanh(graph, pod_graph_multiply(graph, x, pod_graph_scalar(graph, dtype, value, NULL))));
    return graph;
}

static pod_program_key key_of(const char *isa, const pod_compile_options *options, pod_dtype dtype, int64_t rows,
                              double value, const char *line)
{
    pod_context *context = test_context(&(pod_context_options){.isa = isa});
    pod_graph *graph = small_graph(context, dtype, rows, value, line, line);
    pod_arena memory;
    pod_stored_target target;
    pod_arena_init(&memory, context);
    ASSERT(pod_store_target_make(&target, context, &memory, graph, options));
    pod_arena_clear(&memory);
    pod_graph_free(graph);
    pod_context_release(context);
    return target.key;
}

static bool same(pod_program_key a, pod_program_key b)
{
    return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}

TEST(keys_tell_apart_what_compiles_differently)
{
    const pod_compile_options high = {.matmul_precision = "high"}, plain = {.no_fusion = true};
    const pod_compile_options highest = {.matmul_precision = "highest"};
    const pod_program_key key = key_of("portable", &defaults, POD_F32, 5, 2, "a:1");
    ASSERT(same(key, key_of("portable", &defaults, POD_F32, 5, 2, "a:1")));
    ASSERT(same(key, key_of("portable", &highest, POD_F32, 5, 2, "a:1")));
    ASSERT(same(key, key_of("portable", &defaults, POD_F32, 5, 2, "moved:99")));
    ASSERT(!same(key, key_of("portable", &high, POD_F32, 5, 2, "a:1")));
    ASSERT(!same(key, key_of("portable", &plain, POD_F32, 5, 2, "a:1")));
    ASSERT(!same(key, key_of("portable", &defaults, POD_BF16, 5, 2, "a:1")));
    ASSERT(!same(key, key_of("portable", &defaults, POD_F32, 6, 2, "a:1")));
    ASSERT(!same(key, key_of("portable", &defaults, POD_F32, 5, 3, "a:1")));
    pod_cpu_family family;
    if (pod_cpu_choose_family("avx2", &family, NULL) == POD_OK)
        ASSERT(!same(key, key_of("avx2", &defaults, POD_F32, 5, 2, "a:1")));
}

/* ---- directories ---------------------------------------------------------------------------------------------- */

static char directory[64];

/* A directory that is not there yet, two levels deep. */
static const char *new_directory(void)
{
    strcpy(directory, P_tmpdir "/moonpod-cache-XXXXXX");
    ASSERT(mkdtemp(directory));
    strcat(directory, "/a/b");
    return directory;
}

static void delete_directory(void)
{
    char command[128];
    *strstr(directory, "/a/b") = '\0';
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    ASSERT_EQ(0, system(command));
}

static pod_context *cached_context(const char *at, uint64_t bytes)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    ASSERT_OK(pod_context_set_program_cache(context, at, bytes, &error));
    return context;
}

/* Compiles a small graph; returns whether it came from the cache. */
static bool compile_small(pod_context *context, double value, const char *line)
{
    pod_graph *graph = small_graph(context, POD_F32, 5, value, line, "x");
    pod_program *program;
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    const bool loaded = pod_program_get_stats(program).from_cache;
    pod_program_free(program);
    pod_graph_free(graph);
    return loaded;
}

TEST(a_second_context_compiles_nothing)
{
    const char *at = new_directory();
    pod_context *first = cached_context(at, 0);
    ASSERT(!compile_small(first, 2, "a:1"));
    ASSERT(!compile_small(first, 3, "a:1"));
    pod_program_cache_stats stats = pod_context_program_cache(first);
    ASSERT_EQ(2, stats.compiled);
    ASSERT_EQ(2, stats.stored);
    ASSERT_EQ(2, stats.files);
    ASSERT_EQ(256 << 20, stats.most_bytes);
    ASSERT_TEXT(at, stats.directory);
    pod_context *second = cached_context(at, 0);
    ASSERT(compile_small(second, 2, "b:7"));
    ASSERT(compile_small(second, 3, "b:7"));
    stats = pod_context_program_cache(second);
    ASSERT_EQ(0, stats.compiled);
    ASSERT_EQ(2, stats.loaded);
    ASSERT_EQ(2, pod_context_clear_program_cache(second));
    ASSERT(!compile_small(second, 2, "a:1"));
    ASSERT_OK(pod_context_set_program_cache(second, NULL, 0, &error));
    ASSERT(!compile_small(second, 2, "a:1"));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "no name", pod_context_set_program_cache(second, "", 0, &error));
    pod_context_release(first);
    pod_context_release(second);
    delete_directory();
}

TEST(a_damaged_file_is_written_anew)
{
    const char *at = new_directory();
    pod_context *context = cached_context(at, 0);
    ASSERT(!compile_small(context, 2, "a:1"));
    char command[160];
    snprintf(command, sizeof command, "for f in '%s'/*; do echo damage > \"$f\"; done", at);
    ASSERT_EQ(0, system(command));
    ASSERT(!compile_small(context, 2, "a:1"));
    ASSERT(compile_small(context, 2, "a:1"));
    pod_program_cache_stats stats = pod_context_program_cache(context);
    ASSERT_EQ(1, stats.rejected);
    ASSERT_EQ(1, stats.files);
    pod_context_release(context);
    delete_directory();
}

TEST(a_directory_that_cannot_be_written_is_no_failure)
{
    pod_context *context = cached_context("/dev/null/programs", 0);
    ASSERT(!compile_small(context, 2, "a:1"));
    ASSERT(!compile_small(context, 2, "a:1"));
    ASSERT_EQ(0, pod_context_program_cache(context).stored);
    ASSERT_EQ(0, pod_context_program_cache(context).files);
    pod_context_release(context);
}

TEST(the_least_recently_used_programs_go_first)
{
    const char *at = new_directory();
    pod_context *context = cached_context(at, 0);
    ASSERT(!compile_small(context, 11, "a:1"));
    const uint64_t bytes = pod_context_program_cache(context).bytes;
    ASSERT_OK(pod_context_set_program_cache(context, at, bytes * 5, &error));
    for (int i = 12; i <= 15; i++)
        ASSERT(!compile_small(context, i, "a:1"));
    ASSERT(compile_small(context, 11, "a:1")); /* used again */
    ASSERT(!compile_small(context, 16, "a:1"));
    const pod_program_cache_stats stats = pod_context_program_cache(context);
    ASSERT_EQ(1, stats.evicted);
    ASSERT_EQ(5, stats.files);
    ASSERT(compile_small(context, 11, "a:1"));
    ASSERT(!compile_small(context, 12, "a:1"));
    pod_context_release(context);
    delete_directory();
}

static pod_status compile_with_little_memory(pod_context *context, pod_error *problem)
{
    pod_graph *graph = NULL;
    pod_program *program = NULL;
    pod_status status = pod_graph_new(context, "g", &graph, problem);
    if (status == POD_OK) {
        pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){1, {7}}, "x");
        pod_graph_add_output(graph, pod_graph_tanh(graph, x));
        status = pod_program_compile(context, graph, NULL, &program, problem);
    }
    pod_program_free(program);
    pod_graph_free(graph);
    return status;
}

static pod_status compile_cached_with_little_memory(pod_context *context, pod_error *problem)
{
    pod_status status = pod_context_set_program_cache(context, directory, 0, problem);
    if (status == POD_OK)
        status = compile_with_little_memory(context, problem);
    const pod_status off = pod_context_set_program_cache(context, NULL, 0, NULL);
    return off == POD_OK ? status : off;
}

TEST(without_memory_nothing_is_lost)
{
    (void)new_directory();
    every_allocation_may_fail(compile_cached_with_little_memory); /* compiled and stored in the end */
    every_allocation_may_fail(compile_cached_with_little_memory); /* loaded */
    delete_directory();
}

TEST_MAIN(RUN(programs_of_all_kinds_of_instructions_are_stored_and_loaded);
          RUN(a_program_outlives_a_writing_that_fails); RUN(no_loop_writes_an_argument_that_is_no_variable);
          RUN(a_program_asks_for_no_memory_that_it_does_not_fill); RUN(every_allocation_of_compiling_a_case_may_fail);
          RUN(every_damaged_byte_is_found); RUN(changed_bytes_with_a_good_checksum_do_no_harm);
          RUN(keys_tell_apart_what_compiles_differently); RUN(a_second_context_compiles_nothing);
          RUN(a_damaged_file_is_written_anew); RUN(a_directory_that_cannot_be_written_is_no_failure);
          RUN(the_least_recently_used_programs_go_first); RUN(without_memory_nothing_is_lost))
