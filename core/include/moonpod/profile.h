#ifndef MOONPOD_PROFILE_H
#define MOONPOD_PROFILE_H

/*
 * profile - where the time of steps goes.
 *
 *     status = pod_profile_start(context, &error);
 *     status = pod_program_run(program, arguments, results, NULL, NULL, &error);
 *     status = pod_profile_stop(context, &profile, &error);
 *     pod_profile_facts facts = pod_profile_get_facts(profile);
 *     for (size_t i = 0; i < facts.steps; i++)
 *         printf("%llu rows\n", (unsigned long long)pod_profile_get_step(profile, i).rows);
 *     pod_profile_free(profile);
 *
 * While a context records, each of its threads notes what it does into memory of its own, without locks; while it does
 * not, that costs a load and a branch. The memory is bounded (about 24 MiB, taken at the first start and kept with the
 * context): of single events the newest are kept and the others counted; sums miss nothing.
 *
 * Times are nanoseconds of a clock that never goes back. Programs that datasets run are within the time of their
 * stages. A profile is a copy: it stays as it is, also when its context goes on, and is for one thread at a time.
 */

#include "moonpod/program.h"

POD_BEGIN_C

/* What a thread is doing. In each moment it is one of these, so that those of a step sum to the step. */
typedef enum pod_profile_part {
    POD_PART_OTHER,      /* nothing that is known */
    POD_PART_HOST,       /* the script between steps: the training loop, what a function is called with */
    POD_PART_CALLBACK,   /* hooks of callbacks */
    POD_PART_TRACE,      /* a function of Lua becomes a graph */
    POD_PART_COMPILE,    /* a graph becomes a program */
    POD_PART_LAUNCH,     /* a run begins and ends: arguments, results, waking threads */
    POD_PART_INPUT_WAIT, /* for a stage of a dataset that works on other threads */
    POD_PART_INPUT_READ, /* stages that read files, or elements of memory */
    POD_PART_INPUT_WORK, /* all other stages of a dataset */
    POD_PART_INPUT_FEED, /* what the dataset gave is handed to the program */
    POD_PART_COMPUTE,    /* instructions */
    POD_PART_BARRIER,    /* for the other threads of a run */
    POD_PART_OUTPUT,     /* results of steps are read, files are written */
    POD_PART_GARBAGE,    /* memory of the script is collected */
    POD_PARTS
} pod_profile_part;

/* Returns the name of a part: "compute", "input_wait", ... */
POD_API const char *pod_profile_part_name(pod_profile_part part);

/* Begins to record. POD_ERROR_STATE when the context records already. */
POD_API POD_CHECKED pod_status pod_profile_start(pod_context *context, pod_error *error);

/* Returns whether a context records; *steps (may be NULL) receives how many steps of programs have ended since it
 * began. */
POD_API bool pod_profile_is_on(const pod_context *context, uint64_t *steps);

typedef struct pod_profile pod_profile;

/* Ends the recording and gives what was recorded, the caller's to free with pod_profile_free(). POD_ERROR_STATE when
 * the context does not record. The recording also ends when there is no memory for a profile. */
POD_API POD_CHECKED pod_status pod_profile_stop(pod_context *context, pod_profile **profile, pod_error *error);

/* Gives what was recorded so far, as pod_profile_stop() does, and goes on recording: what a program did last, asked
 * while it runs. From the thread that runs programs, between two of their runs or within one. */
POD_API POD_CHECKED pod_status pod_profile_take(pod_context *context, pod_profile **profile, pod_error *error);

/* NULL is allowed. */
POD_API void pod_profile_free(pod_profile *profile);

/* The most spans that one thread may have open; what is opened beyond is not recorded. */
#define POD_SPANS_DEEP 64

/* Enters a span of the calling thread: what it does from now on is of `part`, under a name. Returns a number for
 * pod_profile_leave(); 0 while nothing is recorded. A name is copied; those of a context are 511 at most, of up to 127
 * bytes, and what comes later goes without. */
POD_API uint32_t pod_profile_enter(pod_context *context, pod_profile_part part, const char *name);

