#ifndef POD_PJRT_NURSE_H
#define POD_PJRT_NURSE_H

/* nurse - the process that forks the children of child.h and tells how they ended, and what a child does. */

#include "child.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#define POD_PJRT_LARGEST_MESSAGE ((uint64_t)1 << 36)

struct pod_pjrt_children {
    pod_context *context;
    pod_pjrt_child of;
    pthread_mutex_t asking;
    pid_t nurse;
    int to_nurse;     /* a socket: files of a new child go there, or a byte that ends it; how it ended comes back */
    int child, noise; /* a socket to the child, and what it writes to its standard streams; -1: there is none */
};

/* Before the bytes of a request and of an answer. */
typedef struct pod_pjrt_message_head {
    uint64_t size;
    pod_error error; /* of an answer */
} pod_pjrt_message_head;

/* Room for the two files of a child, which are sent by a socket. */
typedef union pod_pjrt_sent_files {
    struct cmsghdr head;
    char room[CMSG_SPACE(2 * sizeof(int))];
} pod_pjrt_sent_files;

/* What the parent writes to the nurse: a byte. Files of a child come with MAKE. */
enum { POD_PJRT_END_CHILD, POD_PJRT_MAKE_CHILD };

/* Serves until the parent, at the other end of this socket, is gone. Of each child it tells once how it ended, as
 * waitpid() does; where none could be made, a negative errno. */
_Noreturn void pod_pjrt_be_nurse(const pod_pjrt_children *children, int parent);

/* Reads all; false where the other end is gone. */
POD_CHECKED bool pod_pjrt_read_all(int from, void *to, size_t size);

#endif
