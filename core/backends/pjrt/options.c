/* options - what a plugin has to be told of a compilation: CompileOptionsProto of xla/pjrt/proto. */

#include "options.h"

#include "formats/protobuf.h"

#include <stdlib.h>

enum { BUILD_OPTIONS = 3, OVERRIDES = 7 };                                    /* of CompileOptionsProto */
enum { REPLICAS = 4, PARTITIONS = 5, DIVIDES = 6, DEVICES = 9, SHARDY = 19 }; /* of ExecutableBuildOptionsProto */
enum { REPLICA_DEVICES = 1 };                                                 /* of its ComputationDevice */
enum { REPLICA_COUNT = 1, PARTITION_COUNT = 2, DEVICES_OF = 3 };              /* of DeviceAssignmentProto */
enum { OVERRIDE_NAME = 1, OVERRIDE = 2 };                                     /* of an entry of its overrides */
enum { OVERRIDE_BOOLEAN = 2 };                                                /* of OptionOverrideProto */

void pod_pjrt_write_options(pod_text *to, int32_t replicas, int32_t partitions, bool shardy)
{
    const size_t build = pod_format_open_message(to, BUILD_OPTIONS);
    pod_format_put_integer(to, REPLICAS, replicas);
    pod_format_put_integer(to, PARTITIONS, partitions);
    if (partitions > 1)
        pod_format_put_integer(to, DIVIDES, 1);
    const size_t devices = pod_format_open_message(to, DEVICES);
    pod_format_put_integer(to, REPLICA_COUNT, replicas);
    pod_format_put_integer(to, PARTITION_COUNT, partitions);
    for (int64_t i = 0; i < partitions; i++) {
        const size_t of = pod_format_open_message(to, DEVICES_OF);
        const size_t list = pod_format_open_message(to, REPLICA_DEVICES);
        for (int64_t j = 0; j < replicas; j++)
            pod_format_put_varint(to, (uint64_t)(j * partitions + i));
        pod_format_close_message(to, list);
        pod_format_close_message(to, of);
    }
    pod_format_close_message(to, devices);
    if (shardy) {
        pod_format_put_varint(to, SHARDY << 3 | POD_WIRE_VARINT);
        pod_format_put_varint(to, 1);
    }
    pod_format_close_message(to, build);
}

static void override(pod_text *to, const char *name, int64_t value)
{
    const size_t entry = pod_format_open_message(to, OVERRIDES);
    pod_format_put_text(to, OVERRIDE_NAME, name);
    const size_t of = pod_format_open_message(to, OVERRIDE);
    pod_format_put_integer(to, OVERRIDE_BOOLEAN, value);
    pod_format_close_message(to, of);
    pod_format_close_message(to, entry);
}

void pod_pjrt_write_cpu_options(pod_text *to, bool fewer_copies)
{
    override(to, "xla_cpu_enable_fast_min_max", 0);
    if (fewer_copies)
        override(to, "xla_" POD_PJRT_FEWER_COPIES, 1);
}

void pod_pjrt_set_environment(void)
{
    static const char *const values[][2] = {
        {"TPU_SKIP_MDS_QUERY", "1"},           {"ALLOW_MULTIPLE_LIBTPU_LOAD", "1"},
        {"TPU_WORKER_HOSTNAMES", "localhost"}, {"TPU_ACCELERATOR_TYPE", "v5litepod-4"},
        {"TPU_LOG_DIR", "disabled"},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        (void)setenv(values[i][0], values[i][1], 1);
}
