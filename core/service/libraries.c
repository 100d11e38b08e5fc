/* libraries - see libraries.h. */

#include "service/libraries.h"

#include <uv.h>

struct pod_zmq_functions pod_zmq;
struct pod_sqlite_functions pod_sqlite;
struct pod_zstd_functions pod_zstd;

typedef struct wanted {
    const char *name;
    void **into;
} wanted;

#define ROW(prefix, name, functions) {#prefix #name, (void **)&functions.name},
#define ZMQ(prefix, name)            ROW(prefix, name, pod_zmq)
#define SQLITE(prefix, name)         ROW(prefix, name, pod_sqlite)
#define ZSTD(prefix, name)           ROW(prefix, name, pod_zstd)
static const wanted of_zmq[] = {POD_ZMQ_FUNCTIONS(ZMQ){NULL, NULL}};
static const wanted of_sqlite[] = {POD_SQLITE_FUNCTIONS(SQLITE){NULL, NULL}};
static const wanted of_zstd[] = {POD_ZSTD_FUNCTIONS(ZSTD){NULL, NULL}};

static const struct {
    const char *file, *package;
    const wanted *functions;
} libraries[] = {
    {"libzmq.so.5", "libzmq5", of_zmq},
    {"libsqlite3.so.0", "libsqlite3-0", of_sqlite},
    {"libzstd.so.1", "libzstd1", of_zstd},
};

/* Why the service cannot be used; its status is POD_OK where it can. Written once, under `once`. */
static pod_error trouble;
static uv_once_t once = UV_ONCE_INIT;

/* The handle of a library that has everything stays open for the life of the process. */
static void load(void)
{
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        uv_lib_t handle;
        if (uv_dlopen(libraries[i].file, &handle) != 0) {
            pod_error_set(&trouble, POD_ERROR_UNSUPPORTED, "the data service needs %s (Debian: %s): %s",
                          libraries[i].file, libraries[i].package, uv_dlerror(&handle));
            uv_dlclose(&handle);
            return;
        }
        for (const wanted *one = libraries[i].functions; one->name != NULL; one++)
            if (uv_dlsym(&handle, one->name, one->into) != 0) {
                pod_error_set(&trouble, POD_ERROR_UNSUPPORTED, "the data service needs a newer %s: it has no %s",
                              libraries[i].file, one->name);
                return;
            }
    }
}

pod_status pod_service_load(const pod_context *context, pod_error *error)
{
    if (pod_context_is_guest(context))
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "a sandbox may use no data service");
    uv_once(&once, load);
    return trouble.status == POD_OK ? POD_OK : pod_error_set(error, trouble.status, "%s", trouble.message);
}
