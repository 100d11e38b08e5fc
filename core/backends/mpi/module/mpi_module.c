/* mpi_module - the table of mpi_wire.h by one MPI: built once for each there is, with its headers. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "backends/mpi/mpi_wire.h"

_Static_assert(sizeof(MPI_Request) <= sizeof(uint64_t), "a request fits its handle");
_Static_assert(sizeof(MPI_Comm) <= sizeof(uint64_t), "a communicator fits the module's part of the table");

__attribute__((visibility("default"))) pod_mpi_wire_opener pod_mpi_wire_open;

static MPI_Comm own_comm(const pod_mpi_wire *wire)
{
    MPI_Comm comm;
    memcpy(&comm, &wire->own[0], sizeof comm);
    return comm;
}

static MPI_Request request_of(const pod_mpi_message *kept)
{
    MPI_Request request;
    memcpy(&request, &kept->handle, sizeof request);
    return request;
}

static void keep_request(pod_mpi_message *kept, MPI_Request request)
{
    memcpy(&kept->handle, &request, sizeof request);
}

/* Writes down what MPI says of a code; returns whether it is no failure. */
static bool is_good(pod_mpi_wire *wire, const char *what, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return true;
    (void)MPI_Error_string(code, text, &length);
    (void)snprintf(wire->trouble, sizeof wire->trouble, "%s: %.200s", what, text);
    return false;
}

static bool send(pod_mpi_wire *wire, int32_t to, int32_t tag, const void *data, size_t bytes, pod_mpi_message *request)
{
    MPI_Request made = MPI_REQUEST_NULL;
    const int code = MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, own_comm(wire), &made);
    keep_request(request, made);
    return is_good(wire, "MPI_Isend", code);
}

static bool receive(pod_mpi_wire *wire, int32_t from, int32_t tag, void *data, size_t bytes, pod_mpi_message *request)
{
    MPI_Request made = MPI_REQUEST_NULL;
    const int code = MPI_Irecv(data, (int)bytes, MPI_BYTE, from, tag, own_comm(wire), &made);
    keep_request(request, made);
    return is_good(wire, "MPI_Irecv", code);
}

static bool test(pod_mpi_wire *wire, pod_mpi_message *request, bool *done)
{
    int flag = 0;
    MPI_Request kept = request_of(request);
    const int code = MPI_Test(&kept, &flag, MPI_STATUS_IGNORE);
    keep_request(request, kept);
    *done = flag != 0;
    return is_good(wire, "MPI_Test", code);
}

static void cancel(pod_mpi_wire *wire, pod_mpi_message *request)
{
    MPI_Request kept = request_of(request);
    (void)wire;
    if (kept == MPI_REQUEST_NULL)
        return;
    (void)MPI_Cancel(&kept);
    (void)MPI_Wait(&kept, MPI_STATUS_IGNORE);
    keep_request(request, kept);
}

static bool probe(pod_mpi_wire *wire, int32_t tag, bool *found, int32_t *from, size_t *bytes)
{
    int flag = 0, count = 0;
    MPI_Status status;
    int code = MPI_Iprobe(MPI_ANY_SOURCE, tag, own_comm(wire), &flag, &status);
    *found = code == MPI_SUCCESS && flag != 0;
    if (*found) {
        code = MPI_Get_count(&status, MPI_BYTE, &count);
        *from = status.MPI_SOURCE;
        *bytes = (size_t)count;
    }
    return is_good(wire, "MPI_Iprobe", code);
}

static void end(pod_mpi_wire *wire)
{
    MPI_Comm comm = own_comm(wire);
    (void)MPI_Comm_free(&comm);
    (void)MPI_Finalize();
}

static bool refuses(pod_mpi_wire *wire, const char *why)
{
    (void)snprintf(wire->trouble, sizeof wire->trouble, "%s", why);
    return false;
}

/* The first line of what MPI says of itself, up to its second comma. */
static void write_name(pod_mpi_wire *wire)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    (void)MPI_Get_library_version(text, &length);
    const size_t line = strcspn(text, ",\n");
    (void)snprintf(wire->library, sizeof wire->library, "%.*s", (int)(line < 90 ? line : 90), text);
    for (char *at = wire->library; *at; at++)
        *at = *at == '\t' ? ' ' : *at;
}

bool pod_mpi_wire_open(pod_mpi_wire *wire, int32_t version)
{
    int begun = 0, level = 0, rank = 0, count = 0;
    MPI_Comm comm = MPI_COMM_NULL;
    if (version != POD_MPI_WIRE_VERSION)
        return refuses(wire, "the module is of another release of Moonpod");
    (void)MPI_Initialized(&begun);
    if (begun)
        return refuses(wire, "MPI was begun before in this process, and can be once");
    if (!is_good(wire, "MPI_Init_thread", MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level)))
        return false;
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (!is_good(wire, "MPI_Comm_dup", MPI_Comm_dup(MPI_COMM_WORLD, &comm)))
        return false;
    (void)MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &count);
    wire->rank = rank;
    wire->count = count;
    write_name(wire);
    memcpy(&wire->own[0], &comm, sizeof comm);
    wire->send = send;
    wire->receive = receive;
    wire->test = test;
    wire->cancel = cancel;
    wire->probe = probe;
    wire->end = end;
    return true;
}
