/* xplane - see xplane.h. */

#include "advisor/xplane.h"
#include "advisor/profile_output.h"

#include <stdio.h>

/* Numbers of fields. */
enum { PLANE = 1 };                                                                          /* of XSpace */
enum { PLANE_NUMBER = 1, PLANE_NAME = 2, LINES = 3, EVENT_METADATA = 4, STAT_METADATA = 5 }; /* of XPlane */
enum { LINE_NUMBER = 1, LINE_NAME = 2, EVENTS = 4 };                                         /* of XLine */
enum { EVENT_OF = 1, OFFSET = 2, DURATION = 3 };                                             /* of XEvent */
enum { METADATA_NUMBER = 1, METADATA_NAME = 2, DISPLAY_NAME = 4, METADATA_STATS = 5 };       /* of X...Metadata */
enum { STAT_OF = 1, REAL = 2, INTEGER = 4, TEXT = 5, BYTES = 6 };                            /* of XStat */
enum { KEY = 1, VALUE = 2 };                                                                 /* of entries of maps */

static const char *const stat_names[POD_XPLANE_STATS] = {
    [POD_XPLANE_GROUP] = "group_id",
    [POD_XPLANE_PROGRAM] = "program_id",
    [POD_XPLANE_SYMBOL] = "symbol_id",
    [POD_XPLANE_CATEGORY] = "hlo_category",
    [POD_XPLANE_TF_OP] = "tf_op",
    [POD_XPLANE_SOURCE] = "source",
    [POD_XPLANE_FLOPS] = "flops",
    [POD_XPLANE_MODEL_FLOPS] = "model_flops",
    [POD_XPLANE_BYTES] = "bytes_accessed",
    [POD_XPLANE_BYTES_BY_MEMORY] = "memory_access_breakdown",
    [POD_XPLANE_DEVICE_TYPE] = "device_type_string",
    [POD_XPLANE_PEAK_FLOPS] = "peak_teraflops_per_second",
    [POD_XPLANE_PEAK_HBM] = "peak_hbm_bw_gigabytes_per_second",
    [POD_XPLANE_PEAK_VMEM_READ] = "peak_vmem_rd_bw_gigabytes_per_second",
    [POD_XPLANE_PEAK_VMEM_WRITE] = "peak_vmem_wr_bw_gigabytes_per_second",
    [POD_XPLANE_MXU_PERCENT] = "matrix_unit_utilization_percent",
    [POD_XPLANE_HBM_PERCENT] = "hbm_utilization_percent",
    [POD_XPLANE_CORE_DETAILS] = "core_details",
    [POD_XPLANE_HLO_PROTO] = "Hlo Proto",
    [POD_XPLANE_MERGED_VMEM] = "has_merged_vmem",
    [POD_XPLANE_BYTES_ALLOCATED] = "bytes_allocated",
    [POD_XPLANE_BYTES_RESERVED] = "bytes_reserved",
    [POD_XPLANE_BYTES_AVAILABLE] = "bytes_available",
    [POD_XPLANE_PEAK_BYTES] = "peak_bytes_in_use",
    [POD_XPLANE_ALLOCATOR] = "allocator_name",
    [POD_XPLANE_TIMES] = "times",
};

static size_t open_stat(pod_text *to, unsigned field, pod_xplane_stat stat)
{
    const size_t message = pod_format_open_message(to, field);
    pod_format_put_integer(to, STAT_OF, stat);
    return message;
}

void pod_advise_xplane_put_number(pod_text *to, unsigned field, pod_xplane_stat stat, uint64_t value)
{
    const size_t message = open_stat(to, field, stat);
    pod_format_put_integer(to, INTEGER, (int64_t)value);
    pod_format_close_message(to, message);
}

void pod_advise_xplane_put_real(pod_text *to, unsigned field, pod_xplane_stat stat, double value)
{
    const size_t message = open_stat(to, field, stat);
    pod_format_put_double(to, REAL, value);
    pod_format_close_message(to, message);
}

