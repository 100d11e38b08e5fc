/* context - see context.h. Here: memory, numbers and flags; context_new.c makes contexts. */

#include "base/checked.h"
#include "base/context_parts.h"
#include "base/system/system.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define ALIGNMENT      64
#define UNPACKED_BYTES ((uint64_t)1 << 30)

/* ---- memory ---------------------------------------------------------------------------------- */

/* Stands right before each block. */
typedef struct block_header {
    void *raw;   /* what the allocator gave */
    size_t size; /* asked from the allocator */
} block_header;

_Static_assert(sizeof(block_header) <= 16, "a header fits before the first aligned address");

static block_header *header_of(void *pointer)
{
    return (block_header *)pointer - 1;
}

size_t pod_block_bytes(const void *pointer)
{
    return pointer ? ((const block_header *)pointer - 1)->size : 0;
}

/* The allocator aligns to 16 at least: header and alignment need 64 bytes at most. */
size_t pod_block_bytes_for(size_t size)
{
    return size + sizeof(block_header) + ALIGNMENT - 1;
}

bool pod_context_count_taken(pod_context *context, size_t size)
{
    const uint64_t limit = atomic_load_explicit(&context->memory_limit, memory_order_relaxed);
    const uint64_t now = atomic_fetch_add_explicit(&context->current_bytes, size, memory_order_relaxed) + size;
    if (limit > 0 && now > limit) {
        atomic_fetch_sub_explicit(&context->current_bytes, size, memory_order_relaxed);
        return false;
    }
    uint64_t peak = atomic_load_explicit(&context->peak_bytes, memory_order_relaxed);
    while (peak < now && !atomic_compare_exchange_weak_explicit(&context->peak_bytes, &peak, now, memory_order_relaxed,
                                                                memory_order_relaxed)) {
    }
    atomic_fetch_add_explicit(&context->allocations, 1, memory_order_relaxed);
    return true;
}

void *pod_allocate(pod_context *context, size_t size)
{
    if (size > SIZE_MAX - 2 * ALIGNMENT)
        return NULL;
    const size_t asked = pod_block_bytes_for(size);
    if (!pod_context_count_taken(context, asked))
        return NULL;
    char *raw = context->allocator.resize(context->allocator.context, NULL, 0, asked);
    if (!raw) {
        atomic_fetch_sub_explicit(&context->current_bytes, asked, memory_order_relaxed);
        return NULL;
    }
    const uintptr_t first = (uintptr_t)raw + sizeof(block_header);
    char *pointer = raw + sizeof(block_header) + (-first & (ALIGNMENT - 1));
    *header_of(pointer) = (block_header){raw, asked};
    return pointer;
}

void *pod_allocate_zeroed(pod_context *context, size_t count, size_t size)
{
    size_t bytes;
    if (pod_multiply_overflows(count, size, &bytes))
        return NULL;
    void *pointer = pod_allocate(context, bytes);
    if (pointer)
        memset(pointer, 0, bytes);
    return pointer;
}

/* Bytes that fit a block from its aligned start. */
static size_t room_of(void *pointer)
{
    const block_header *header = header_of(pointer);
    return header->size - (size_t)((char *)pointer - (char *)header->raw);
}

void *pod_reallocate(pod_context *context, void *pointer, size_t size)
{
    void *moved = pod_allocate(context, size);
    if (!moved || !pointer)
        return moved;
    const size_t old_room = room_of(pointer);
    memcpy(moved, pointer, old_room < size ? old_room : size);
    pod_free(context, pointer);
    return moved;
}

void pod_free(pod_context *context, void *pointer)
{
    if (!pointer)
        return;
    const block_header header = *header_of(pointer);
    atomic_fetch_sub_explicit(&context->current_bytes, header.size, memory_order_relaxed);
    context->allocator.resize(context->allocator.context, header.raw, header.size, 0);
}

