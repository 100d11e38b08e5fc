#ifndef POD_SERVICE_ENDPOINT_H
#define POD_SERVICE_ENDPOINT_H

/* endpoint - sockets of the data service: who may connect to them, with which keys, and how much waits in them. */

#include "service/message.h"

typedef enum pod_service_role { POD_ROLE_DISPATCHER, POD_ROLE_WORKER, POD_ROLE_CONSUMER, POD_ROLES } pod_service_role;

#define POD_KEY_SIZE 41 /* of Z85, terminated */

/* The keys of one role: its own pair, and the public ones of all. */
typedef struct pod_service_keys {
    bool used;
    char secret[POD_KEY_SIZE];
    char public[POD_ROLES][POD_KEY_SIZE];
    pod_service_role role;
} pod_service_keys;

/* Reads the keys of a role from a folder; NULL: none are used. */
pod_status pod_service_keys_read(pod_context *context, const char *folder, pod_service_role role,
                                 pod_service_keys *keys, pod_error *error);

/* The most bytes of an address, terminated. */
#define POD_ADDRESS_SIZE 256

/* The most bytes of a frame. */
#define POD_SERVICE_SMALL   ((int64_t)1 << 20) /* of what is said to and by a dispatcher */
#define POD_SERVICE_RECIPE  ((int64_t)1 << 30) /* of a pipeline with its rows */
#define POD_SERVICE_ELEMENT ((int64_t)1 << 33) /* of a component of elements */

/* Returns whether an address is of this machine: it may be used without keys. */
bool pod_service_is_local(const char *address);

/* A socket that listens, and who is asked whether a key may connect. */
typedef struct pod_listener {
    void *socket; /* ROUTER */
    void *door;   /* ZAP; NULL without keys */
    char address[POD_ADDRESS_SIZE];
} pod_listener;

/* Listens at an address. Without keys one of this machine only. On failure it is still to be closed. */
pod_status pod_service_listen(void *zmq, const char *address, const pod_service_keys *keys, int64_t most_bytes,
                              pod_listener *listener, pod_error *error);

/* Answers those who ask at the door: only keys of the folder may in. */
void pod_service_open_door(pod_listener *listener, const pod_service_keys *keys);

void pod_service_close_listener(pod_listener *listener);

/* Connects to a peer of a role; the peer may come later. On failure *socket is NULL. */
pod_status pod_service_connect(void *zmq, const char *address, const pod_service_keys *keys, pod_service_role peer,
                               int64_t most_bytes, void **socket, pod_error *error);

/* A socket between threads of this process. `binds` or connects; `type` as of ZeroMQ. */
pod_status pod_service_inside(void *zmq, int type, const char *name, bool binds, void **socket, pod_error *error);

/* Closes a socket, without waiting for what it has not sent; NULL is allowed. */
void pod_service_close_socket(void *socket);

/* A number that nobody else has drawn. */
int64_t pod_service_draw_id(void);

#endif
