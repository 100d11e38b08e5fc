#ifndef POD_BASE_CONTEXT_H
#define POD_BASE_CONTEXT_H

/*
 * context - memory, log, interrupt flag and worker threads of everything made from it.
 */

#include "moonpod/status.h"

#include "base/cpu.h"
#include "base/error.h"

/* ---- memory: aligned to 64 bytes, from the host's allocator, counted; for any thread -------- */

/* Returns `size` bytes, not cleared, the caller's to end with pod_free(); NULL when there is no
 * memory. A size of 0 gives a block that may be freed like any other. */
void *pod_allocate(pod_context *context, size_t size);

/* The same, cleared to zero, for count * size bytes; NULL also when the product overflows. */
void *pod_allocate_zeroed(pod_context *context, size_t count, size_t size);

/* Gives a block another size, keeping its content as far as it fits. On failure NULL, and the old
 * block stays. `pointer` may be NULL. */
void *pod_reallocate(pod_context *context, void *pointer, size_t size);

/* Frees a block of this context. NULL is allowed. */
void pod_free(pod_context *context, void *pointer);

/* Bytes that were taken from the host's allocator for a block, with what stands around it; 0 for NULL. These are
 * what the context counts as held. */
size_t pod_block_bytes(const void *pointer);

/* The same of a block of `size` bytes that is not there yet. */
size_t pod_block_bytes_for(size_t size);

/* Returns a copy of a text, the caller's to end with pod_free(); NULL when there is no memory. */
char *pod_copy_text(pod_context *context, const char *text);

/* Returns POD_ERROR_MEMORY: "<what> needs <bytes> bytes, and there is no memory"; with 0 for what is not known, "there
 * is no memory for <what>". By "no memory" hosts tell that a failure says nothing of what was tried. */
pod_status pod_error_memory(pod_error *error, const char *what, size_t bytes);

/* The status of an error that something which failed has set, or, where it has set none, that of memory, which it sets:
 * for functions that return false for want of memory alone without a word. `error` was cleared before. */
pod_status pod_error_or_memory(pod_error *error, const char *what);

/* ---- the rest ---- */

/* Returns whether its threads and its time are another's (pod_context_options.account): a sandbox's are. */
bool pod_context_is_guest(const pod_context *context);

/* Makes a context for programs that run beside those of `parent`, whose turn they must not wait
 * for: it has workers and an interrupt flag of its own, and the parent's memory, log and kernels.
 * It shares the parent. */
pod_status pod_context_new_beside(pod_context *parent, int threads, pod_context **context, pod_error *error);

/* Hands a message to the host's log; dropped when it has none. Any thread may call. */
void pod_log(pod_context *context, pod_log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns the option short_run_nanoseconds: 0 where neither the host nor the environment says. */
int64_t pod_context_short_run(const pod_context *context);

/* Returns the nanoseconds until the deadline of pod_context_set_deadline(); UINT64_MAX where there is none. */
uint64_t pod_context_time_left(const pod_context *context);

/* Returns whether pod_context_interrupt() was called and not yet taken back, or the deadline has come. */
bool pod_context_is_interrupted(const pod_context *context);

/* Returns what pod_context_set_nice() has set. */
int pod_context_nice(const pod_context *context);

/* Returns what pod_context_set_flush_subnormals() has set. */
bool pod_context_flushes_subnormals(const pod_context *context);

/* Returns the context that a context stands beside, or itself where it stands beside none. */
pod_context *pod_context_root(const pod_context *context);

/* Returns a number that was not returned before by this context or one that stands beside it. Any thread may call. */
uint64_t pod_context_next_number(pod_context *context);

/* The recorder of what a context's threads do (trace/recorder.h): NULL while it is off, and for contexts that stand
 * beside another. Any thread may ask. */
typedef struct pod_recorder pod_recorder;
pod_recorder *pod_context_recorder(const pod_context *context);

/* The one that was made, be it on or off; NULL: none was. */
pod_recorder *pod_context_kept_recorder(const pod_context *context);

/* Gives a context its recorder, off, and what ends it with the context. */
void pod_context_keep_recorder(pod_context *context, pod_recorder *recorder,
                               void (*end)(pod_context *context, pod_recorder *recorder));

/* Switches it on or off. */
void pod_context_switch_recorder(pod_context *context, bool on);

/* The ranks that the programs of a context run on together (program/meetings.h): NULL where there is one. A context
 * that stands beside another has those of that. */
struct pod_ranks *pod_context_ranks(const pod_context *context);

/* Gives a context its ranks, or takes them (NULL). They are not the context's: who gives them takes them back. */
void pod_context_set_ranks(pod_context *context, struct pod_ranks *ranks);

struct pod_workers;

/* Returns the context's worker threads; for base/workers.c. */
struct pod_workers *pod_context_workers(const pod_context *context);

#endif
