#ifndef POD_TESTS_TEST_H
#define POD_TESTS_TEST_H

/*
 * test - a small harness for the C tests. A file is a process; a test is a function named by what
 * it claims; it ends at its first failed check.
 *
 *     TEST(a_buffer_starts_as_zeros)
 *     {
 *         ...
 *         ASSERT_EQ(0, values[i]);
 *     }
 *
 *     TEST_MAIN(RUN(a_buffer_starts_as_zeros); RUN(...))
 *
 * The output is TAP; the last line says "N passed, N failed". An argument runs only the tests whose
 * name contains it. Where MOONPOD_ISA names a family that this CPU lacks, the process ends with 77:
 * skipped. A check that fails jumps out of the test, so what it holds is leaked: leaks are looked
 * for only in runs that pass.
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "moonpod/tensor.h"

static struct {
    const char *filter;
    int passed, failed;
    jmp_buf leave; /* only from the thread that runs the test */
} test_state __attribute__((unused));

#define TEST(name) static void name(void)

__attribute__((unused, format(printf, 3, 4), noreturn)) static void test_fail(const char *file, int line,
                                                                              const char *format, ...)
{
    va_list arguments;
    printf("# %s:%d: ", file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    longjmp(test_state.leave, 1);
}

__attribute__((unused)) static void test_run(const char *name, void (*test)(void))
{
    char sentence[256];
    if (test_state.filter && !strstr(name, test_state.filter))
        return;
    snprintf(sentence, sizeof sentence, "%s", name);
    for (char *c = sentence; *c; c++)
        if (*c == '_')
            *c = ' ';
    const bool passed = setjmp(test_state.leave) == 0 ? (test(), true) : false;
    *(passed ? &test_state.passed : &test_state.failed) += 1;
    printf("%sok %d - %s\n", passed ? "" : "not ", test_state.passed + test_state.failed, sentence);
    fflush(stdout);
}

#define RUN(name) test_run(#name, name)

#define TEST_MAIN(...)                                                                                                 \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        pod_cpu_family test_family;                                                                                    \
        pod_error test_error;                                                                                          \
        test_state.filter = argc > 1 ? argv[1] : NULL;                                                                 \
        if (pod_cpu_choose_family(NULL, &test_family, &test_error) != POD_OK) {                                        \
            printf("1..0 # SKIP %s\n", test_error.message);                                                            \
            return 77;                                                                                                 \
        }                                                                                                              \
        __VA_ARGS__;                                                                                                   \
        printf("1..%d\n", test_state.passed + test_state.failed);                                                      \
        printf("%d passed, %d failed\n", test_state.passed, test_state.failed);                                        \
        return test_state.failed > 0;                                                                                  \
    }

/* ---- checks: each evaluates its arguments once and prints both values ------------------------ */

#define ASSERT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            test_fail(__FILE__, __LINE__, "%s is false", #condition);                                                  \
    } while (0)

#define FAIL(...) test_fail(__FILE__, __LINE__, __VA_ARGS__)

/* Integers, enumerators and booleans. */
#define ASSERT_EQ(expected, actual)                                                                                    \
    do {                                                                                                               \
        const long long expected_ = (long long)(expected), actual_ = (long long)(actual);                              \
        if (expected_ != actual_)                                                                                      \
            test_fail(__FILE__, __LINE__, "%s is %lld (0x%llx), expected %lld (0x%llx)", #actual, actual_,             \
                      (unsigned long long)actual_, expected_, (unsigned long long)expected_);                          \
    } while (0)

