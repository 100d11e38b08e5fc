/*
 * program_cache - a directory of compiled programs, one file each, named by the key of its graph. Files are written
 * whole or not at all, so that any number of processes may use one directory. A file that is no good is left out
 * and written anew; those that nobody used for the longest time go first when there are too many bytes.
 */

#include "base/growth.h"
#include "store/stored.h"

#include "base/error.h"
#include "formats/writer.h"
#include "moonpod/formats.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define SUFFIX         ".program"
#define DEFAULT_BYTES  ((uint64_t)256 << 20)
#define ABANDONED_AGE  3600 /* seconds after which a file that was never completed is deleted */
#define MOST_FILE_PART 4    /* a file may be this part of the cache at most */
#define FOR_THIS_USER  0700

/* ---- state ------------------------------------------------------------------------------------------------ */

typedef enum counted {
    COUNT_COMPILED, /* programs that were compiled here */
    COUNT_LOADED,   /* that came from the cache */
    COUNT_STORED,
    COUNT_REJECTED, /* files that were no good */
    COUNT_EVICTED,
    COUNT_END
} counted;

typedef struct cache {
    char *directory; /* NULL: none */
    uint64_t most_bytes;
    _Atomic uint64_t growth; /* bytes until the files are looked at again */
    _Atomic uint64_t counts[COUNT_END];
} cache;

_Static_assert(sizeof(cache) <= sizeof((pod_context_room *)0)->bytes, "a context has room for the state of its cache");

static cache *cache_of(const pod_context *context)
{
    return (cache *)(void *)pod_context_get_room(context)->bytes;
}

static void end_cache(pod_context *root, pod_context_room *room)
{
    (void)room;
    pod_free(root, cache_of(root)->directory);
}

bool pod_store_cache_is_on(const pod_context *context)
{
    return cache_of(context)->directory != NULL;
}

static void add_to(pod_context *context, counted what)
{
    atomic_fetch_add_explicit(&cache_of(context)->counts[what], 1, memory_order_relaxed);
}

void pod_store_cache_count_compiled(pod_context *context)
{
    add_to(context, COUNT_COMPILED);
}

/* Notes that a file was written. Returns whether it is time to look at all of them: so often that they have at most a
 * sixteenth more bytes than they may. */
static bool has_grown(cache *own, uint64_t bytes)
{
    uint64_t left = atomic_load_explicit(&own->growth, memory_order_relaxed);
    bool look = bytes > left;
    left = look ? own->most_bytes / 16 : left - bytes;
    atomic_store_explicit(&own->growth, left, memory_order_relaxed);
    return look;
}

/* ---- paths ------------------------------------------------------------------------------------------------ */

/* The caller's, to pod_free(); NULL when there is no memory. */
static char *join(pod_context *context, const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = pod_allocate(context, size);
    if (path)
        snprintf(path, size, "%s/%s", directory, name);
    return path;
}

static char *path_of(pod_context *context, const pod_program_key *key)
{
    char name[2 * sizeof key->bytes + sizeof SUFFIX];
    for (size_t i = 0; i < sizeof key->bytes; i++)
        snprintf(name + 2 * i, 3, "%02x", key->bytes[i]);
    memcpy(name + 2 * sizeof key->bytes, SUFFIX, sizeof SUFFIX);
    return join(context, cache_of(context)->directory, name);
}

/* ---- the files of a directory ---------------------------------------------------------------------------------- */

typedef struct cached_file {
    char *path;
    uint64_t bytes;
    int64_t seconds, nanoseconds; /* when it was last used */
} cached_file;

typedef struct listing {
    pod_context *context;
    cached_file *files;
    size_t count, room;
    uint64_t bytes;
} listing;

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void delete_file(const char *path)
{
    uv_fs_t request;
    (void)uv_fs_unlink(NULL, &request, path, NULL);
    uv_fs_req_cleanup(&request);
}

