/* test_file_faults - saving and loading without Lua with each allocation failing, once and from one on, and under
 * limits of memory: nothing leaks, what fails says so, and an older file stays whole. Prints how many faults there
 * were. */

#include "test.h"

#include <string.h>

#include "exported_cases.h"
#include "faulty.h"
#include "moonpod/exported.h"
#include "test_path.h"

enum { COUNT = 300 };

/* A kind of file: `save` writes what `version` (1 or 2) says, `load` gives a number that tells which it was. */
typedef struct file_kind {
    const char *name;
    pod_status (*save)(pod_context *context, const char *path, int version, pod_error *error);
    pod_status (*load)(pod_context *context, const char *path, double *version, pod_error *error);
} file_kind;

/* ---- kinds ---- */

static pod_status new_numbers(pod_context *context, int version, pod_buffer **buffer, pod_error *error)
{
    const pod_status status = pod_buffer_new(context, POD_F32, &(pod_shape){2, {COUNT, 2}}, buffer, error);
    for (int i = 0; status == POD_OK && i < 2 * COUNT; i++)
        ((float *)pod_buffer_data(*buffer))[i] = (float)version;
    return status;
}

static double version_of(pod_buffer *buffer)
{
    const float *values = pod_buffer_data(buffer);
    for (int i = 1; i < 2 * COUNT; i++)
        if (!(values[i] == values[0]))
            return NAN; /* of two files */
    return (double)values[0];
}

static pod_status save_bytes(pod_context *context, const char *path, int version, pod_error *error)
{
    unsigned char bytes[5000];
    memset(bytes, version, sizeof bytes);
    return pod_file_write(context, path, bytes, sizeof bytes, error);
}

static pod_status load_bytes(pod_context *context, const char *path, double *version, pod_error *error)
{
    pod_bytes bytes;
    const pod_status status = pod_file_read(context, path, &bytes, error);
    if (status == POD_OK) {
        const unsigned char *content = bytes.data;
        *version = bytes.size == 5000 && content[0] == content[4999] ? content[0] : NAN;
        pod_bytes_free(context, &bytes);
    }
    return status;
}

static pod_status save_npy(pod_context *context, const char *path, int version, pod_error *error)
{
    pod_buffer *buffer = NULL;
    pod_status status = new_numbers(context, version, &buffer, error);
    if (status == POD_OK)
        status = pod_npy_write(context, path, buffer, error);
    pod_buffer_release(buffer);
    return status;
}

static pod_status load_npy(pod_context *context, const char *path, double *version, pod_error *error)
{
    pod_buffer *buffer;
    const pod_status status = pod_npy_read(context, path, &buffer, error);
    if (status == POD_OK) {
        *version = version_of(buffer);
        pod_buffer_release(buffer);
    }
    return status;
}

typedef pod_status write_list(pod_context *context, const char *path, const pod_buffer_list *list, pod_error *error);

static pod_status save_list(pod_context *context, const char *path, int version, write_list *write, pod_error *error)
{
    static const char *const texts[] = {"format", "moonpod", "kind", "weights", "version", "1.0"};
    pod_named_buffer entries[] = {{(char *)(uintptr_t) "net/w", NULL}, {(char *)(uintptr_t) "net/b", NULL}};
    const pod_buffer_list list = {.count = 2, .entries = entries, .text_count = 3, .texts = (char **)(uintptr_t)texts};
    pod_status status = new_numbers(context, version, &entries[0].buffer, error);
    if (status == POD_OK)
        status = new_numbers(context, version, &entries[1].buffer, error);
    if (status == POD_OK)
        status = write(context, path, &list, error);
    pod_buffer_release(entries[0].buffer);
    pod_buffer_release(entries[1].buffer);
    return status;
}

typedef pod_status read_list(pod_context *context, const char *path, pod_buffer_list *list, pod_error *error);

static pod_status load_list(pod_context *context, const char *path, double *version, read_list *read, pod_error *error)
{
    pod_buffer_list list;
    const pod_status status = read(context, path, &list, error);
    if (status != POD_OK)
        return status;
    *version = NAN;
    if (list.count == 2 && version_of(list.entries[0].buffer) == version_of(list.entries[1].buffer))
        *version = version_of(list.entries[0].buffer);
    pod_buffer_list_clear(&list);
    return status;
}

