/*
 * fuzz_main - feeds damaged files to targets.
 *
 *     fuzz list                              the names of the targets
 *     fuzz seed TARGET DIRECTORY             writes well-formed inputs
 *     fuzz run TARGET SECONDS DIRECTORY...   damages the files of DIRECTORY for SECONDS
 *     fuzz count TARGET N SEED DIRECTORY...  the same N times, the same for the same seed
 *     fuzz replay TARGET FILE...             reads files
 *     fuzz corpus DIRECTORY                  reads the files of DIRECTORY/TARGET of each target, and what is well
 *                                            formed, as a test
 *
 * Built with -DPOD_LIBFUZZER and clang's -fsanitize=fuzzer the same targets are led by coverage:
 *
 *     fuzz --target=TARGET [libFuzzer's options] CORPUS...
 *
 * tests/fuzz/run builds and calls both.
 */

#include "fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "test_system.h"

#define MOST_HELD ((uint64_t)64 << 20)

char fuzz_path[256];

static char directory[200];
static const char *seed_directory; /* where inputs are put, numbered; NULL: among those in memory */
static int seeds_written;

void fuzz_die(const char *target, const char *what)
{
    fprintf(stderr, "fuzz: %s: %s; the input is %s\n", target, what, fuzz_path);
    abort();
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fuzz_die("fuzz", "cannot write a file");
}

static size_t load_file(const char *path, unsigned char *bytes)
{
    FILE *file = fopen(path, "rb");
    const size_t size = file != NULL ? fread(bytes, 1, FUZZ_MOST, file) : 0;
    if (file != NULL)
        fclose(file);
    return size;
}

size_t fuzz_load(unsigned char *bytes)
{
    return load_file(fuzz_path, bytes);
}

/* ---- inputs ---- */

#define MOST_INPUTS 4096

static unsigned char *inputs[MOST_INPUTS];
static size_t sizes[MOST_INPUTS];
static size_t input_count;

static void add_input(const void *bytes, size_t size)
{
    if (input_count == MOST_INPUTS)
        return;
    sizes[input_count] = size;
    inputs[input_count] = malloc(size + 1);
    memcpy(inputs[input_count], bytes, size);
    input_count++;
}

void fuzz_put(const void *bytes, size_t size)
{
    char path[512];
    write_file(fuzz_path, bytes, size);
    seeds_written++;
    if (seed_directory == NULL) {
        add_input(bytes, size);
        return;
    }
    snprintf(path, sizeof path, "%s/seed-%d", seed_directory, seeds_written - 1);
    write_file(path, bytes, size);
}

/* ---- targets ---- */

static const fuzz_target *const lists[] = {fuzz_formats,  fuzz_inputs,  fuzz_array_types, fuzz_modules,
                                           fuzz_exported, fuzz_editors, fuzz_messages,    fuzz_services};

#define LISTS (sizeof lists / sizeof lists[0])

static const fuzz_target *find(const char *name)
{
    for (size_t i = 0; i < LISTS; i++)
        for (const fuzz_target *target = lists[i]; target->name != NULL; target++)
            if (strcmp(target->name, name) == 0)
                return target;
    fprintf(stderr, "fuzz: there is no target %s\n", name);
    exit(2);
}

/* Reads fuzz_path and looks at what is left of it. */
static void read_input(const fuzz_target *target)
{
    pod_context *context;
    if (pod_context_new(&(pod_context_options){.threads = 1}, &context, NULL) != POD_OK)
        fuzz_die(target->name, "no context");
    const pod_memory_stats before = pod_context_memory(context);
    target->read(context);
    const pod_memory_stats after = pod_context_memory(context);
    if (after.current_bytes != before.current_bytes)
        fuzz_die(target->name, "memory is still held");
    if (after.peak_bytes > MOST_HELD)
        fuzz_die(target->name, "too much memory was taken");
    pod_context_release(context);
}

