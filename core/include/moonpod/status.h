#ifndef MOONPOD_STATUS_H
#define MOONPOD_STATUS_H

/*
 * status - results, error messages and the context that everything else is made from.
 *
 * Every function that can fail returns a pod_status and takes, last, a pod_error of the caller's
 * (or NULL). The library never prints, exits or raises signals; it keeps no hidden globals: its
 * memory, threads and log go through a pod_context.
 *
 *     pod_error error;
 *     pod_context *context;
 *     if (pod_context_new(NULL, &context, &error) != POD_OK)
 *         printf("%s: %s\n", pod_status_text(error.status), error.message);
 *     // ...
 *     pod_context_release(context);
 *
 * Threads: a context may be used from any thread. Objects made from it are for one thread at a time
 * unless their header says otherwise.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Around what a public header declares: it is C, also where a file of C++ includes it. */
#ifdef __cplusplus
#define POD_BEGIN_C extern "C" {
#define POD_END_C   }
#else
#define POD_BEGIN_C
#define POD_END_C
#endif

POD_BEGIN_C

#define POD_VERSION_MAJOR 0
#define POD_VERSION_MINOR 1
#define POD_VERSION_PATCH 0

#if defined(__GNUC__)
#define POD_API     __attribute__((visibility("default")))
#define POD_CHECKED __attribute__((warn_unused_result))
#else
#define POD_API
#define POD_CHECKED
#endif

/* X(name, value, text). Zero is success, positive values are ordinary outcomes, negative values are
 * failures. */
#define POD_STATUS_LIST(X)                                                                                             \
    X(POD_OK, 0, "success")                                                                                            \
    X(POD_END, 1, "end of data")                                                                                       \
    X(POD_ERROR_ARGUMENT, -1, "invalid argument")                                                                      \
    X(POD_ERROR_MEMORY, -2, "out of memory")                                                                           \
    X(POD_ERROR_SHAPE, -3, "shapes do not fit")                                                                        \
    X(POD_ERROR_DTYPE, -4, "element types do not fit")                                                                 \
    X(POD_ERROR_VALUE, -5, "value out of range")                                                                       \
    X(POD_ERROR_NOT_FOUND, -6, "not found")                                                                            \
    X(POD_ERROR_IO, -7, "input or output failed")                                                                      \
    X(POD_ERROR_FORMAT, -8, "malformed file or text")                                                                  \
    X(POD_ERROR_STATE, -9, "call not allowed in this state")                                                           \
    X(POD_ERROR_CANCELLED, -10, "cancelled")                                                                           \
    X(POD_ERROR_INTERRUPTED, -11, "interrupted")                                                                       \
    X(POD_ERROR_UNSUPPORTED, -12, "not supported")                                                                     \
    X(POD_ERROR_SYSTEM, -13, "the operating system refused")                                                           \
    X(POD_ERROR_CALLBACK, -14, "a callback failed")

typedef enum pod_status {
#define X(name, value, text) name = value,
    POD_STATUS_LIST(X)
#undef X
} pod_status;

#define POD_ERROR_MESSAGE_SIZE 1024

/* A failure, by value: it is the caller's and may be copied to another thread. After a call that
 * succeeded its content is unspecified. */
typedef struct pod_error {
    pod_status status;
    char message[POD_ERROR_MESSAGE_SIZE]; /* what, where and what to do; NUL-terminated UTF-8 */
} pod_error;

/* Returns the name of a status ("POD_ERROR_SHAPE"); "POD_ERROR_?" for a number that is none. */
POD_API const char *pod_status_name(pod_status status);

/* Returns the short text of a status ("shapes do not fit"). */
POD_API const char *pod_status_text(pod_status status);

/* Returns the version of the library that runs, as major * 10000 + minor * 100 + patch. */
POD_API int pod_version(void);

/* Where memory comes from, in the form of lua_Alloc: new_size 0 frees and returns NULL; pointer NULL
 * allocates; otherwise the block is resized. NULL means that there is no memory, and the old block
 * stays. Blocks must be aligned for max_align_t. Called from any thread. */
typedef struct pod_allocator {
    void *(*resize)(void *context, void *pointer, size_t old_size, size_t new_size);
    void *context; /* borrowed: outlives the pod_context */
} pod_allocator;

typedef enum pod_log_level { POD_LOG_DEBUG, POD_LOG_INFO, POD_LOG_WARNING } pod_log_level;

/* A zero field means its default. */
typedef struct pod_context_options {
    pod_allocator allocator; /* default: malloc */
    /* Receives messages that are no failures, such as a fallback taken; default: dropped. May be
     * called from any thread. */
    void (*log)(void *log_context, pod_log_level level, const char *message);
    void *log_context;       /* borrowed */
    int threads;             /* host threads that run programs, the caller's included; default: the CPUs
                              * this process may use, at most 64 */
    const char *isa;         /* "amx", "avx512bf16", "avx512", "avx2", "neonbf16", "neon" or "portable": the family of
                              * kernels allowed; default: the environment's MOONPOD_ISA, else the best that
                              * the CPU and the system have, but "avx512" where "avx512bf16" is slower (Intel) */
    uint64_t unpacked_bytes; /* most bytes that one record, line, array, archive or picture may become that is
                              * compressed in its file, or comes from a pipe or a device; default 2^30 */
    /* Runs that take less by estimate are done on the caller's thread alone, which wakes and starts no other;
     * negative: none is, so that tests of small programs use threads. Results have the same bits. Default: the
     * environment's MOONPOD_SHORT_RUN (0: none is), else what was measured. */
    int64_t short_run_nanoseconds;
    uint64_t memory_limit; /* most bytes held at once, see pod_context_set_memory_limit(); default: none */
    const char *files;     /* the folder that files must lie in, see pod_context_set_files(); default: any */
    int all_threads;       /* most threads at once, those of pipelines and writers of files and the caller's included:
                            * what finds none left works on the thread that calls; default: no limit */
    struct pod_context *account; /* shared: a context with whose threads this one's are counted, and whose deadline is
                                  * its own, too; default: none */
} pod_context_options;