static pod_status write_npz(pod_context *context, const char *path, const pod_buffer_list *list, pod_error *error)
{
    return pod_npz_write(context, path, list, true, error);
}

/* Its texts are attributes: those of a list of weights are none. */
static pod_status write_hdf5(pod_context *context, const char *path, const pod_buffer_list *list, pod_error *error)
{
    pod_buffer_list arrays = *list;
    arrays.text_count = 0;
    return pod_hdf5_write(context, path, &arrays, error);
}

static pod_status read_hdf5(pod_context *context, const char *path, pod_buffer_list *list, pod_error *error)
{
    return pod_hdf5_read(context, path, NULL, list, error);
}

/* By a thread of its own. */
static pod_status write_beside(pod_context *context, const char *path, const pod_buffer_list *list, pod_error *error)
{
    pod_pending_file *file;
    pod_status status = pod_safetensors_begin(context, path, list, NULL, &file, error);
    if (status != POD_OK)
        return status;
    status = pod_pending_file_wait(file, error);
    pod_pending_file_release(file);
    return status;
}

#define SAVE(NAME, WRITE)                                                                                              \
    static pod_status NAME(pod_context *context, const char *path, int version, pod_error *error)                      \
    {                                                                                                                  \
        return save_list(context, path, version, WRITE, error);                                                        \
    }
#define LOAD(NAME, READ)                                                                                               \
    static pod_status NAME(pod_context *context, const char *path, double *version, pod_error *error)                  \
    {                                                                                                                  \
        return load_list(context, path, version, READ, error);                                                         \
    }

SAVE(save_npz, write_npz)
SAVE(save_hdf5, write_hdf5)
SAVE(save_weights, pod_safetensors_write)
SAVE(save_beside, write_beside)
LOAD(load_npz, pod_npz_read)
LOAD(load_hdf5, read_hdf5)
LOAD(load_safetensors, pod_safetensors_read)
LOAD(load_weights, pod_weights_read)

/* An exported program: the second version counts its runs. */
static pod_status save_exported(pod_context *context, const char *path, int version, pod_error *error)
{
    if (exported_write_valid(context, path, version == 2))
        return POD_OK;
    *error = (pod_error){.status = POD_ERROR_MEMORY, .message = "no memory: a helper of tests keeps no error"};
    return POD_ERROR_MEMORY;
}

static pod_status load_exported(pod_context *context, const char *path, double *version, pod_error *error)
{
    pod_exported *net;
    float x[2 * EXPORTED_IN] = {1, 2, 3, 4, 5, 6}, y[2 * EXPORTED_OUT];
    const void *inputs[] = {x};
    void *outputs[] = {y};
    pod_status status = pod_exported_open(context, path, &net, error);
    if (status != POD_OK)
        return status;
    status = pod_exported_run(net, 2, inputs, outputs, error);
    *version = pod_exported_describe(net).keeps_state ? 2 : 1;
    pod_exported_close(net);
    return status;
}

static const file_kind kinds[] = {
    {"bytes", save_bytes, load_bytes},
    {"NPY", save_npy, load_npy},
    {"NPZ", save_npz, load_npz},
    {"HDF5", save_hdf5, load_hdf5},
    {"safetensors by a thread", save_beside, load_safetensors},
    {"weights", save_weights, load_weights},
    {"exported program", save_exported, load_exported},
};

/* ---- faults ---- */

typedef struct tally {
    long faults, refused;
} tally;

static pod_context *new_context(faulty *allocator)
{
    pod_context *context = NULL;
    pod_error error;
    const pod_context_options options = {
        .allocator = {faulty_resize, allocator}, .threads = 2, .memory_limit = allocator->limit};
    return pod_context_new(&options, &context, &error) == POD_OK ? context : NULL;
}

/* Which version is there, by a context that has all memory. */
static double version_there(const file_kind *kind, const char *path)
{
    faulty allocator = {.first = -1, .last = -1};
    pod_context *context = new_context(&allocator);
    pod_error error;
    double version = NAN;
    ASSERT_OK(kind->load(context, path, &version, &error));
    pod_context_release(context);
    ASSERT_EQ(0, atomic_load(&allocator.live));
    return version;
}