void pod_advise_xplane_put_text(pod_text *to, unsigned field, pod_xplane_stat stat, const char *value)
{
    const size_t message = open_stat(to, field, stat);
    pod_advise_output_put_clean(to, TEXT, value);
    pod_format_close_message(to, message);
}

size_t pod_advise_xplane_open(pod_text *to, uint64_t number, const char *name)
{
    const size_t plane = pod_format_open_message(to, PLANE);
    pod_format_put_integer(to, PLANE_NUMBER, (int64_t)number);
    pod_format_put_text(to, PLANE_NAME, name);
    for (int i = POD_XPLANE_GROUP; i < POD_XPLANE_STATS; i++) {
        const size_t entry = pod_format_open_message(to, STAT_METADATA);
        pod_format_put_integer(to, KEY, i);
        const size_t metadata = pod_format_open_message(to, VALUE);
        pod_format_put_integer(to, METADATA_NUMBER, i);
        pod_format_put_text(to, METADATA_NAME, stat_names[i]);
        pod_format_close_message(to, metadata);
        pod_format_close_message(to, entry);
    }
    return plane;
}

size_t pod_advise_xplane_open_line(pod_text *to, uint64_t number, const char *name)
{
    const size_t line = pod_format_open_message(to, LINES);
    pod_format_put_integer(to, LINE_NUMBER, (int64_t)number);
    pod_format_put_text(to, LINE_NAME, name);
    return line;
}

size_t pod_advise_xplane_open_event(pod_text *to, uint64_t number, uint64_t began, uint64_t lasted)
{
    const size_t event = pod_format_open_message(to, EVENTS);
    pod_format_put_integer(to, EVENT_OF, (int64_t)number);
    pod_format_put_integer(to, OFFSET, (int64_t)began);
    pod_format_put_integer(to, DURATION, (int64_t)lasted);
    return event;
}

void pod_advise_xplane_put_event(pod_text *to, uint64_t number, uint64_t began, uint64_t lasted, uint64_t step)
{
    const size_t event = pod_advise_xplane_open_event(to, number, began, lasted);
    pod_advise_xplane_put_number(to, POD_XPLANE_OF_EVENT, POD_XPLANE_GROUP, step);
    pod_format_close_message(to, event);
}

/* An entry of the map of what events are of. */
typedef struct metadata {
    size_t entry, value;
} metadata;

static metadata open_metadata(pod_text *to, uint64_t number, const char *name)
{
    metadata m = {.entry = pod_format_open_message(to, EVENT_METADATA)};
    pod_format_put_integer(to, KEY, (int64_t)number);
    m.value = pod_format_open_message(to, VALUE);
    pod_format_put_integer(to, METADATA_NUMBER, (int64_t)number);
    pod_advise_output_put_clean(to, METADATA_NAME, name);
    return m;
}

static void close_metadata(pod_text *to, metadata m)
{
    pod_format_close_message(to, m.value);
    pod_format_close_message(to, m.entry);
}

void pod_advise_xplane_put_name(pod_text *to, uint64_t number, const char *name)
{
    close_metadata(to, open_metadata(to, number, name));
}

static uint64_t rounded(double value)
{
    return value > 0 ? (uint64_t)(value + 0.5) : 0;
}

/* A MemoryAccessBreakdown (op_metrics.proto). What is written is not told apart from what is read. */
static void put_breakdown(pod_text *to, const pod_xplane_op *op)
{
    enum { ACCESSED = 1, OPERATION = 1, SPACE = 2, ACCESSED_BYTES = 3, READ = 1, HBM = 1, VMEM = 3 };
    const struct {
        int space;
        double bytes;
    } parts[] = {{HBM, op->hbm_bytes}, {VMEM, op->bytes - op->hbm_bytes}};
    const size_t stat = open_stat(to, METADATA_STATS, POD_XPLANE_BYTES_BY_MEMORY);
    const size_t breakdown = pod_format_open_message(to, BYTES);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const size_t accessed = pod_format_open_message(to, ACCESSED);
        pod_format_put_integer(to, OPERATION, READ);
        pod_format_put_integer(to, SPACE, parts[i].space);
        pod_format_put_integer(to, ACCESSED_BYTES, (int64_t)rounded(parts[i].bytes));
        pod_format_close_message(to, accessed);
    }
    pod_format_close_message(to, breakdown);
    pod_format_close_message(to, stat);
}