/* Leaves a span, and those within it that were left open (by an error, say). 0 does nothing. */
POD_API void pod_profile_leave(pod_context *context, uint32_t span);

/* ---- reading ---- */

typedef struct pod_profile_facts {
    uint64_t began, ended;    /* of the recording */
    size_t steps, steps_lost; /* kept; older ones that there was no room for */
    size_t lanes, names, programs;
    uint64_t events, events_lost; /* of all lanes: kept, and older ones */
    uint64_t threads_lost;        /* times that a thread found no lane */
    size_t main_lane;             /* of the thread that called pod_profile_start() */
    int threads, cpus;            /* of the context when the recording ended; that the process may use */
    const char *isa;              /* the context's family of kernels */
    /* Of the process meanwhile: pages that it met first, those that were read from a disk, and how often the system
     * took a CPU from one of its threads. */
    uint64_t page_faults, disk_faults, preemptions;
    uint64_t free_memory;    /* bytes that the system had for programs when it ended */
    const char *no_counters; /* why no thread has counts of the CPU: not allowed, say; NULL where they have */
} pod_profile_facts;

/* Returns what there is to read. */
POD_API pod_profile_facts pod_profile_get_facts(const pod_profile *profile);

/* A step of a program on the thread that ran it: from the end of the one before (of the recording's begin, or of any
 * program's step) to its own end. */
typedef struct pod_profile_step {
    uint64_t began, ended;
    size_t program;
    size_t lane;
    uint64_t rows;             /* that the infeed gave; 0: no infeed */
    uint64_t memory;           /* bytes that the context held at its end */
    uint64_t parts[POD_PARTS]; /* sum to ended - began */
} pod_profile_step;

/* Step number `index` of those that were kept, in the order in which they ended; all zero where there is none. */
POD_API pod_profile_step pod_profile_get_step(const pod_profile *profile, size_t index);

/* A thread. */
typedef struct pod_profile_lane {
    const char *name; /* "main", "worker", "prefetch", ...; the library's */
    uint32_t number;  /* among those of the name */
    uint64_t began;
    uint64_t parts[POD_PARTS]; /* of all the time since then that is known */
    uint64_t events, lost;     /* kept, and older ones */
    /* What the CPU counted in user code of the thread, where pod_profile_facts.no_counters is NULL; else 0. */
    uint64_t cycles, cpu_instructions, cache_misses;
} pod_profile_lane;

/* Thread number `lane`; all zero, without a name, where there is none. */
POD_API pod_profile_lane pod_profile_get_lane(const pod_profile *profile, size_t lane);

/* Holds what has a name: a stage of a dataset by its way to the consumer ("Iterator::Prefetch::Batch::Map"), a
 * callback's hook, a span. */
typedef struct pod_profile_name {
    const char *text; /* the profile's */
    pod_profile_part part;
    uint64_t calls, total, self; /* nanoseconds within it, and without what has a name of its own there */
    uint64_t amount;             /* elements of a stage */
    uint64_t rows, bytes;        /* of a stage that gives one at a time, as batches are given */
} pod_profile_name;

/* Name number `name`; the first is "", of what has none. */
POD_API pod_profile_name pod_profile_get_name(const pod_profile *profile, size_t name);

/* The same, of one lane. */
POD_API pod_profile_name pod_profile_get_name_on(const pod_profile *profile, size_t name, size_t lane);

typedef enum pod_event_kind {
    POD_EVENT_SPAN,        /* `name` */
    POD_EVENT_STAGE,       /* `name`; amount: elements */
    POD_EVENT_INSTRUCTION, /* `index` of `program`; amount: rows of its grid */
    POD_EVENT_BARRIER,     /* waiting for the other threads of a run */
    POD_EVENT_FEED,        /* the infeed gives a step's input; amount: rows */
    POD_EVENT_RUN,         /* pod_program_run() of `program`; amount: steps */
    POD_EVENT_STEP,        /* a step ends */
    POD_EVENT_KINDS
} pod_event_kind;