char *pod_copy_text(pod_context *context, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = pod_allocate(context, size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

pod_status pod_error_memory(pod_error *error, const char *what, size_t bytes)
{
    if (bytes == 0)
        return pod_error_set(error, POD_ERROR_MEMORY, "there is no memory for %s", what);
    return pod_error_set(error, POD_ERROR_MEMORY, "%s needs %zu bytes, and there is no memory", what, bytes);
}

pod_status pod_error_or_memory(pod_error *error, const char *what)
{
    return error->status != POD_OK ? error->status : pod_error_memory(error, what, 0);
}

pod_memory_stats pod_context_memory(const pod_context *context)
{
    return (pod_memory_stats){
        atomic_load_explicit(&context->current_bytes, memory_order_relaxed),
        atomic_load_explicit(&context->peak_bytes, memory_order_relaxed),
        atomic_load_explicit(&context->allocations, memory_order_relaxed),
    };
}

/* ---- life ------------------------------------------------------------------------------------ */

pod_context *pod_context_retain(pod_context *context)
{
    atomic_fetch_add_explicit(&context->shares, 1, memory_order_relaxed);
    return context;
}

void pod_context_release(pod_context *context)
{
    if (!context || atomic_fetch_sub_explicit(&context->shares, 1, memory_order_acq_rel) != 1)
        return;
    context->end_workers(context, context->workers);
    pod_recorder *recorder = pod_context_kept_recorder(context);
    if (recorder)
        context->end_recorder(context, recorder);
    pod_free(context, context->files);
    pod_context *parent = context->parent, *account = context->account;
    const pod_allocator allocator = context->allocator;
    pod_kept_blocks_end(&context->kept);
    if (allocator.context == &context->kept)
        free(context);
    else
        allocator.resize(allocator.context, context, sizeof *context, 0);
    pod_context_release(parent);
    pod_context_release(account);
}

uint64_t pod_context_next_number(pod_context *context)
{
    return atomic_fetch_add_explicit(&pod_context_root(context)->numbers, 1, memory_order_relaxed) + 1;
}

/* ---- the recorder ------------------------------------------------------------------------------ */

pod_recorder *pod_context_recorder(const pod_context *context)
{
    return atomic_load_explicit(&context->recorder, memory_order_acquire);
}

pod_recorder *pod_context_kept_recorder(const pod_context *context)
{
    return atomic_load_explicit(&context->kept_recorder, memory_order_acquire);
}

void pod_context_keep_recorder(pod_context *context, pod_recorder *recorder,
                               void (*end)(pod_context *context, pod_recorder *recorder))
{
    context->end_recorder = end;
    atomic_store_explicit(&context->kept_recorder, recorder, memory_order_release);
}

void pod_context_switch_recorder(pod_context *context, bool on)
{
    atomic_store_explicit(&context->recorder, on ? pod_context_kept_recorder(context) : NULL, memory_order_release);
}

/* ---- ranks ------------------------------------------------------------------------------------- */

struct pod_ranks *pod_context_ranks(const pod_context *context)
{
    return atomic_load_explicit(&pod_context_root(context)->ranks, memory_order_acquire);
}

void pod_context_set_ranks(pod_context *context, struct pod_ranks *ranks)
{
    atomic_store_explicit(&pod_context_root(context)->ranks, ranks, memory_order_release);
}

/* ---- settings -------------------------------------------------------------------------------- */

int pod_context_threads(const pod_context *context)
{
    return atomic_load(&context->threads);
}

pod_status pod_context_set_threads(pod_context *context, int threads, pod_error *error)
{
    if (threads < 1 || threads > POD_THREADS_LIMIT)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the number of threads is %d; it must be 1 to %d", threads,
                             POD_THREADS_LIMIT);
    atomic_store(&context->threads, threads);
    return POD_OK;
}

pod_status pod_context_set_nice(pod_context *context, int nice, pod_error *error)
{
    if (nice < 0 || nice > 19)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "threads cannot have a nice of %d; it must be 0 to 19", nice);
    atomic_store(&context->nice, nice);
    return POD_OK;
}

int pod_context_nice(const pod_context *context)
{
    return atomic_load_explicit(&context->nice, memory_order_relaxed);
}

pod_status pod_context_set_flush_subnormals(pod_context *context, bool flush, pod_error *error)
{
    if (flush && !POD_CPU_FLUSHES)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "subnormal numbers cannot be flushed on this kind of CPU");
    atomic_store(&context->flushes_subnormals, flush);
    return POD_OK;
}

bool pod_context_flushes_subnormals(const pod_context *context)
{
    return atomic_load_explicit(&context->flushes_subnormals, memory_order_relaxed);
}

const char *pod_context_isa(const pod_context *context)
{
    return pod_cpu_family_name(context->family);
}

int64_t pod_context_short_run(const pod_context *context)
{
    return context->short_run;
}

uint64_t pod_context_unpacked_bytes(const pod_context *context)
{
    return atomic_load_explicit(&context->unpacked_bytes, memory_order_relaxed);
}