static bool keep(listing *list, char *path, const uv_stat_t *stat)
{
    if (pod_grow(list->context, &list->files, &list->room, list->count + 1,
                 (pod_growth){sizeof *list->files, .first = 64}, NULL) != POD_OK)
        return false;
    list->files[list->count++] = (cached_file){path, stat->st_size, stat->st_mtim.tv_sec, stat->st_mtim.tv_nsec};
    list->bytes += stat->st_size;
    return true;
}

/* Takes the file into the list when it is a program. One that nobody will complete is deleted. */
static void look_at(listing *list, const char *directory, const char *name)
{
    uv_fs_t request;
    bool program = ends_with(name, SUFFIX), part = strstr(name, SUFFIX ".") != NULL;
    char *path = program || part ? join(list->context, directory, name) : NULL;
    if (!path)
        return;
    bool kept = false;
    if (uv_fs_lstat(NULL, &request, path, NULL) == 0 && (request.statbuf.st_mode & 0170000) == 0100000) {
        uv_timeval64_t now;
        if (program)
            kept = keep(list, path, &request.statbuf);
        else if (ends_with(name, ".part") && uv_gettimeofday(&now) == 0 &&
                 now.tv_sec - request.statbuf.st_mtim.tv_sec > ABANDONED_AGE)
            delete_file(path);
    }
    uv_fs_req_cleanup(&request);
    if (!kept)
        pod_free(list->context, path);
}

static listing list_files(pod_context *context)
{
    listing list = {.context = context};
    const char *directory = cache_of(context)->directory;
    uv_fs_t request;
    uv_dirent_t entry;
    if (uv_fs_scandir(NULL, &request, directory, 0, NULL) >= 0)
        while (uv_fs_scandir_next(&request, &entry) == 0)
            look_at(&list, directory, entry.name);
    uv_fs_req_cleanup(&request);
    return list;
}

static void forget_files(listing *list)
{
    for (size_t i = 0; i < list->count; i++)
        pod_free(list->context, list->files[i].path);
    pod_free(list->context, list->files);
}