static void clean_up(void)
{
    unlink(fuzz_path);
    rmdir(directory);
}

static void begin(void)
{
    snprintf(directory, sizeof directory, "%s/moonpod-fuzz-XXXXXX", system_temporary());
    if (!system_make_folder(directory))
        fuzz_die("fuzz", "cannot make a directory");
    snprintf(fuzz_path, sizeof fuzz_path, "%s/input", directory);
    atexit(clean_up);
}

#ifdef POD_LIBFUZZER

static const fuzz_target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    for (int i = 1; i < *argc; i++)
        if (strncmp((*argv)[i], "--target=", 9) == 0)
            chosen = find((*argv)[i] + 9);
    if (chosen == NULL)
        find("(--target=NAME)");
    begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    write_file(fuzz_path, bytes, size);
    read_input(chosen);
    return 0;
}

#else

/* Makes the target's well-formed inputs, into a directory or, where that is NULL, into memory. */
static void make_seeds(const fuzz_target *target, const char *to)
{
    static unsigned char bytes[FUZZ_MOST];
    pod_context *context;
    if (pod_context_new(NULL, &context, NULL) != POD_OK)
        fuzz_die(target->name, "no context");
    seed_directory = to;
    seeds_written = 0;
    target->write(context);
    if (seeds_written == 0) /* the target wrote the file itself */
        fuzz_put(bytes, fuzz_load(bytes));
    seed_directory = NULL;
    pod_context_release(context);
}

/* ---- damage ---- */

static const uint64_t tempting[] = {0,          1,          0x7f,       0x80,           0xff,
                                    0x7fff,     0xffff,     0x7fffffff, 0x80000000u,    0xffffffffu,
                                    1ull << 32, 1ull << 62, 1ull << 63, UINT64_MAX - 8, UINT64_MAX};

static size_t damage(unsigned char *bytes, size_t size, pod_random_stream *random)
{
    const size_t at = size > 0 ? (size_t)pod_random_below(random, size) : 0;
    const size_t left = size - at;
    size_t count;
    switch (pod_random_below(random, 7)) {
    case 0: /* a bit */
        if (size > 0)
            bytes[at] ^= (unsigned char)(1u << pod_random_below(random, 8));
        return size;
    case 1: /* a byte */
        if (size > 0)
            bytes[at] = (unsigned char)pod_random_next(random);
        return size;
    case 2: /* a number, in either byte order */
    {
        const uint64_t value = tempting[pod_random_below(random, sizeof tempting / sizeof tempting[0])];
        const size_t wide = (size_t)1 << pod_random_below(random, 4);
        const bool big = pod_random_below(random, 2) == 0;
        for (size_t i = 0; i < wide && i < left; i++)
            bytes[at + i] = (unsigned char)(value >> 8 * (big ? wide - 1 - i : i));
        return size;
    }
    case 3: /* cut the end off */
        return at;
    case 4: /* cut a piece out */
        count = left > 0 ? (size_t)pod_random_below(random, left < 64 ? left : 64) : 0;
        memmove(bytes + at, bytes + at + count, left - count);
        return size - count;
    case 5: /* double a piece */
        count = left > 0 ? (size_t)pod_random_below(random, left < 64 ? left : 64) : 0;
        if (size + count > FUZZ_MOST)
            return size;
        memmove(bytes + at + count, bytes + at, left);
        return size + count;
    default: /* copy a piece elsewhere */
        count = left > 0 ? (size_t)pod_random_below(random, left < 16 ? left : 16) : 0;
        if (size > count)
            memmove(bytes + pod_random_below(random, size - count), bytes + at, count);
        return size;
    }
}

/* ---- many of them ---- */

static void add_inputs(const char *from)
{
    char path[1024];
    unsigned char bytes[FUZZ_MOST];
    DIR *list = opendir(from);
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", from, entry->d_name);
        add_input(bytes, load_file(path, bytes));
    }
    if (list != NULL)
        closedir(list);
}

