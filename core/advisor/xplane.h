#ifndef POD_ADVISOR_XPLANE_H
#define POD_ADVISOR_XPLANE_H

/*
 * xplane - what XProf reads: a message XSpace of planes, which have lines of events
 * (openxla/xla, tsl/profiler/protobuf/xplane.proto). What events are of, and what is told of them, is written once for
 * each plane, under numbers.
 *
 *     const size_t plane = pod_advise_xplane_open(text, 1, "/device:TPU:0");
 *     pod_advise_xplane_put_op(text, 7, &op);
 *     const size_t line = pod_advise_xplane_open_line(text, 1, "XLA Ops");
 *     pod_format_close_message(text, pod_advise_xplane_open_event(text, 7, picoseconds, lasted));
 *     pod_format_close_message(text, line);
 *     pod_format_close_message(text, plane);
 */

#include "formats/protobuf.h"

/* What is told of planes, of events and of what these are of, by the names that XProf knows (xplane_schema.cc). */
typedef enum pod_xplane_stat {
    POD_XPLANE_GROUP = 1, /* the step */
    POD_XPLANE_PROGRAM,
    POD_XPLANE_SYMBOL,
    POD_XPLANE_CATEGORY,
    POD_XPLANE_TF_OP,
    POD_XPLANE_SOURCE,
    POD_XPLANE_FLOPS,
    POD_XPLANE_MODEL_FLOPS,
    POD_XPLANE_BYTES,
    POD_XPLANE_BYTES_BY_MEMORY,
    POD_XPLANE_DEVICE_TYPE,
    POD_XPLANE_PEAK_FLOPS,
    POD_XPLANE_PEAK_HBM,
    POD_XPLANE_PEAK_VMEM_READ,
    POD_XPLANE_PEAK_VMEM_WRITE,
    POD_XPLANE_MXU_PERCENT,
    POD_XPLANE_HBM_PERCENT,
    POD_XPLANE_CORE_DETAILS,
    POD_XPLANE_HLO_PROTO,
    POD_XPLANE_MERGED_VMEM,
    POD_XPLANE_BYTES_ALLOCATED,
    POD_XPLANE_BYTES_RESERVED,
    POD_XPLANE_BYTES_AVAILABLE,
    POD_XPLANE_PEAK_BYTES,
    POD_XPLANE_ALLOCATOR,
    POD_XPLANE_TIMES,
    POD_XPLANE_STATS
} pod_xplane_stat;

/* Fields of messages that may have stats. */
enum { POD_XPLANE_OF_PLANE = 6, POD_XPLANE_OF_EVENT = 4 };

/* One operation of a program: what XProf sums up under its name. Texts are UTF-8. */
typedef struct pod_xplane_op {
    const char *name;             /* one of its own in the program */
    const char *text;             /* all that it is */
    const char *kind;             /* "dot_general": small letters and underscores */
    const char *category, *layer; /* the latter may be NULL, as may: */
    const char *location;         /* "train.lua:12" */
    uint64_t program;
    double flops, bytes; /* of one event */
    double hbm_bytes;    /* of those; the others are near the cores */
    double times;        /* that it runs in one event */
} pod_xplane_op;

/* Writes an op under a number above 0; its events tell it. */
void pod_advise_xplane_put_op(pod_text *to, uint64_t number, const pod_xplane_op *op);

/* Writes what other events are of. */
void pod_advise_xplane_put_name(pod_text *to, uint64_t number, const char *name);

/* Begin a plane, a line of it and an event, for pod_format_close_message(). Times are picoseconds. */
size_t pod_advise_xplane_open(pod_text *to, uint64_t number, const char *name);
size_t pod_advise_xplane_open_line(pod_text *to, uint64_t number, const char *name);
size_t pod_advise_xplane_open_event(pod_text *to, uint64_t number, uint64_t began, uint64_t lasted);

/* Write a stat into a message; `field`: of what. */
void pod_advise_xplane_put_number(pod_text *to, unsigned field, pod_xplane_stat stat, uint64_t value);
void pod_advise_xplane_put_real(pod_text *to, unsigned field, pod_xplane_stat stat, double value);
void pod_advise_xplane_put_text(pod_text *to, unsigned field, pod_xplane_stat stat, const char *value);

/* Writes an event of a step. */
void pod_advise_xplane_put_event(pod_text *to, uint64_t number, uint64_t began, uint64_t lasted, uint64_t step);

/* What a device is. */
typedef struct pod_xplane_device {
    const char *type;
    double flops, hbm, vmem; /* peaks a second; 0: not known */
} pod_xplane_device;

/* Writes what the device of a plane is: the first of its host. */
void pod_advise_xplane_put_device(pod_text *to, const pod_xplane_device *device);

/* Bytes of HBM that a program has. */
typedef struct pod_xplane_buffer {
    enum { POD_XPLANE_ARGUMENT, POD_XPLANE_OUTPUT, POD_XPLANE_TEMPORARY } use;
    const char *name;                 /* of an argument; NULL: it has none */
    uint64_t bytes, unpadded, offset; /* the latter of temporaries */
    size_t op, last;                  /* what makes it, and what reads it last; not of arguments */
} pod_xplane_buffer;

typedef struct pod_xplane_program {
    const char *name;
    uint64_t number;
    const pod_xplane_op *ops; /* in the order of the schedule */
    size_t op_count;
    const pod_xplane_buffer *buffers;
    size_t buffer_count;
    uint64_t temporary_bytes; /* of the block that temporaries lie in; 0: as far as they reach */
} pod_xplane_program;

/* Writes a program as a message HloProto: custom calls in the order of the schedule, each with those of its operands
 * that nothing reads later, and which bytes live when. */
void pod_advise_xplane_put_program(pod_text *to, const pod_xplane_program *program);

/* Writes the plane of programs. */
void pod_advise_xplane_put_programs(pod_text *to, uint64_t plane, const pod_xplane_program *programs, size_t count);

#endif
