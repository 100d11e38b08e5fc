/* What a compiler in a child process answers, and what comes of one that dies, hangs or is none. */

#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "moonpod/compiler.h"
#include "test_path.h"

static pod_error error;
static pod_compiled_memory memory;

/* The plugin of tests stands beside the test. */
static const char *plugin_path(void)
{
    static char path[4096];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 32);
    ASSERT(size > 0);
    path[size] = '\0';
    strcpy(strrchr(path, '/'), "/pjrt_plugin.so");
    return path;
}

static pod_status ask(pod_context *context, const char *topology)
{
    return pod_compiler_memory(
        context,
        &(pod_compiler_question){
            .plugin = plugin_path(), .topology = topology, .module = "module", .module_size = 6, .seconds = 60},
        &memory, &error);
}

TEST(it_answers_what_the_compiler_says)
{
    pod_context *context = test_context(NULL);
    ASSERT_OK(ask(context, "v5e:2x2"));
    ASSERT(memory.fits);
    ASSERT_EQ(6, memory.arguments);
    ASSERT_EQ(1, memory.aliases);
    ASSERT_EQ(5, memory.code);
    ASSERT_EQ(memory.arguments + memory.outputs - 1 + memory.temporaries, memory.need);
    ASSERT_EQ(90, memory.minor);
    ASSERT_TEXT("compiler of tests", memory.version);
    ASSERT_TEXT("", memory.refusal);
    pod_context_release(context);
}

TEST(times_are_those_of_the_optimised_program)
{
    pod_context *context = test_context(NULL);
    pod_compiler_question question = {
        .plugin = plugin_path(), .topology = "v5e:2x2", .module = "module", .module_size = 6, .times = true};
    ASSERT_OK(pod_compiler_memory(context, &question, &memory, &error));
    const pod_compiled_time *time = &memory.time;
    ASSERT(time->cycles == 1500 + 750 + 3 * 1000);
    ASSERT_EQ(3, time->kernels);
    ASSERT_EQ(1, time->without);
    ASSERT_EQ(3, time->count);
    ASSERT_TEXT("fusion.2", time->longest[0].name);
    ASSERT(time->longest[0].cycles == 3000 && time->longest[0].line == 9);
    ASSERT_TEXT("fusion.1", time->longest[1].name);
    ASSERT(time->longest[1].cycles == 1500 && time->longest[1].line == 4); /* that of its convolution */
    ASSERT_TEXT("copy.1", time->longest[2].name);
    ASSERT(time->longest[2].cycles == 750 && time->longest[2].line == 3); /* that of what reads it */
    ASSERT(time->flops == 2097152 && time->bytes == 4096 && time->transcendentals == 0);
    ASSERT_EQ(0, time->loops);
    question.topology = "turns"; /* how many is not told */
    ASSERT_OK(pod_compiler_memory(context, &question, &memory, &error));
    ASSERT_EQ(1, time->loops);
    ASSERT(time->cycles == 1500 + 750 + 1000);
    question.topology = "cut";
    ASSERT_EQ(POD_ERROR_STATE, pod_compiler_memory(context, &question, &memory, &error));
    ASSERT_CONTAINS("malformed program", error.message);
    ASSERT_OK(ask(context, "v5e:2x2"));
    ASSERT_EQ(0, memory.time.kernels);
    pod_context_release(context);
}

/* As jaxlib writes them: devices 0 to 3, 1 replica of 4 partitions, which are divided; with and without shardy. */
TEST(options_are_those_that_jax_gives)
{
    static const unsigned char one[] = {0x1a, 15, 0x20, 1, 0x28, 1, 0x4a, 9, 8, 1, 16, 1, 0x1a, 3, 10, 1, 0};
    static const unsigned char four[] = {0x1a, 32, 0x20, 1, 0x28, 4, 0x30, 1,    0x4a, 24, 8, 1, 16,   4, 0x1a, 3, 10,
                                         1,    0,  0x1a, 3, 10,   1, 1,    0x1a, 3,    10, 1, 2, 0x1a, 3, 10,   1, 3};
    int64_t sum = 0, of_four = 0;
    for (size_t i = 0; i < sizeof one; i++)
        sum += one[i];
    for (size_t i = 0; i < sizeof four; i++)
        of_four += four[i];
    pod_context *context = test_context(NULL);
    ASSERT_OK(ask(context, "v5e:2x2"));
    ASSERT_EQ((int64_t)sizeof one, memory.outputs);
    ASSERT_EQ(sum, memory.temporaries);
    pod_compiler_question question = {
        .plugin = plugin_path(), .topology = "v5e:2x2", .module = "module", .module_size = 6, .partitions = 4};
    ASSERT_OK(pod_compiler_memory(context, &question, &memory, &error));
    ASSERT_EQ((int64_t)sizeof four, memory.outputs);
    ASSERT_EQ(of_four, memory.temporaries);
    question.module = "sdy.mesh @mesh";
    question.module_size = strlen(question.module);
    ASSERT_OK(pod_compiler_memory(context, &question, &memory, &error));
    ASSERT_EQ((int64_t)sizeof four + 3, memory.outputs);
    question.replicas = 1 << 20;
    ASSERT_EQ(POD_ERROR_VALUE, pod_compiler_memory(context, &question, &memory, &error));
    pod_context_release(context);
}

