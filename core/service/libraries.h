#ifndef POD_SERVICE_LIBRARIES_H
#define POD_SERVICE_LIBRARIES_H

/*
 * libraries - ZeroMQ, SQLite and zstd, loaded when the service is first used: linked, they would add to the start of
 * every process, and be needed where nobody uses the service.
 *
 *     status = pod_service_load(context, &error);
 *     void *socket = pod_zmq.socket(context, ZMQ_ROUTER);
 */

#include <sqlite3.h>
#include <zmq.h>
#include <zstd.h>

#include "base/context.h"
#include "base/error.h"

#define POD_ZMQ_FUNCTIONS(X)                                                                                           \
    X(zmq_, ctx_new)                                                                                                   \
    X(zmq_, ctx_term)                                                                                                  \
    X(zmq_, ctx_shutdown)                                                                                              \
    X(zmq_, socket)                                                                                                    \
    X(zmq_, close)                                                                                                     \
    X(zmq_, setsockopt)                                                                                                \
    X(zmq_, getsockopt)                                                                                                \
    X(zmq_, bind)                                                                                                      \
    X(zmq_, connect)                                                                                                   \
    X(zmq_, poll)                                                                                                      \
    X(zmq_, strerror)                                                                                                  \
    X(zmq_, has)                                                                                                       \
    X(zmq_, curve_keypair)                                                                                             \
    X(zmq_, curve_public)                                                                                              \
    X(zmq_, z85_encode)                                                                                                \
    X(zmq_, socket_monitor)                                                                                            \
    X(zmq_, msg_init)                                                                                                  \
    X(zmq_, msg_init_size)                                                                                             \
    X(zmq_, msg_send)                                                                                                  \
    X(zmq_, msg_recv)                                                                                                  \
    X(zmq_, msg_move)                                                                                                  \
    X(zmq_, msg_close)                                                                                                 \
    X(zmq_, msg_data)                                                                                                  \
    X(zmq_, msg_size)                                                                                                  \
    X(zmq_, msg_more)

#define POD_SQLITE_FUNCTIONS(X)                                                                                        \
    X(sqlite3_, open_v2)                                                                                               \
    X(sqlite3_, close_v2)                                                                                              \
    X(sqlite3_, exec)                                                                                                  \
    X(sqlite3_, errmsg)                                                                                                \
    X(sqlite3_, prepare_v2)                                                                                            \
    X(sqlite3_, bind_int64)                                                                                            \
    X(sqlite3_, bind_text)                                                                                             \
    X(sqlite3_, step)                                                                                                  \
    X(sqlite3_, reset)                                                                                                 \
    X(sqlite3_, finalize)                                                                                              \
    X(sqlite3_, column_int64)                                                                                          \
    X(sqlite3_, column_text)                                                                                           \
    X(sqlite3_, changes)                                                                                               \
    X(sqlite3_, busy_timeout)

#define POD_ZSTD_FUNCTIONS(X)                                                                                          \
    X(ZSTD_, compress)                                                                                                 \
    X(ZSTD_, decompress)                                                                                               \
    X(ZSTD_, compressBound)                                                                                            \
    X(ZSTD_, isError)

#define POD_LIBRARY_MEMBER(prefix, name) __typeof__(&prefix##name) name;

extern struct pod_zmq_functions {
    POD_ZMQ_FUNCTIONS(POD_LIBRARY_MEMBER)
} pod_zmq;

extern struct pod_sqlite_functions {
    POD_SQLITE_FUNCTIONS(POD_LIBRARY_MEMBER)
} pod_sqlite;

extern struct pod_zstd_functions {
    POD_ZSTD_FUNCTIONS(POD_LIBRARY_MEMBER)
} pod_zstd;

#undef POD_LIBRARY_MEMBER

/* Loads them, once for the process. POD_ERROR_UNSUPPORTED, with the library's name, where one is missing. */
pod_status pod_service_load(const pod_context *context, pod_error *error);

#endif
