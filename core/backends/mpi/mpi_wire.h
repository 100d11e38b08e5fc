#ifndef POD_BACKENDS_MPI_MPI_WIRE_H
#define POD_BACKENDS_MPI_MPI_WIRE_H

/*
 * wire - what is wanted of an MPI: messages between ranks that go on by themselves. Each MPI has a binary interface of
 * its own, so a small module is built for each (module/mpi_module.c), and opened by its path. No type of MPI is here.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POD_MPI_WIRE_VERSION 1

/* A message on its way; the module's. */
typedef struct pod_mpi_message {
    uint64_t handle;
} pod_mpi_message;

/* Functions that return false have written `trouble`. One thread calls them. */
typedef struct pod_mpi_wire pod_mpi_wire;
struct pod_mpi_wire {
    int32_t rank, count;
    char library[96];
    char trouble[256];
    uint64_t own[2]; /* the module's */
    /* Begins to send or to receive up to 2^30 bytes, which stay where they are until `test` says that it is done.
     * Messages from one rank to another of one tag come in the order in which they were sent. */
    bool (*send)(pod_mpi_wire *wire, int32_t to, int32_t tag, const void *data, size_t bytes, pod_mpi_message *request);
    bool (*receive)(pod_mpi_wire *wire, int32_t from, int32_t tag, void *data, size_t bytes, pod_mpi_message *request);
    bool (*test)(pod_mpi_wire *wire, pod_mpi_message *request, bool *done);
    /* Gives up what is to be received. */
    void (*cancel)(pod_mpi_wire *wire, pod_mpi_message *request);
    /* Tells whether a message of a tag is there, of which rank, and how long it is. */
    bool (*probe)(pod_mpi_wire *wire, int32_t tag, bool *found, int32_t *from, size_t *bytes);
    /* All ranks come here; none has a message on its way. */
    void (*end)(pod_mpi_wire *wire);
};

/* What a module has, by the name "pod_mpi_wire_open": fills in a table that is zero. */
typedef bool pod_mpi_wire_opener(pod_mpi_wire *wire, int32_t version);

#endif
