#ifndef POD_SERVICE_LOCAL_H
#define POD_SERVICE_LOCAL_H

/* local - a service of this machine: a dispatcher of this process, and workers that are its children and end with it,
 * however it ends. */

#include "moonpod/service.h"

/* How many workers it has where nobody says. */
#define POD_LOCAL_WORKERS 2

typedef struct pod_service_local pod_service_local;

/* Starts it. On success *local is the caller's, to end with pod_service_local_close(). */
pod_status pod_service_local_open(pod_context *context, const pod_distribute_options *options,
                                  pod_service_local **local, pod_error *error);
void pod_service_local_close(pod_service_local *local);

/* The dispatcher's address; borrowed. */
const char *pod_service_local_address(const pod_service_local *local);

/* Returns how many workers still run. From any thread. */
int pod_service_local_count(pod_service_local *local);

#endif
