#ifndef POD_PJRT_OPTIONS_H
#define POD_PJRT_OPTIONS_H

/* options - what a plugin has to be told of a compilation. */

#include "base/text.h"

/* Appends a message CompileOptionsProto for a module of so many replicas and partitions, on the first devices in their
 * order; `shardy`: its shardings are those of the dialect sdy. */
void pod_pjrt_write_options(pod_text *to, int32_t replicas, int32_t partitions, bool shardy);

/* Appends what XLA's CPU backend has to be told besides: that maxima and minima keep what is no number, and, with
 * `fewer_copies`, that weights which a step reads before it writes them are not copied first (in W2 4 MB a step). Not
 * every version knows the latter: its failure names POD_PJRT_FEWER_COPIES. */
#define POD_PJRT_FEWER_COPIES "cpu_copy_insertion_use_region_analysis"
void pod_pjrt_write_cpu_options(pod_text *to, bool fewer_copies);

/* In a child that compiles alone: libtpu would ask the cloud which machine this is, refuse while another process has
 * it, and write its log files. */
void pod_pjrt_set_environment(void);

#endif
