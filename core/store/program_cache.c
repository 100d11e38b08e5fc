/*
 * program_cache - a directory of compiled programs, one file each, named by the key of its graph. Files are written
 * whole or not at all, so that any number of processes may use one directory. A file that is no good is left out
 * and written anew; those that nobody used for the longest time go first when there are too many bytes.
 */

#include "store/stored.h"

#include "base/error.h"
#include "formats/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define SUFFIX         ".program"
#define DEFAULT_BYTES  ((uint64_t)256 << 20)
#define ABANDONED_AGE  3600 /* seconds after which a file that was never completed is deleted */
#define MOST_FILE_PART 4    /* a file may be this part of the cache at most */

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
    return join(context, pod_context_cache_directory(context), name);
}

/* Makes a directory and those above it, for this user alone. */
static void make_directory(pod_context *context, const char *path)
{
    uv_fs_t request;
    char *part = pod_copy_text(context, path);
    for (char *at = part; at && *at; at++) {
        if (*at != '/' || at == part)
            continue;
        *at = '\0';
        (void)uv_fs_mkdir(NULL, &request, part, 0700, NULL);
        uv_fs_req_cleanup(&request);
        *at = '/';
    }
    (void)uv_fs_mkdir(NULL, &request, path, 0700, NULL);
    uv_fs_req_cleanup(&request);
    pod_free(context, part);
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
    size_t count, capacity;
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
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        cached_file *larger = pod_reallocate(list->context, list->files,
                                             capacity * sizeof *larger);
        if (!larger)
            return false;
        list->files = larger;
        list->capacity = capacity;
    }
    list->files[list->count++] = (cached_file){path, stat->st_size, stat->st_mtim.tv_sec,
                                               stat->st_mtim.tv_nsec};
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
    if (uv_fs_lstat(NULL, &request, path, NULL) == 0 &&
        (request.statbuf.st_mode & 0170000) == 0100000) {
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
    const char *directory = pod_context_cache_directory(context);
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
    uint64_t most = pod_context_cache_bytes(context);
    listing list = list_files(context);
    if (list.bytes > most)
        qsort(list.files, list.count, sizeof *list.files, compare_use);
    for (size_t i = 0; i < list.count && list.bytes > most; i++) {
        delete_file(list.files[i].path);
        list.bytes -= list.files[i].bytes;
        pod_context_count(context, POD_COUNT_EVICTED, 1);
    }
    forget_files(&list);
}

/* ---- loading and storing -------------------------------------------------------------------------------------- */

/* The content of a file; NULL when there is none, or too much of it. */
static unsigned char *read_file(pod_context *context, const char *path, size_t *size)
{
    pod_reader *reader;
    if (pod_reader_open(context, path, POD_COMPRESSION_NONE, &reader, NULL) != POD_OK)
        return NULL;
    *size = (size_t)pod_reader_file_size(reader);
    unsigned char *bytes = *size <= pod_context_cache_bytes(context) / MOST_FILE_PART
                               ? pod_allocate(context, *size)
                               : NULL;
    if (bytes && *size > 0 &&
        pod_reader_read_all(reader, bytes, *size, "a program", NULL) != POD_OK) {
        pod_free(context, bytes);
        bytes = NULL;
    }
    pod_reader_close(reader);
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

pod_program *pod_program_cache_load(pod_context *context, const pod_stored_target *target)
{
    pod_program *program = NULL;
    const char *what = NULL;
    size_t size;
    char *path = path_of(context, &target->key);
    unsigned char *bytes = path ? read_file(context, path, &size) : NULL;
    if (bytes) {
        program = pod_program_from_bytes(context, target, bytes, size, &what);
        pod_context_count(context, program ? POD_COUNT_LOADED : POD_COUNT_REJECTED, 1);
        if (program)
            touch(path);
        else
            pod_log(context, POD_LOG_WARNING,
                    "%s: the cached program is not used: %s; it is compiled and written anew", path,
                    what ? what : "it is no good");
    }
    pod_free(context, bytes);
    pod_free(context, path);
    return program;
}

static pod_status write_file(pod_context *context, const char *path, const unsigned char *bytes,
                             size_t size, pod_error *error)
{
    pod_writer *writer;
    pod_status status = pod_writer_open(context, path, POD_COMPRESSION_NONE, POD_WRITE_WHOLE,
                                        &writer, error);
    if (status != POD_OK)
        return status;
    status = pod_writer_write(writer, bytes, size, error);
    if (status == POD_OK)
        return pod_writer_commit(writer, error);
    pod_writer_abandon(writer);
    return status;
}

void pod_program_cache_store(pod_program *program, const pod_stored_target *target)
{
    pod_context *context = program->context;
    pod_error error;
    const char *what;
    size_t size;
    char *path = path_of(context, &target->key);
    unsigned char *bytes = path ? pod_program_to_bytes(program, target, &size, &what) : NULL;
    if (path && !bytes) {
        pod_log(context, POD_LOG_WARNING, "%s: the program is not kept: %s", path, what);
    } else if (bytes && size <= pod_context_cache_bytes(context) / MOST_FILE_PART) {
        pod_status status = write_file(context, path, bytes, size, &error);
        if (status == POD_ERROR_NOT_FOUND) {
            make_directory(context, pod_context_cache_directory(context));
            status = write_file(context, path, bytes, size, &error);
        }
        if (status == POD_OK && pod_context_cache_grew(context, size))
            evict(context);
        if (status != POD_OK)
            pod_log(context, POD_LOG_WARNING, "the program is not kept: %s", error.message);
        pod_context_count(context, POD_COUNT_STORED, status == POD_OK);
    }
    pod_free(context, bytes);
    pod_free(context, path);
}

/* ---- public -------------------------------------------------------------------------------------------------------- */

pod_status pod_context_set_program_cache(pod_context *context, const char *directory,
                                         uint64_t most_bytes, pod_error *error)
{
    if (directory && !*directory)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the directory of the program cache has no "
                                                        "name; NULL switches the cache off");
    if (!pod_context_set_cache(context, directory, most_bytes ? most_bytes : DEFAULT_BYTES))
        return pod_error_memory(error, "the name of a directory", strlen(directory) + 1);
    return POD_OK;
}

pod_program_cache_stats pod_context_program_cache(pod_context *context)
{
    pod_program_cache_stats stats = {
        .directory = pod_context_cache_directory(context),
        .compiled = pod_context_counted(context, POD_COUNT_COMPILED),
        .loaded = pod_context_counted(context, POD_COUNT_LOADED),
        .stored = pod_context_counted(context, POD_COUNT_STORED),
        .rejected = pod_context_counted(context, POD_COUNT_REJECTED),
        .evicted = pod_context_counted(context, POD_COUNT_EVICTED),
        .most_bytes = pod_context_cache_bytes(context),
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
    if (!pod_context_cache_directory(context))
        return 0;
    listing list = list_files(context);
    uint64_t count = list.count;
    for (size_t i = 0; i < list.count; i++)
        delete_file(list.files[i].path);
    forget_files(&list);
    return count;
}