/* Doubles that must be the same number (NaN equals NaN). */
#define ASSERT_NUMBER(expected, actual)                                                                                \
    do {                                                                                                               \
        const double expected_ = (expected), actual_ = (actual);                                                       \
        if (expected_ != actual_ && !(isnan(expected_) && isnan(actual_)))                                             \
            test_fail(__FILE__, __LINE__, "%s is %.17g, expected %.17g", #actual, actual_, expected_);                 \
    } while (0)

/* Doubles: |actual - expected| <= absolute + relative * |expected|. */
#define ASSERT_NEAR(expected, actual, relative, absolute)                                                              \
    do {                                                                                                               \
        const double expected_ = (expected), actual_ = (actual);                                                       \
        if (expected_ != actual_ && !(isnan(expected_) && isnan(actual_)) &&                                           \
            !(fabs(actual_ - expected_) <= (absolute) + (relative)*fabs(expected_)))                                   \
            test_fail(__FILE__, __LINE__, "%s is %.9g, expected %.9g (off by %.3g)", #actual, actual_, expected_,      \
                      actual_ - expected_);                                                                            \
    } while (0)

/* Texts. */
#define ASSERT_TEXT(expected, actual)                                                                                  \
    do {                                                                                                               \
        const char *const expected_ = (expected), *const actual_ = (actual);                                           \
        if (!actual_ || strcmp(expected_, actual_) != 0)                                                               \
            test_fail(__FILE__, __LINE__, "%s is \"%s\", expected \"%s\"", #actual, actual_ ? actual_ : "(null)",      \
                      expected_);                                                                                      \
    } while (0)

/* A text that must contain another. */
#define ASSERT_CONTAINS(part, actual)                                                                                  \
    do {                                                                                                               \
        const char *const part_ = (part), *const whole_ = (actual);                                                    \
        if (!whole_ || !strstr(whole_, part_))                                                                         \
            test_fail(__FILE__, __LINE__, "%s is \"%s\", which does not contain \"%s\"", #actual,                      \
                      whole_ ? whole_ : "(null)", part_);                                                              \
    } while (0)

/* A call that fills in `error` (a pod_error of the test's) must succeed. */
#define ASSERT_OK(call)                                                                                                \
    do {                                                                                                               \
        const pod_status status_ = (call);                                                                             \
        if (status_ != POD_OK)                                                                                         \
            test_fail(__FILE__, __LINE__, "%s: %s: %s", #call, pod_status_name(status_), error.message);               \
    } while (0)

/* ... must fail with a status and a message that contains `part`. */
#define ASSERT_FAILS(expected_status, part, call)                                                                      \
    do {                                                                                                               \
        const pod_status status_ = (call);                                                                             \
        if (status_ != (expected_status) || !strstr(error.message, part))                                              \
            test_fail(__FILE__, __LINE__, "%s gave %s \"%s\", expected %s \"...%s...\"", #call,                        \
                      pod_status_name(status_), status_ < 0 ? error.message : "", pod_status_name(expected_status),    \
                      part);                                                                                           \
    } while (0)

/* ---- memory ---------------------------------------------------------------------------------- */

/* An allocator that counts and, when it is told to, refuses. One thread at a time. */
typedef struct test_allocator {
    long granted;     /* allocations still granted; negative: any number */
    long allocations; /* that were asked for */
    long live;        /* blocks not freed */
} test_allocator;

__attribute__((unused)) static void *test_resize(void *context, void *pointer, size_t old_size, size_t new_size)
{
    test_allocator *allocator = context;
    (void)old_size;
    if (new_size == 0) {
        allocator->live -= pointer != NULL;
        free(pointer);
        return NULL;
    }
    allocator->allocations++;
    if (allocator->granted == 0)
        return NULL;
    if (allocator->granted > 0)
        allocator->granted--;
    void *block = realloc(pointer, new_size);
    allocator->live += block && !pointer;
    return block;
}

/* Makes a context for a test; ends the test where that fails. */
__attribute__((unused)) static pod_context *test_context(const pod_context_options *options)
{
    pod_error error;
    pod_context *context;
    if (pod_context_new(options, &context, &error) != POD_OK)
        FAIL("no context: %s", error.message);
    return context;
}

/*
 * Runs `body` with a context that grants 0, 1, 2, ... further allocations until it succeeds. It
 * must return POD_ERROR_MEMORY until then, and hold nothing of its own when it returns. Threads:
 * keep to one.
 */
__attribute__((unused)) static void every_allocation_may_fail(pod_status (*body)(pod_context *context,
                                                                                 pod_error *error))
{
    for (long granted = 0;; granted++) {
        test_allocator allocator = {.granted = -1};
        const pod_context_options options = {.allocator = {test_resize, &allocator}, .threads = 1};
        pod_context *context = test_context(&options);
        const long before = allocator.live;
        pod_error error = {POD_OK, ""};
        allocator.granted = granted;
        const pod_status status = body(context, &error);
        const bool used_up = allocator.granted == 0;
        if (allocator.live != before)
            FAIL("with %ld allocations granted, %ld blocks are still held after %s", granted, allocator.live - before,
                 pod_status_name(status));
        pod_context_release(context);
        if (allocator.live != 0)
            FAIL("with %ld allocations granted, the context leaks %ld blocks", granted, allocator.live);
        if (status == POD_OK)
            return;
        if (status != POD_ERROR_MEMORY || !used_up)
            FAIL("with %ld allocations granted the result is %s: %s", granted, pod_status_name(status), error.message);
    }
}

#endif