void pod_context_set_unpacked_bytes(pod_context *context, uint64_t bytes)
{
    atomic_store(&context->unpacked_bytes, bytes > 0 ? bytes : UNPACKED_BYTES);
}

void pod_context_interrupt(pod_context *context)
{
    atomic_store(&context->interrupted, true);
}

bool pod_context_clear_interrupt(pod_context *context)
{
    return atomic_exchange(&context->interrupted, false);
}

void pod_context_yield(pod_context *context)
{
    atomic_store(&context->yields, true);
}

bool pod_context_clear_yield(pod_context *context)
{
    return atomic_exchange(&context->yields, false);
}

bool pod_context_yields(const pod_context *context)
{
    return atomic_load_explicit(&context->yields, memory_order_relaxed);
}

uint64_t pod_context_time_left(const pod_context *context)
{
    context = pod_context_root(context);
    const uint64_t own = atomic_load_explicit(&context->deadline, memory_order_relaxed);
    const uint64_t shared =
        context->account ? atomic_load_explicit(&context->account->deadline, memory_order_relaxed) : 0;
    const uint64_t deadline = own == 0 || (shared != 0 && shared < own) ? shared : own;
    const uint64_t now = deadline ? uv_hrtime() : 0;
    return deadline == 0 ? UINT64_MAX : deadline > now ? deadline - now : 0;
}

bool pod_context_is_interrupted(const pod_context *context)
{
    return atomic_load_explicit(&context->interrupted, memory_order_relaxed) || pod_context_time_left(context) == 0;
}

bool pod_context_is_guest(const pod_context *context)
{
    return pod_context_root(context)->account != NULL;
}

void pod_context_set_deadline(pod_context *context, uint64_t nanoseconds)
{
    atomic_store(&pod_context_root(context)->deadline, nanoseconds ? uv_hrtime() + nanoseconds : 0);
}

void pod_context_set_memory_limit(pod_context *context, uint64_t bytes)
{
    atomic_store(&pod_context_root(context)->memory_limit, bytes);
}

uint64_t pod_context_memory_limit(const pod_context *context)
{
    return atomic_load_explicit(&pod_context_root(context)->memory_limit, memory_order_relaxed);
}

/* ---- files ----------------------------------------------------------------------------------- */

const char *pod_context_files(const pod_context *context)
{
    return pod_context_root(context)->files;
}

static bool lies_within(const char *folder, const char *root)
{
    const size_t length = strlen(root);
    return strcmp(root, "/") == 0 ||
           (strncmp(folder, root, length) == 0 && (folder[length] == '/' || folder[length] == '\0'));
}

pod_status pod_context_set_files(pod_context *context, const char *folder, pod_error *error)
{
    context = pod_context_root(context);
    uv_fs_t request = {0};
    const int result = *folder ? uv_fs_realpath(NULL, &request, folder, NULL) : 0;
    const char *real = *folder && result == 0 ? request.ptr : "";
    if (*real)
        pod_system_use_slashes(request.ptr);
    char *copy = NULL;
    pod_status status = POD_OK;
    if (result < 0)
        status = pod_error_set(error, POD_ERROR_IO, "option 'files': there is no folder '%.400s': %s", folder,
                               uv_strerror(result));
    else if (context->files && *real && (!*context->files || !lies_within(real, context->files)))
        status = pod_error_set(error, POD_ERROR_STATE, "option 'files' is '%.300s' already: '%.300s' is not within it",
                               context->files, folder);
    else if (!(copy = pod_copy_text(context, real)))
        status = pod_error_memory(error, "the name of a folder", strlen(real) + 1);
    if (*folder)
        uv_fs_req_cleanup(&request);
    if (status != POD_OK)
        return status;
    pod_free(context, context->files);
    context->files = copy;
    return POD_OK;
}

/* ---- what others keep ------------------------------------------------------------------------ */

pod_context *pod_context_root(const pod_context *context)
{
    while (context->parent)
        context = context->parent;
    return (pod_context *)(uintptr_t)context;
}

struct pod_workers *pod_context_workers(const pod_context *context)
{
    return context->workers;
}

void pod_log(pod_context *context, pod_log_level level, const char *format, ...)
{
    if (!context->log)
        return;
    pod_error text; /* cut like an error's message */
    va_list arguments;
    va_start(arguments, format);
    pod_error_set_va(&text, POD_OK, format, arguments);
    va_end(arguments);
    context->log(context->log_context, level, text.message);
}
