#ifndef POD_GRAPH_OPS_H
#define POD_GRAPH_OPS_H

/*
 * The op table in C: one enumerator and one row for every line of ops.def. Nothing may ask how two enumerators compare:
 * what ops have in common is in their rows.
 */

#include "moonpod/graph.h"

enum {
#define POD_OP_ROW(name, ...) POD_OP_##name,
#include "ops.def"
#undef POD_OP_ROW
    POD_OP_COUNT
};

/* How an op behaves when differentiated. */
typedef enum pod_gradient_class {
    POD_GRADIENT_DIFF, /* has a rule */
    POD_GRADIENT_ZERO, /* constant almost everywhere */
    POD_GRADIENT_NONE  /* refused */
} pod_gradient_class;

/* How pod_node_flops() counts an op. */
typedef enum pod_flops_class {
    POD_FLOPS_FREE,
    POD_FLOPS_EACH,
    POD_FLOPS_EACH_IN,
    POD_FLOPS_TRANS,
    POD_FLOPS_DOT,
    POD_FLOPS_CONV,
    POD_FLOPS_WINDOW,
    POD_FLOPS_REGION
} pod_flops_class;

/* Whether a TPU runs an op well. */
typedef enum pod_tpu_class { POD_TPU_OK, POD_TPU_SLOW, POD_TPU_HOST, POD_TPU_READ } pod_tpu_class;

/* Whether an element of the result depends on the operands' elements at its place alone. */
typedef enum pod_each_class {
    POD_EACH_WHOLE, /* no */
    POD_EACH_KERNEL,
    POD_EACH_FUSED /* and loops have a block function of its name */
} pod_each_class;

/* Sets of dtypes that an op computes with. */
typedef enum pod_kinds {
    POD_KIND_BOOL = 1,
    POD_KIND_INTEGER = 2,
    POD_KIND_FLOAT = 4,
    POD_KIND_NUMBER = POD_KIND_INTEGER | POD_KIND_FLOAT,
    POD_KIND_BITS = POD_KIND_BOOL | POD_KIND_INTEGER,
    POD_KIND_ANY = POD_KIND_BOOL | POD_KIND_INTEGER | POD_KIND_FLOAT
} pod_kinds;

/* Results depend on the order of a sum. */
#define POD_BOUND_SUMS (-1)

/* The fields of pod_attributes, as bits: each op reads only some, and building clears the others.
 */
typedef enum pod_field {
    POD_FIELD_DTYPE = 1 << 0,
    POD_FIELD_SHAPE = 1 << 1,
    POD_FIELD_AXES = 1 << 2,
    POD_FIELD_AXIS = 1 << 3,
    POD_FIELD_COUNT = 1 << 4,
    POD_FIELD_DOT = 1 << 5,   /* the four lists of axes of dot */
    POD_FIELD_RANGE = 1 << 6, /* low, high, step */
    POD_FIELD_WINDOW = 1 << 7,
    POD_FIELD_COMPARISON = 1 << 8,
    POD_FIELD_REDUCTION = 1 << 9,
    POD_FIELD_FLAG = 1 << 10,
    POD_FIELD_SEED = 1 << 11,
    POD_FIELD_VALUES = 1 << 12,
    POD_FIELD_NAME = 1 << 13,
    POD_FIELD_DATA = 1 << 14,
    POD_FIELD_PRECISION = 1 << 15,
    POD_FIELD_ELEMENT = 1 << 16
} pod_field;

/* A row of the op table. */
typedef struct pod_op_row {
    const char *name;
    const char *stablehlo;
    int32_t operands; /* -1: any number */
    int32_t results;  /* -1: given by regions or operands */
    pod_kinds kinds;  /* of operands, where all have one type and the result has it too; else 0 */
    uint8_t fewest_regions, most_regions;
    pod_each_class each;
    uint32_t reads; /* pod_field bits */
    pod_gradient_class gradient;
    pod_flops_class flops;
    pod_tpu_class tpu;
    int32_t bound; /* of results: units in the last place, or POD_BOUND_SUMS */
} pod_op_row;

/* Returns the row of an op of the table: `op` must be 0 to POD_OP_COUNT - 1. */
const pod_op_row *pod_op_get(pod_op op);

/* Returns StableHLO's name of a primitive op ("dot_general"); NULL for a number that is none. */
const char *pod_op_stablehlo_name(pod_op op);

/* Returns whether every result element depends on the operands' elements at the same place alone,
 * operands and results having one shape. */
bool pod_op_is_elementwise(pod_op op);

/* Tells whether an axis is among some. */
static inline bool pod_op_has_axis(const pod_axes *axes, int32_t axis)
{
    for (int32_t i = 0; i < axes->count; i++)
        if (axes->axes[i] == axis)
            return true;
    return false;
}

#endif
