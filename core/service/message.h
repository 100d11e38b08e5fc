#ifndef POD_SERVICE_MESSAGE_H
#define POD_SERVICE_MESSAGE_H

/*
 * message - what the processes of the data service say to each other: a header of one size for all, then frames.
 *
 * The header has a mark, the version of this protocol, the kind of the message and eight numbers, whose meaning is the
 * kind's. The table in docs/contributors/architecture.md says what each kind carries.
 */

#include "moonpod/service.h"
#include "service/libraries.h"

/* Both ends have the same one, or refuse each other. It grows with each change of a message or of a recipe. */
#define POD_SERVICE_PROTOCOL 3

#define POD_SERVICE_NUMBERS     8
#define POD_SERVICE_HEADER_SIZE (12 + 8 * POD_SERVICE_NUMBERS)

/* The frames behind a header: as many as an element has components. */
#define POD_SERVICE_MOST_FRAMES POD_MAX_COMPONENTS

typedef enum pod_message_kind {
    POD_SAYS_REFUSED = 1, /* to anybody. Frame: why */
    /* A worker and its dispatcher. */
    POD_SAYS_REGISTER,   /* worker: id. Frame: its address */
    POD_SAYS_REGISTERED, /* dispatcher */
    /* A consumer and the dispatcher. */
    POD_SAYS_JOIN,    /* consumer: id, mode, sharding, split size, end (-1: not known), private, lanes. Frames: job,
                       * pipeline */
    POD_SAYS_JOINED,  /* dispatcher: job, and as WORKERS */
    POD_SAYS_BEAT,    /* consumer: id, job */
    POD_SAYS_WORKERS, /* dispatcher: job. Frame: an id and an address a line */
    POD_SAYS_ASK,     /* consumer: id, job, request, round, worker, end (-1: not known), the worker's lane (-1: not
                       * known). Frames: splits done; the next of each lane */
    POD_SAYS_SPLIT,   /* dispatcher: request, split (-1: none now), how many others have in hand, the worker's lane */
    POD_SAYS_UNKNOWN, /* dispatcher: request: it knows no such job */
    POD_SAYS_LEAVE,   /* consumer: id, job */
    /* A consumer and a worker. */
    POD_SAYS_OPEN,   /* consumer: session, window in bytes, compresses. Frame: the pipeline's name */
    POD_SAYS_OPENED, /* worker: it has the pipeline */
    POD_SAYS_WANTED, /* worker: it does not have it */
    POD_SAYS_RECIPE, /* consumer. Frame: the pipeline */
    POD_SAYS_READ,   /* consumer: ticket, first, count (-1: to the end), skip, files, file, epoch, repetition; `files`
                      * below 0: of the source's blocks of -files elements number `file` */
    POD_SAYS_CREDIT, /* consumer: bytes that were taken */
    POD_SAYS_PING,   /* consumer: it is there */
    POD_SAYS_DATA,   /* worker: ticket, first, count, cost in bytes. Frames: a component each */
    POD_SAYS_ENDED,  /* worker: ticket, elements, whether the pipeline has ended there, of blocks the source */
    POD_SAYS_STATS,  /* worker: nanoseconds since the last one that it waited for credit, for something to read. Frame:
                      * what its stages did since then (see remote_stats.h) */
    POD_SAYS_FAILED, /* worker: ticket, status. Frame: the message */
    POD_SAYS_CLOSE,  /* either: there is no session, or no longer. A worker answers it, and nothing comes behind */
    POD_SAYS_LAST = POD_SAYS_CLOSE
} pod_message_kind;

typedef struct pod_header {
    uint32_t version;
    pod_message_kind kind;
    int64_t numbers[POD_SERVICE_NUMBERS];
} pod_header;

/* Reads a header; false where it is none. One of another version has its version, and nothing else. */
bool pod_service_read_header(const void *bytes, size_t size, pod_header *header);

void pod_service_write_header(const pod_header *header, unsigned char bytes[POD_SERVICE_HEADER_SIZE]);

/* A message that came. */
typedef struct pod_envelope {
    pod_header header;
    zmq_msg_t sender; /* of sockets that know many peers */
    bool has_sender;
    zmq_msg_t frames[POD_SERVICE_MOST_FRAMES];
    size_t count;
} pod_envelope;

/* Takes a message without waiting. False where there is none. *sound: it is a message of this version; one that is not
 * has its sender, and header.version where that is what is wrong with it (else 0). `routed`: the socket is a ROUTER.
 * The envelope is to be dropped in any case where true is returned. */
bool pod_service_receive(void *socket, bool routed, pod_envelope *envelope, bool *sound);
void pod_service_drop(pod_envelope *envelope);

/* The bytes of a frame; none where there are fewer frames. Borrowed. */
pod_bytes pod_service_frame(const pod_envelope *envelope, size_t index);

/* The same as a text of at least one byte, none of them zero, and shorter than `size`, copied; false where it is none.
 */
bool pod_service_frame_text(const pod_envelope *envelope, size_t index, char *text, size_t size);

/* Sends a header and frames, to `receiver` where that is not NULL; without waiting. False where it did not go. */
bool pod_service_send(void *socket, const zmq_msg_t *receiver, const pod_header *header, const pod_bytes *frames,
                      size_t count);

/* Says why a peer of another version is refused. */
void pod_service_refuse_version(void *socket, const pod_envelope *envelope);

/* Passes a message of several frames on from socket to socket without looking at it; false where nothing came, *sent
 * tells whether it went. */
bool pod_service_forward(void *from, void *to, bool *sent);

#endif