static int compare_use(const void *a, const void *b)
{
    const cached_file *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    if (x->nanoseconds != y->nanoseconds)
        return x->nanoseconds < y->nanoseconds ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Deletes what was used least recently until the rest fits. */
static void evict(pod_context *context)
{
    uint64_t most = cache_of(context)->most_bytes;
    listing list = list_files(context);
    if (list.bytes > most)
        qsort(list.files, list.count, sizeof *list.files, compare_use);
    for (size_t i = 0; i < list.count && list.bytes > most; i++) {
        delete_file(list.files[i].path);
        list.bytes -= list.files[i].bytes;
        add_to(context, COUNT_EVICTED);
    }
    forget_files(&list);
}

/* ---- loading and storing -------------------------------------------------------------------------------------- */

/* The content of a file; NULL when there is none, or too much of it. */
static unsigned char *read_file(pod_context *context, const char *path, size_t *size)
{
    pod_reader *reader;
    if (pod_format_reader_open(context, path, POD_COMPRESSION_NONE, &reader, NULL) != POD_OK)
        return NULL;
    *size = (size_t)pod_format_reader_file_size(reader);
    unsigned char *bytes =
        *size <= cache_of(context)->most_bytes / MOST_FILE_PART ? pod_allocate(context, *size) : NULL;
    if (bytes && *size > 0 && pod_format_reader_read_all(reader, bytes, *size, "a program", NULL) != POD_OK) {
        pod_free(context, bytes);
        bytes = NULL;
    }
    pod_format_reader_close(reader);
    return bytes;
}

/* Marks a file as used now. */
static void touch(const char *path)
{
    uv_fs_t request;
    uv_timeval64_t now;
    if (uv_gettimeofday(&now) != 0)
        return;
    double seconds = (double)now.tv_sec + now.tv_usec * 1e-6;
    (void)uv_fs_utime(NULL, &request, path, seconds, seconds, NULL);
    uv_fs_req_cleanup(&request);
}

pod_program *pod_store_cache_load(pod_context *context, const pod_stored_target *target)
{
    pod_program *program = NULL;
    const char *what = NULL;
    size_t size;
    char *path = path_of(context, &target->key);
    unsigned char *bytes = path ? read_file(context, path, &size) : NULL;
    if (bytes) {
        program = pod_store_from_bytes(context, target, bytes, size, &what);
        add_to(context, program ? COUNT_LOADED : COUNT_REJECTED);
        if (program)
            touch(path);
        else
            pod_log(context, POD_LOG_WARNING, "%s: the cached program is not used: %s; it is compiled and written anew",
                    path, what ? what : "it is no good");
    }
    pod_free(context, bytes);
    pod_free(context, path);
    return program;
}

void pod_store_cache_store(pod_program *program, const pod_stored_target *target)
{
    pod_context *context = program->context;
    pod_error error;
    const char *what;
    size_t size;
    char *path = path_of(context, &target->key);
    unsigned char *bytes = path ? pod_store_to_bytes(program, target, &size, &what) : NULL;
    if (path && !bytes) {
        pod_log(context, POD_LOG_WARNING, "%s: the program is not kept: %s", path, what);
    } else if (bytes && size <= cache_of(context)->most_bytes / MOST_FILE_PART) {
        pod_status status = pod_file_write(context, path, bytes, size, &error);
        if (status == POD_ERROR_NOT_FOUND) {
            status = pod_format_make_folders(context, cache_of(context)->directory, FOR_THIS_USER, &error);
            if (status == POD_OK)
                status = pod_file_write(context, path, bytes, size, &error);
        }
        if (status == POD_OK && has_grown(cache_of(context), size))
            evict(context);
        if (status != POD_OK)
            pod_log(context, POD_LOG_WARNING, "the program is not kept: %s", error.message);
        else
            add_to(context, COUNT_STORED);
    }
    pod_free(context, bytes);
    pod_free(context, path);
}

/* ---- public ------------------------------------------------------------------------------------------------------ */

pod_status pod_context_set_program_cache(pod_context *context, const char *directory, uint64_t most_bytes,
                                         pod_error *error)
{
    if (directory && !*directory)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "the directory of the program cache has no "
                             "name; NULL switches the cache off");
    pod_context *root = pod_context_root(context);
    char *copy = NULL;
    const pod_status status = directory ? pod_locate_file(root, directory, &copy, error) : POD_OK;
    if (status != POD_OK)
        return status;
    cache *own = cache_of(root);
    pod_context_get_room(root)->end = end_cache;
    pod_free(root, own->directory);
    own->directory = copy;
    own->most_bytes = most_bytes ? most_bytes : DEFAULT_BYTES;
    atomic_store_explicit(&own->growth, 0, memory_order_relaxed);
    return POD_OK;
}

pod_program_cache_stats pod_context_program_cache(pod_context *context)
{
    const cache *own = cache_of(context);
    pod_program_cache_stats stats = {
        .directory = own->directory,
        .compiled = atomic_load_explicit(&own->counts[COUNT_COMPILED], memory_order_relaxed),
        .loaded = atomic_load_explicit(&own->counts[COUNT_LOADED], memory_order_relaxed),
        .stored = atomic_load_explicit(&own->counts[COUNT_STORED], memory_order_relaxed),
        .rejected = atomic_load_explicit(&own->counts[COUNT_REJECTED], memory_order_relaxed),
        .evicted = atomic_load_explicit(&own->counts[COUNT_EVICTED], memory_order_relaxed),
        .most_bytes = own->most_bytes,
    };
    if (stats.directory) {
        listing list = list_files(context);
        stats.files = list.count;
        stats.bytes = list.bytes;
        forget_files(&list);
    }
    return stats;
}

uint64_t pod_context_clear_program_cache(pod_context *context)
{
    if (!cache_of(context)->directory)
        return 0;
    listing list = list_files(context);
    uint64_t count = list.count;
    for (size_t i = 0; i < list.count; i++)
        delete_file(list.files[i].path);
    forget_files(&list);
    return count;
}
