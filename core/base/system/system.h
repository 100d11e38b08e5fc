#ifndef POD_BASE_SYSTEM_H
#define POD_BASE_SYSTEM_H

/*
 * system - all in which the systems differ that Moonpod runs on: no other file asks which one it is (./dev lint). What
 * libuv does alike everywhere, callers have from libuv.
 *
 * on_posix.c or on_windows.c has what every system has in a way of its own; on_linux.c what Linux alone has,
 * on_others.c what takes its place elsewhere; on_all.c the rest. All are compiled, those of other systems are empty.
 * web/uv is in the place of libuv where there is none.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

/* ---- threads: on_all.c, on_posix.c, on_windows.c ----------------------------------------------------------- */

/* Whether a thread may be started at all: not in pages of browsers. */
bool pod_system_has_threads(void);

/* Starts run(argument) on a thread that has a place (thread.h), with a stack of so many bytes; 0: what the system
 * gives. Signals that are sent to the process stay with the host's threads. Returns 0, or libuv's code where there is
 * none. The caller marks it (process.h) and joins it. */
int pod_thread_start(uv_thread_t *thread, size_t stack, void (*run)(void *argument), void *argument);

/* Lets another thread run. */
void pod_thread_yield(void);

/* A lock of the whole process, for a few instructions on what a child may use besides its parent: a fork waits for it,
 * so no child finds it held by a thread that it does not have. Not to be entered twice. */
void pod_process_lock(void);
void pod_process_unlock(void);

/* Returns how many times over this process is a child that its parent forked, counted from 1. */
unsigned pod_process_generation(void);

/* ---- CPUs and memory: on_linux.c, on_others.c --------------------------------------------------------------- */

/* The nice of the calling thread; 0 where threads have none of their own. Windows has priorities for it. */
int pod_thread_nice(void);

/* Sets it; false where the system refuses. */
bool pod_thread_set_nice(int nice);

/* Returns the number of CPUs that this process may use, at least 1. */
int pod_cpu_count(void);

#define POD_CPUS_LIMIT 1024

/* Which CPUs a thread may use. */
typedef struct pod_cpus {
    int count; /* 0: the system does not say, or has more than POD_CPUS_LIMIT */
    uint64_t bits[POD_CPUS_LIMIT / 64];
} pod_cpus;

/* Those of the calling thread. */
void pod_cpus_find(pod_cpus *cpus);

/* The number of the CPU that the calling thread runs on; negative where the system does not say. */
int pod_cpus_current(void);

/* Keeps the calling thread on the CPU of this number, or on any of `cpus` where it is negative. What the system refuses
 * leaves the thread where it is. */
void pod_thread_keep_on(const pod_cpus *cpus, int cpu);

/* Asks for AMX's tiles, which a process of Linux has only then; false where it does not get them. */
bool pod_cpu_allow_tiles(void);

/* Whether a CPU of 64-bit ARM has the dot product of bf16; false where the system does not say. */
bool pod_cpu_has_arm_bf16(void);

/* Asks for huge pages where a block has whole ones: rows that are read in a random order miss the TLB once each with
 * small ones. Systems that do not have them go on with those. */
void pod_huge_pages_advise(void *block, size_t size);

#define POD_COUNTERS 3 /* cycles, instructions, cache misses */

/* An event, as Linux's perf_event_open() numbers them. */
typedef struct pod_counter_kind {
    uint32_t type;
    uint64_t config;
} pod_counter_kind;

extern const pod_counter_kind pod_counter_kinds[POD_COUNTERS];

/* Begins to count what the calling thread does, in user code, from zero. *files receives what reads and closes it.
 * Returns 0, or the system's error (errno). */
int pod_counters_open(const pod_counter_kind kinds[POD_COUNTERS], int files[POD_COUNTERS]);

/* Reads the counts; any thread may. Where the CPU had to share its counters they are scaled up. False when that fails.
 */
bool pod_counters_read(const int files[POD_COUNTERS], uint64_t counts[POD_COUNTERS]);

/* Closes them; files[0] may be -1. */
void pod_counters_close(int files[POD_COUNTERS]);

/* ---- files: on_posix.c, on_windows.c ----------------------------------------------------------------- */

/* Makes a path one whose parts a '/' parts, and no other character does. */
void pod_system_use_slashes(char *path);

/* Returns whether a path does not begin where the process is. */
bool pod_system_is_absolute(const char *path);

/* Returns whether each part of a path, with '/' between them, names what lies in the part before: not a device, nor
 * another way to write "..", as systems may have. */
bool pod_system_is_plain(const char *path);

/* What follows is done below the folder `root` and through no symbolic link, on Linux also where somebody puts one
 * there in between; where `root` is NULL, anywhere. Files are those of libuv. Each returns one of libuv's errors where
 * it fails. */

/* Opens a file, by flags of libuv (UV_FS_O_RDONLY); returns it. */
int pod_system_open(const char *root, const char *path, int flags, int mode);

/* Gives a file another name; deletes a file, or an empty folder; makes a folder. Return 0. */
int pod_system_rename(const char *root, const char *from, const char *to);
int pod_system_remove(const char *root, const char *path);
int pod_system_make_folder(const char *root, const char *path, int mode);

/* Returns the permissions of a file. */
int pod_system_mode(const char *root, const char *path);

bool pod_system_is_folder(const char *root, const char *path);

/* Calls each(context, name) for the names in a folder, in no order. One that cannot be opened has none. */
void pod_system_each_name(const char *root, const char *path, void (*each)(void *context, const char *name),
                          void *context);

/* Opens what pod_system_open() opens below a root: by on_linux.c or on_others.c. */
int pod_system_open_below(const char *root, const char *path, int flags, int mode);

/* Locks a file that is open for as long as it is, against all others who lock it. Returns 0; UV_EAGAIN where somebody
 * has it. */
int pod_system_lock(int file);

/* Moves an open file, or libuv's code of a failure, which it then returns, off the numbers of the standard streams: a
 * host that has closed those would print into it. Returns the file it is now. */
int pod_system_leave_streams(int file);

/* Closes the files of these numbers, both included: in a child, which has its parent's. Linux alone. */
void pod_system_close_files(unsigned first, unsigned last);

/* Sees the names in a folder onto the disk. Returns 0. */
int pod_system_sync_names(const char *folder);

/* Waits until a pipe, a terminal or the like has bytes or was closed; false where it has not for so long. */
bool pod_system_wait_for_bytes(int file, int milliseconds);

/* Where libraries of OpenBLAS lie, those that take one thread first; ends with NULL. */
extern const char *const pod_system_openblas[];

/* Compares a name with a pattern of shells, "*.gz": 0, UV_ENOENT where it is another, UV_ENOMEM. */
int pod_system_match(const char *pattern, const char *name);

#endif
