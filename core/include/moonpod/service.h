#ifndef MOONPOD_SERVICE_H
#define MOONPOD_SERVICE_H

/*
 * service - the data service: other processes, here or on other machines, run the stages of a dataset.
 *
 *     pod_dataset *remote;
 *     const pod_distribute_options options = {.service = "tcp://10.0.0.5:5050", .keys = "keys"};
 *     status = pod_dataset_distribute(batches, &options, &remote, &error);
 *
 * A dispatcher knows who is there and who has which part of the data; workers run pipelines; the consumer is a stage of
 * a dataset here, behind which others may follow. The pipeline is sent as data: its stages, the graphs of traced
 * functions and rows in memory, never code. What needs this process (pod_dataset_from_source(),
 * pod_dataset_transform()) is refused by name.
 *
 * The elements are those of the dataset without the service, each of them exactly once by POD_SERVICE_DISTRIBUTED,
 * while the consumer lives: splits are numbered parts of the pass, and whoever takes a split over makes the same
 * elements again, of which the consumer takes those that it has not. docs/guides/data-service.md has the table of
 * promises.
 *
 * A build without ZeroMQ, SQLite and zstd has these functions, and they fail with POD_ERROR_UNSUPPORTED. The libraries
 * are loaded when the first of them is called.
 */

#include "moonpod/dataset.h"

POD_BEGIN_C

typedef enum pod_service_mode {
    POD_SERVICE_DISTRIBUTED, /* the elements are divided among workers: each comes exactly once */
    POD_SERVICE_PARALLEL     /* every worker gives all elements, in an order of its own */
} pod_service_mode;

typedef enum pod_service_sharding {
    POD_SERVICE_BY_ELEMENTS, /* a split is so many elements of the whole pipeline, as they would come without the
                              * service; workers pass over those of others, stage by stage */
    POD_SERVICE_BY_FILES,    /* a split is what the pipeline gives for one of its files */
    POD_SERVICE_BY_BLOCKS    /* a split is what the pipeline gives for so many elements of its one source; stages see
                              * no others, so batches and shuffles end with a block */
} pod_service_sharding;

typedef enum pod_service_assignment {
    POD_SERVICE_DYNAMIC, /* a split is for whichever worker is free */
    POD_SERVICE_STATIC /* split i is for worker i mod target_workers, and waits for that one, or who takes its place */
} pod_service_assignment;

/* A zero field means its default. */
typedef struct pod_distribute_options {
    const char *service; /* the dispatcher's address: "tcp://HOST:PORT" or "ipc://PATH"; "local": children of this
                          * process, which end with it */
    pod_service_mode mode;
    pod_service_sharding sharding;
    pod_service_assignment assignment;
    int64_t split_size;      /* elements of a split; default: about a hundredth of those that there are, 1 to 1024 */
    bool in_order;           /* elements come in the order that they have without the service */
    const char *job_name;    /* consumers of one name divide the elements; default: this one has them alone */
    int64_t consumer_index;  /* of num_consumers: takes elements consumer_index, + num_consumers, ..., in order; so */
    int64_t num_consumers;   /* consumers in step get neighbouring ones; default: takes all */
    int64_t target_workers;  /* at most so many are asked; default: all. With POD_SERVICE_STATIC: so many divide the
                              * splits; of "local" its workers */
    int64_t stages_here;     /* so many of the last stages run here, of those that make one element of one (map, decode,
                              * parse_example); default: as many as autotune finds best, which looks at what they cost,
                              * what elements take on the way and who waits */
    bool no_autotune;        /* none does */
    const char *keys;        /* the folder that pod_service_keys_new() made; default: none, and only addresses of this
                              * machine */
    const char *compression; /* "zstd", "none", or "auto": zstd to other machines; default "auto" */
    int64_t workers;         /* of "local": how many; default 2 */
    const char *program;     /* of "local": the executable `moonpod`; default: found beside the library or in PATH */
    const char *files;       /* of "local": the folder that workers may read; default: any */
} pod_distribute_options;

/* The elements of `input`, made by workers. Nothing is asked of the service before the first element. */
POD_API POD_CHECKED pod_status pod_dataset_distribute(pod_dataset *input, const pod_distribute_options *options,
                                                      pod_dataset **dataset, pod_error *error);

/* Makes a pair of keys for each role in a folder, which must not have any: dispatcher, worker, consumer. Files that end
 * in .secret are for that role's machines alone (mode 0600). */
POD_API POD_CHECKED pod_status pod_service_keys_new(pod_context *context, const char *folder, pod_error *error);

typedef struct pod_service_dispatcher pod_service_dispatcher;

/* A zero field means its default. */
typedef struct pod_dispatcher_options {
    const char *address; /* to listen at; a port of * is any; default "tcp://127.0.0.1:*" */
    const char
        *state; /* the file that keeps which splits were given; default: none, and jobs end with the dispatcher */
    const char *keys;
} pod_dispatcher_options;

/* Starts a dispatcher on a thread of its own. On success *dispatcher is the caller's, to end with
 * pod_service_dispatcher_close(). */
POD_API POD_CHECKED pod_status pod_service_dispatcher_open(pod_context *context, const pod_dispatcher_options *options,
                                                           pod_service_dispatcher **dispatcher, pod_error *error);

/* Returns where it listens; borrowed. */
POD_API const char *pod_service_dispatcher_address(const pod_service_dispatcher *dispatcher);

/* NULL is allowed. */
POD_API void pod_service_dispatcher_close(pod_service_dispatcher *dispatcher);

typedef struct pod_service_worker pod_service_worker;

/* A zero field means its default. */
typedef struct pod_worker_options {
    const char *dispatcher; /* its address */
    const char *address;    /* to listen at; default: of the dispatcher's kind, on any port of 127.0.0.1 */
    const char *keys;
    const char *files; /* the folder that files must lie in, for all of the context; default: any */
} pod_worker_options;

/* Starts a worker, which runs pipelines in `context`. On success *worker is the caller's, to end with
 * pod_service_worker_close(). */
POD_API POD_CHECKED pod_status pod_service_worker_open(pod_context *context, const pod_worker_options *options,
                                                       pod_service_worker **worker, pod_error *error);

/* Returns where it listens; borrowed. */
POD_API const char *pod_service_worker_address(const pod_service_worker *worker);

/* NULL is allowed. */
POD_API void pod_service_worker_close(pod_service_worker *worker);

/* Waits until a signal comes that the process handles or, where `input` is true, the standard input ends. */
POD_API void pod_service_wait(bool input);

POD_END_C

#endif
