#ifndef MOONPOD_COMPATIBILITY_H
#define MOONPOD_COMPATIBILITY_H

/*
 * compatibility - what a TPU does with each op of a graph: runs it, runs it slowly and why, or
 * refuses it and what to write instead.
 *
 *     pod_compatibility *check;
 *     status = pod_compatibility_check(graph, pod_chip_find("v3"), POD_HOST_VM, &check, &error);
 *     for (size_t i = 0; i < pod_compatibility_count(check); i++)
 *         puts(pod_compatibility_finding(check, i)->reason);
 *     pod_compatibility_free(check);
 *
 * Verdicts follow what the compiler of 2026 accepts and refuses and what Google's guides call slow.
 * That an op is accepted does not say that it is fast, and a program whose ops all are may still
 * not fit.
 */

#include "moonpod/chip.h"
#include "moonpod/graph.h"

POD_BEGIN_C

/* What a chip does with an op. */
typedef enum pod_support {
    POD_SUPPORT_NONE, /* zero: no rule */
    POD_SUPPORT_FULL,
    POD_SUPPORT_SLOW,
    POD_SUPPORT_REFUSED
} pod_support;

/* Returns "supported", "slow" or "refused"; "unknown" for POD_SUPPORT_NONE. */
POD_API const char *pod_support_name(pod_support support);

/* Where the program that drives the chip runs. */
typedef enum pod_host_kind {
    POD_HOST_VM,  /* on the chip's own machine: host callbacks are possible */
    POD_HOST_NODE /* on another machine, through the network: they are not */
} pod_host_kind;

/* The rule of an op as such, whatever its types and sizes. */
typedef struct pod_op_rule {
    pod_support support;
    const char *reason;  /* why it is slow or refused; NULL where it is supported */
    const char *instead; /* what to write; NULL where it is supported */
} pod_op_rule;

/* Returns the rule of an op on a chip. The strings live as long as the library. */
POD_API pod_op_rule pod_chip_op_rule(const pod_chip *chip, pod_host_kind host, pod_op op);

#define POD_FINDING_TEXT_SIZE 320

/* Something in a graph that is slow or refused. */
typedef struct pod_finding {
    pod_support support;
    const char *kind; /* "op", "64-bit", "float16", "one-hot", "sparse access", "custom call" */
    uint32_t node;
    const char *op;       /* StableHLO's name; for a custom call the name of what is called */
    const char *location; /* the user's line; NULL when unknown */
    const char *scope;    /* the layer; NULL when unknown */
    char reason[POD_FINDING_TEXT_SIZE];
    char instead[POD_FINDING_TEXT_SIZE];
    size_t count;   /* of nodes of that kind, op, line and layer; `node` is the first */
    int64_t labels; /* the graph's parameter that has labels as large as the logits; -1: none of its own */
} pod_finding;

typedef struct pod_compatibility pod_compatibility;

/* Checks all nodes of a graph, those of its regions included. On success *check is the caller's, to
 * end with pod_compatibility_free(); on failure it is NULL. The graph must outlive it. Fails with
 * POD_ERROR_MEMORY only. */
POD_API POD_CHECKED pod_status pod_compatibility_check(const pod_graph *graph, const pod_chip *chip, pod_host_kind host,
                                                       pod_compatibility **check, pod_error *error);

/* Frees a check. NULL is allowed. */
POD_API void pod_compatibility_free(pod_compatibility *check);

/* Findings: refused ones first, then slow ones, each in program order. */
POD_API size_t pod_compatibility_count(const pod_compatibility *check);
POD_API const pod_finding *pod_compatibility_finding(const pod_compatibility *check, size_t index);

/* Returns the nodes that were checked. */
POD_API size_t pod_compatibility_nodes(const pod_compatibility *check);

POD_END_C

#endif