/* Until `most` were read, or `seconds` are over. */
static void damage_all(const fuzz_target *target, uint64_t most, long seconds, uint64_t seed)
{
    static unsigned char bytes[FUZZ_MOST];
    const time_t end = time(NULL) + seconds;
    uint64_t count = 0;
    for (size_t i = 0; i < input_count; i++) {
        write_file(fuzz_path, inputs[i], sizes[i]);
        read_input(target);
    }
    for (; count < most && (seconds == 0 || time(NULL) < end); count++) {
        pod_random_stream random;
        pod_random_stream_init(&random, seed, count);
        const size_t which = (size_t)pod_random_below(&random, input_count);
        size_t size = sizes[which];
        memcpy(bytes, inputs[which], size);
        for (uint64_t changes = 1 + pod_random_below(&random, 4); changes > 0; changes--)
            size = damage(bytes, size, &random);
        write_file(fuzz_path, bytes, size);
        read_input(target);
    }
    printf("%-18s %llu inputs\n", target->name, (unsigned long long)count);
}

static int replay(const fuzz_target *target, int count, char **paths)
{
    static unsigned char bytes[FUZZ_MOST];
    for (int i = 0; i < count; i++) {
        const size_t size = load_file(paths[i], bytes);
        write_file(fuzz_path, bytes, size);
        read_input(target);
    }
    return 0;
}

/* One target a test, which fails by ending the process: the files that are kept, and what is well-formed by now, as
 * files that are older than a format may be refused at their first bytes. */
static int replay_corpus(const char *from)
{
    char path[1024];
    int files = 0, targets = 0;
    for (size_t i = 0; i < LISTS; i++)
        for (const fuzz_target *target = lists[i]; target->name != NULL; target++) {
            snprintf(path, sizeof path, "%s/%s", from, target->name);
            input_count = 0;
            add_inputs(path);
            if (input_count == 0) {
                printf("# %s has no files\nnot ok - corpus of %s\n", path, target->name);
                printf("%d passed, 1 failed\n", files);
                return 1;
            }
            make_seeds(target, NULL);
            for (size_t k = 0; k < input_count; k++) {
                write_file(fuzz_path, inputs[k], sizes[k]);
                read_input(target);
                free(inputs[k]);
            }
            files += (int)input_count;
            targets++;
            printf("ok %d - corpus of %s: %zu inputs\n", targets, target->name, input_count);
        }
    printf("%d passed, 0 failed\n", targets);
    return 0;
}

static int list_targets(void)
{
    for (size_t i = 0; i < LISTS; i++)
        for (const fuzz_target *target = lists[i]; target->name != NULL; target++)
            printf("%s\n", target->name);
    return 0;
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "list") == 0)
        return list_targets();
    if (argc == 3 && strcmp(command, "corpus") == 0) {
        begin();
        return replay_corpus(argv[2]);
    }
    if (argc < 4) {
        fprintf(stderr, "fuzz: list | seed TARGET DIRECTORY | run TARGET SECONDS DIRECTORY... | "
                        "count TARGET N SEED DIRECTORY... | replay TARGET FILE... | corpus DIRECTORY\n");
        return 2;
    }
    const fuzz_target *target = find(argv[2]);
    begin();
    if (strcmp(command, "seed") == 0) {
        make_seeds(target, argv[3]);
    } else if (strcmp(command, "replay") == 0) {
        return replay(target, argc - 3, argv + 3);
    } else {
        const bool counts = strcmp(command, "count") == 0;
        for (int i = counts ? 5 : 4; i < argc; i++)
            add_inputs(argv[i]);
        if (input_count == 0)
            fuzz_die(target->name, "there are no inputs to damage");
        damage_all(target, counts ? strtoull(argv[3], NULL, 10) : UINT64_MAX, counts ? 0 : atol(argv[3]),
                   counts ? strtoull(argv[4], NULL, 10) : 1);
    }
    return 0;
}

#endif
