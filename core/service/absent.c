/* absent - what the service is in a build without its libraries. */

#include "base/error.h"
#include "moonpod/service.h"

static pod_status absent(pod_error *error)
{
    return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                         "this build has no data service: it was made without libzmq, libsqlite3 or libzstd (Debian: "
                         "libzmq3-dev, libsqlite3-dev, libzstd-dev)");
}

pod_status pod_dataset_distribute(pod_dataset *input, const pod_distribute_options *options, pod_dataset **dataset,
                                  pod_error *error)
{
    (void)input;
    (void)options;
    *dataset = NULL;
    return absent(error);
}

pod_status pod_service_keys_new(pod_context *context, const char *folder, pod_error *error)
{
    (void)context;
    (void)folder;
    return absent(error);
}

pod_status pod_service_dispatcher_open(pod_context *context, const pod_dispatcher_options *options,
                                       pod_service_dispatcher **dispatcher, pod_error *error)
{
    (void)context;
    (void)options;
    *dispatcher = NULL;
    return absent(error);
}

const char *pod_service_dispatcher_address(const pod_service_dispatcher *dispatcher)
{
    (void)dispatcher;
    return "";
}

void pod_service_dispatcher_close(pod_service_dispatcher *dispatcher)
{
    (void)dispatcher;
}

pod_status pod_service_worker_open(pod_context *context, const pod_worker_options *options, pod_service_worker **worker,
                                   pod_error *error)
{
    (void)context;
    (void)options;
    *worker = NULL;
    return absent(error);
}

const char *pod_service_worker_address(const pod_service_worker *worker)
{
    (void)worker;
    return "";
}

void pod_service_worker_close(pod_service_worker *worker)
{
    (void)worker;
}

void pod_service_wait(bool input)
{
    (void)input;
}