typedef struct pod_profile_event {
    uint64_t began, ended;
    pod_event_kind kind;
    pod_profile_part part;
    uint32_t name;    /* of pod_profile_get_name(); 0: none */
    uint32_t program; /* of pod_profile_get_program(), + 1; 0: none */
    uint64_t index, amount;
} pod_profile_event;

/* Fills events[0 .. most-1] with the events of a lane from number `first` on, the oldest that was kept is 0, in the
 * order in which they ended, and returns how many these are. */
POD_API size_t pod_profile_get_events(const pod_profile *profile, size_t lane, size_t first, pod_profile_event *events,
                                      size_t most);

/* A program of which steps were recorded. */
typedef struct pod_profile_program {
    size_t instructions;
    uint64_t steps, runs;          /* calls of pod_program_run() that these are steps of */
    uint64_t nanoseconds, waiting; /* of all threads: in instructions, at barriers */
} pod_profile_program;

/* Program number `program`; all zero where there is none. */
POD_API pod_profile_program pod_profile_get_program(const pod_profile *profile, size_t program);

/* Fills times[0 .. most-1] as pod_program_get_times() does, of what was recorded; texts are the profile's. */
POD_API size_t pod_profile_get_times(const pod_profile *profile, size_t program, pod_instruction_time *times,
                                     size_t most);

typedef enum pod_value_place {
    POD_VALUE_ARGUMENT,
    POD_VALUE_RESULT,
    POD_VALUE_CONSTANT,
    POD_VALUE_TEMPORARY, /* in the program's arena: others may lie there before and after it */
    POD_VALUE_PLACES
} pod_value_place;

/* Returns the name of a place: "argument", ... */
POD_API const char *pod_profile_place_name(pod_value_place place);

/* Holds what a program keeps in memory: while instructions first to last run; `kept`: all the time. It is of the layer
 * and line of instruction `first`, which makes it, or is the first that reads it. */
typedef struct pod_profile_value {
    pod_value_place place;
    bool kept;
    uint64_t bytes, offset; /* the latter of constants and temporaries */
    size_t first, last;
} pod_profile_value;

/* Fills values[0 .. most-1] and returns how many a program has. What fits the caches of threads is not among them. */
POD_API size_t pod_profile_get_values(const pod_profile *profile, size_t program, pod_profile_value *values,
                                      size_t most);

/* ---- files ----
 *
 * Each is there whole or not at all, and is written as it is made. */

/* Writes the events as JSON of Chrome's trace format, which Perfetto and chrome://tracing open: a line a thread, times
 * in microseconds since the recording began. */
POD_API POD_CHECKED pod_status pod_profile_write_chrome(const pod_profile *profile, const char *path, pod_error *error);

/* Writes the same as Perfetto's own format, TrackEvents of protocol buffers, with names once: about a quarter of the
 * JSON. Times are nanoseconds since the recording began. */
POD_API POD_CHECKED pod_status pod_profile_write_perfetto(const pod_profile *profile, const char *path,
                                                          pod_error *error);

/* What a machine does a second at most; 0: not known. */
typedef struct pod_profile_roofs {
    double flops, bytes; /* floating point operations, bytes of memory */
} pod_profile_roofs;

/* Writes the events as XProf's XSpace (xplane.pb), with the machine as its device: its steps and instructions, those of
 * the thread that runs programs; what all threads did, on the host; each program with its values. `roofs` may be
 * NULL. */
POD_API POD_CHECKED pod_status pod_profile_write_xplane(const pod_profile *profile, const pod_profile_roofs *roofs,
                                                        const char *path, pod_error *error);

/* Writes sums as pprof's profile.proto, compressed by gzip, which `go tool pprof` opens: for each instruction, stage
 * and span its calls, time of all threads (nanoseconds), FLOPs and bytes of all steps. Its layer calls it, and
 * the line of the user's source that. Waiting for other threads is one of them. Nothing is sampled: sums are exact. */
POD_API POD_CHECKED pod_status pod_profile_write_pprof(const pod_profile *profile, const char *path, pod_error *error);

POD_END_C

#endif