static void save_whole(const file_kind *kind, const char *path, int version)
{
    faulty allocator = {.first = -1, .last = -1};
    pod_context *context = new_context(&allocator);
    pod_error error;
    ASSERT_OK(kind->save(context, path, version, &error));
    pod_context_release(context);
}

/* Saves the second version over the first, or loads the first, with an allocator that fails. Returns what came of it;
 * whatever that is, the file is whole and nothing is held. */
static pod_status try(const file_kind *kind, const char *path, bool saves, faulty *allocator)
{
    pod_error error = {0};
    double version = NAN;
    pod_status status = POD_ERROR_MEMORY;
    pod_context *context = new_context(allocator);
    if (context != NULL) {
        status = saves ? kind->save(context, path, 2, &error) : kind->load(context, path, &version, &error);
        pod_context_release(context);
        if (status != POD_OK && (status != POD_ERROR_MEMORY || strstr(error.message, "memory") == NULL))
            FAIL("%s: allocation %ld fails: %s: %s", kind->name, allocator->first, pod_status_name(status),
                 error.message);
    }
    if (atomic_load(&allocator->live) != 0)
        FAIL("%s: allocation %ld fails: %ld blocks leak", kind->name, allocator->first, atomic_load(&allocator->live));
    if (saves)
        ASSERT_NUMBER(status == POD_OK ? 2 : 1, version_there(kind, path));
    else if (status == POD_OK)
        ASSERT_NUMBER(1, version);
    return status;
}

/* `count` allocations fail from the first, the second, ... on, until no fault is reached. */
static void sweep(const file_kind *kind, const char *path, bool saves, long count, tally *t)
{
    save_whole(kind, path, 1);
    for (long first = 0;; first++) {
        faulty allocator = {.first = first, .last = first + count - 1};
        const pod_status status = try(kind, path, saves, &allocator);
        if (saves && status == POD_OK)
            save_whole(kind, path, 1);
        if (atomic_load(&allocator.calls) <= first)
            break;
        t->faults++;
        t->refused += status != POD_OK;
        ASSERT(first < 20000);
    }
}

TEST(each_allocation_of_saving_and_loading_may_fail)
{
    char path[256];
    test_path(path, sizeof path, "file-faults");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int saves = 0; saves < 2; saves++) {
            tally t = {0};
            sweep(&kinds[i], path, saves, 1, &t);
            sweep(&kinds[i], path, saves, 1000000, &t);
            ASSERT(t.faults > 4 && t.refused > 4);
            printf("%s, %s: %ld faults: %ld refused with an error, %ld did without; the file was whole each time\n",
                   kinds[i].name, saves ? "saved" : "loaded", t.faults, t.refused, t.faults - t.refused);
        }
    unlink(path);
}

TEST(any_limit_of_memory_is_kept_by_saving_and_loading)
{
    char path[256];
    test_path(path, sizeof path, "file-limits");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int saves = 0; saves < 2; saves++) {
            tally t = {0};
            save_whole(&kinds[i], path, 1);
            faulty allocator = {.first = -1, .last = -1};
            ASSERT_EQ(POD_OK, try(&kinds[i], path, saves, &allocator));
            const uint64_t enough = allocator.peak;
            pod_status status = POD_ERROR_MEMORY;
            for (uint64_t limit = 500; status != POD_OK; limit += enough / 40 + 7) {
                ASSERT(limit < 2 * enough + 4096);
                if (saves)
                    save_whole(&kinds[i], path, 1);
                allocator = (faulty){.first = -1, .last = -1, .limit = limit};
                status = try(&kinds[i], path, saves, &allocator);
                ASSERT(allocator.peak <= limit);
                t.faults++;
                t.refused += status != POD_OK;
            }
            ASSERT(t.refused > 2);
            printf("%s, %s: %ld limits that were too low, then one that was enough, of %llu bytes\n", kinds[i].name,
                   saves ? "saved" : "loaded", t.refused, (unsigned long long)enough);
        }
    unlink(path);
}

TEST_MAIN(RUN(each_allocation_of_saving_and_loading_may_fail); RUN(any_limit_of_memory_is_kept_by_saving_and_loading))