typedef struct pod_context pod_context;

/* Makes a context. `options` may be NULL. On success *context is shared: end with
 * pod_context_release(); on failure it is NULL. No thread starts before a program first runs. */
POD_API POD_CHECKED pod_status pod_context_new(const pod_context_options *options, pod_context **context,
                                               pod_error *error);

/* Shares a context once more and returns it. */
POD_API pod_context *pod_context_retain(pod_context *context);

/* Ends one share. Objects made from a context share it, so it lives until the last of them is
 * freed; then its threads are joined. NULL is allowed. */
POD_API void pod_context_release(pod_context *context);

/* Returns the number of host threads that run programs, the caller's included. */
POD_API int pod_context_threads(const pod_context *context);

/* Changes the number of host threads from the next run on. 1 to 1024. Where there are as many as CPUs that the calling
 * thread may use, each stays on one of them while a run lasts, and the caller's may use all again behind it (Linux). */
POD_API POD_CHECKED pod_status pod_context_set_threads(pod_context *context, int threads, pod_error *error);

/* Has the threads that are started for programs run below the host's, as nice does: 0 (default), or 1 to 19 more than
 * that of the thread that starts them; from the next run on. The caller's own thread is the host's and stays what it
 * is. A lower number than before may be refused by the system, which the log then tells; where threads have no such
 * number of their own (all but Linux) nothing happens. */
POD_API POD_CHECKED pod_status pod_context_set_nice(pod_context *context, int nice, pod_error *error);

/* Has programs compute with 0 in the place of subnormal numbers (f32 below 2^-126), as a TPU does, from the next run
 * on; default: false. Bits of memory that are only moved stay. Fails with POD_ERROR_UNSUPPORTED where the CPU is
 * neither of x86-64 nor of 64-bit ARM. */
POD_API POD_CHECKED pod_status pod_context_set_flush_subnormals(pod_context *context, bool flush, pod_error *error);

/* Returns the name of the family of kernels in use ("avx512bf16"). */
POD_API const char *pod_context_isa(const pod_context *context);

/* Returns and sets the most bytes of what is unpacked (see pod_context_options); 0: the default. Any thread may
 * call. */
POD_API uint64_t pod_context_unpacked_bytes(const pod_context *context);
POD_API void pod_context_set_unpacked_bytes(pod_context *context, uint64_t bytes);

/* Sets the most bytes that the context and all made from it may hold; 0: no limit. What would need more fails with
 * POD_ERROR_MEMORY, which says what that is, and leaves variables and files whole; what is held already stays. Any
 * thread may call. */
POD_API void pod_context_set_memory_limit(pod_context *context, uint64_t bytes);

/* Returns that limit; 0: none. */
POD_API uint64_t pod_context_memory_limit(const pod_context *context);

/* Makes readers, writers and caches keep to one folder, whatever path they are given: relative paths are then below it,
 * ".." and symbolic links below it are refused. "" allows no file at all. It cannot be widened: a second call names a
 * folder within the first, or "". To be called while no other thread uses the context. */
POD_API POD_CHECKED pod_status pod_context_set_files(pod_context *context, const char *folder, pod_error *error);

/* Returns that folder, its real path; "": no files; NULL: all files. Borrowed until it is set again. */
POD_API const char *pod_context_files(const pod_context *context);

/* From so many nanoseconds on, runs and readers of files stop as if interrupted, and a run whose steps would surely
 * take longer is refused; 0: never. Any thread may call. */
POD_API void pod_context_set_deadline(pod_context *context, uint64_t nanoseconds);

/* Asks every running program of this context to stop after its current step and readers of files to give up, or raises
 * again an interrupt that is pending. Async-signal-safe; may be called from any thread and from a signal
 * handler. */
POD_API void pod_context_interrupt(pod_context *context);

/* Takes back a pending interrupt; returns whether there was one. */
POD_API bool pod_context_clear_interrupt(pod_context *context);

/* Asks slices of time (pod_run_step_for() with a time) that are under way, or that begin, to end at the next border of
 * phases, until pod_context_clear_yield(): somebody waits, a key was pressed. Async-signal-safe; may be called from any
 * thread and from a signal handler. */
POD_API void pod_context_yield(pod_context *context);

/* Returns whether that was asked for: who gives slices one after the other goes on with something else. */
POD_API bool pod_context_yields(const pod_context *context);

/* Takes it back; returns whether it was asked for. */
POD_API bool pod_context_clear_yield(pod_context *context);

typedef struct pod_memory_stats {
    uint64_t current_bytes; /* held from the allocator now */
    uint64_t peak_bytes;    /* the most ever held */
    uint64_t allocations;   /* blocks ever taken */
} pod_memory_stats;

/* Returns what the context and all made from it hold. May be called from any thread. */
POD_API pod_memory_stats pod_context_memory(const pod_context *context);

POD_END_C

#endif