void pod_advise_xplane_put_op(pod_text *to, uint64_t number, const pod_xplane_op *op)
{
    const metadata m = open_metadata(to, number, op->text);
    pod_advise_output_put_clean(to, DISPLAY_NAME, op->name);
    pod_advise_xplane_put_number(to, METADATA_STATS, POD_XPLANE_PROGRAM, op->program);
    pod_advise_xplane_put_number(to, METADATA_STATS, POD_XPLANE_SYMBOL, number);
    pod_advise_xplane_put_text(to, METADATA_STATS, POD_XPLANE_CATEGORY, op->category);
    if (op->layer) {
        char name[512];
        snprintf(name, sizeof name, "%.400s:%s", op->layer, op->kind);
        pod_advise_xplane_put_text(to, METADATA_STATS, POD_XPLANE_TF_OP, name);
    }
    if (op->location)
        pod_advise_xplane_put_text(to, METADATA_STATS, POD_XPLANE_SOURCE, op->location);
    pod_advise_xplane_put_number(to, METADATA_STATS, POD_XPLANE_FLOPS, rounded(op->flops));
    pod_advise_xplane_put_number(to, METADATA_STATS, POD_XPLANE_MODEL_FLOPS, rounded(op->flops));
    pod_advise_xplane_put_number(to, METADATA_STATS, POD_XPLANE_BYTES, rounded(op->bytes));
    put_breakdown(to, op);
    if (op->times > 1)
        pod_advise_xplane_put_real(to, METADATA_STATS, POD_XPLANE_TIMES, op->times);
    close_metadata(to, m);
}

void pod_advise_xplane_put_device(pod_text *to, const pod_xplane_device *device)
{
    enum { LOCAL_CHIP = 4, GLOBAL_CHIP = 5 };
    pod_advise_xplane_put_text(to, POD_XPLANE_OF_PLANE, POD_XPLANE_DEVICE_TYPE, device->type);
    pod_advise_xplane_put_real(to, POD_XPLANE_OF_PLANE, POD_XPLANE_PEAK_FLOPS, device->flops * 1e-12);
    pod_advise_xplane_put_real(to, POD_XPLANE_OF_PLANE, POD_XPLANE_PEAK_HBM, device->hbm * 1e-9);
    pod_advise_xplane_put_real(to, POD_XPLANE_OF_PLANE, POD_XPLANE_PEAK_VMEM_READ, device->vmem * 1e-9);
    pod_advise_xplane_put_real(to, POD_XPLANE_OF_PLANE, POD_XPLANE_PEAK_VMEM_WRITE, device->vmem * 1e-9);
    pod_advise_xplane_put_number(to, POD_XPLANE_OF_PLANE, POD_XPLANE_MERGED_VMEM, device->vmem > 0);
    const size_t stat = open_stat(to, POD_XPLANE_OF_PLANE, POD_XPLANE_CORE_DETAILS);
    const size_t details = pod_format_open_message(to, BYTES);
    pod_format_put_integer(to, LOCAL_CHIP, 0);
    pod_format_put_integer(to, GLOBAL_CHIP, 0);
    pod_format_close_message(to, details);
    pod_format_close_message(to, stat);
}

void pod_advise_xplane_put_programs(pod_text *to, uint64_t plane, const pod_xplane_program *programs, size_t count)
{
    const size_t opened = pod_advise_xplane_open(to, plane, "/host:metadata");
    for (size_t i = 0; i < count; i++) {
        const metadata m = open_metadata(to, programs[i].number, programs[i].name);
        const size_t stat = open_stat(to, METADATA_STATS, POD_XPLANE_HLO_PROTO);
        const size_t program = pod_format_open_message(to, BYTES);
        pod_advise_xplane_put_program(to, &programs[i]);
        pod_format_close_message(to, program);
        pod_format_close_message(to, stat);
        close_metadata(to, m);
    }
    pod_format_close_message(to, opened);
}