TEST(a_program_that_does_not_fit_is_an_answer)
{
    pod_context *context = test_context(NULL);
    ASSERT_OK(ask(context, "full"));
    ASSERT(!memory.fits);
    ASSERT_EQ((int64_t)35 << 29, memory.need);
    ASSERT_CONTAINS("exceeds available HBM (15.75G)", memory.refusal);
    ASSERT(strstr(memory.refusal, "elsewhere") == NULL);
    pod_context_release(context);
}

TEST(one_that_refuses_dies_or_hangs_is_told)
{
    static const struct {
        const char *topology, *words;
    } cases[] = {
        {"refuse", "INVALID_ARGUMENT: no such op"},
        {"abort", "by signal 6 (Aborted); its last words: Check failed: abort"},
        {"exit", "with code 3 and no answer; its last words: Check failed: exit"},
    };
    pod_context *context = test_context(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ASSERT_EQ(POD_ERROR_STATE, ask(context, cases[i].topology));
        ASSERT_CONTAINS(cases[i].words, error.message);
    }
    const pod_compiler_question hangs = {
        .plugin = plugin_path(), .topology = "hang", .module = "module", .module_size = 6, .seconds = 1};
    ASSERT_EQ(POD_ERROR_STATE, pod_compiler_memory(context, &hangs, &memory, &error));
    ASSERT_CONTAINS("pjrt_plugin.so had no answer", error.message);
    pod_context_release(context);
}

static void *interrupt_soon(void *context)
{
    usleep(100000);
    pod_context_interrupt(context);
    return NULL;
}

TEST(an_interrupt_ends_the_child)
{
    pod_context *context = test_context(NULL);
    pthread_t thread;
    ASSERT_EQ(0, pthread_create(&thread, NULL, interrupt_soon, context));
    ASSERT_EQ(POD_ERROR_INTERRUPTED, ask(context, "hang"));
    pthread_join(thread, NULL);
    pod_context_release(context);
}

TEST(what_is_no_plugin_or_too_old_is_refused)
{
    pod_context *context = test_context(NULL);
    pod_compiler_question question = {
        .plugin = "/nowhere/libtpu.so", .topology = "v5e:2x2", .module = "module", .module_size = 6};
    ASSERT_EQ(POD_ERROR_NOT_FOUND, pod_compiler_memory(context, &question, &memory, &error));
    char path[256];
    test_path(path, sizeof path, "no-plugin");
    question.plugin = path;
    FILE *file = fopen(path, "w");
    ASSERT(file != NULL);
    fputs("no library", file);
    fclose(file);
    ASSERT_EQ(POD_ERROR_NOT_FOUND, pod_compiler_memory(context, &question, &memory, &error));
    unlink(path);
    question.plugin = "libm.so.6";
    ASSERT_EQ(POD_ERROR_UNSUPPORTED, pod_compiler_memory(context, &question, &memory, &error));
    setenv("MOONPOD_TEST_PLUGIN", "old", 1);
    ASSERT_EQ(POD_ERROR_UNSUPPORTED, ask(context, "v5e:2x2"));
    ASSERT_CONTAINS("has no PJRT_Executable_GetCompiledMemoryStats: install a newer one", error.message);
    setenv("MOONPOD_TEST_PLUGIN", "new", 1);
    ASSERT_EQ(POD_ERROR_UNSUPPORTED, ask(context, "v5e:2x2"));
    ASSERT_CONTAINS("PJRT 1.90; 0.x is understood", error.message);
    unsetenv("MOONPOD_TEST_PLUGIN");
    pod_context_release(context);
}

/* Nothing of the child stays: no process, no file, and the streams of this process are as they were. */
TEST(nothing_is_left_behind)
{
    pod_context *context = test_context(NULL);
    const int before = dup(0);
    close(before);
    for (int i = 0; i < 20; i++)
        (void)ask(context, i % 2 == 0 ? "abort" : "v5e:2x2");
    const int after = dup(0);
    close(after);
    ASSERT_EQ(before, after);
    ASSERT_EQ(-1, waitpid(-1, NULL, WNOHANG));
    pod_context_release(context);
}

TEST_MAIN(RUN(it_answers_what_the_compiler_says); RUN(times_are_those_of_the_optimised_program);
          RUN(options_are_those_that_jax_gives); RUN(a_program_that_does_not_fit_is_an_answer);
          RUN(one_that_refuses_dies_or_hangs_is_told); RUN(an_interrupt_ends_the_child);
          RUN(what_is_no_plugin_or_too_old_is_refused); RUN(nothing_is_left_behind))
