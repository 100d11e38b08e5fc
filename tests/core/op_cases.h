#ifndef POD_TESTS_OP_CASES_H
#define POD_TESTS_OP_CASES_H

/* op_cases - a call of each op of the table, with operands and regions: what ops_shape_cases.h
 * lists, as graphs. */

#include "graph/node.h"
#include "moonpod/chip.h"
#include "test.h"

#define MOST_OPERANDS 5

typedef struct shape_case {
    pod_op op;
    const char *operands; /* "f32[2,3] s32[]" */
    const char *results;  /* as many types; NULL where it fails */
    const char *message;  /* part of what it says then */
    pod_attributes attributes;
    int regions; /* which set of regions it gets, see make_regions() */
} shape_case;

enum {
    NO_REGIONS,
    FOLD,         /* (f32[], f32[]) -> f32[] */
    FOLD_WRONG,   /* (f32[3], f32[3]) -> f32[3] */
    BODY,         /* (f32[3], s32[]) -> s32[], f32[3] */
    BODY_CUSTOM,  /* BODY and its gradient */
    BODY_PARTIAL, /* BODY with a gradient that lacks an output */
    BRANCHES,     /* BODY twice */
    BRANCHES_DIFFER,
    LOOP, /* (f32[3], s32[]) -> bool[]; (f32[3], s32[]) -> f32[3], s32[] */
    LOOP_CHANGES_TYPE
};

#define OK(op, operands, results, ...)                                                                                 \
    {                                                                                                                  \
        POD_OP_##op, operands, results, NULL, {__VA_ARGS__}, 0                                                         \
    }
#define BAD(op, operands, message, ...)                                                                                \
    {                                                                                                                  \
        POD_OP_##op, operands, NULL, message, {__VA_ARGS__}, 0                                                         \
    }
#define OK_REGIONS(op, set, operands, results, ...)                                                                    \
    {                                                                                                                  \
        POD_OP_##op, operands, results, NULL, {__VA_ARGS__}, set                                                       \
    }
#define BAD_REGIONS(op, set, operands, message, ...)                                                                   \
    {                                                                                                                  \
        POD_OP_##op, operands, NULL, message, {__VA_ARGS__}, set                                                       \
    }

static const int32_t pairs[] = {0, 1, 1, 0};
static const float numbers[6];
static const pod_value_type two_types[] = {{POD_F32, POD_ELEMENT_F32, {2, {2, 3}}},
                                           {POD_S32, POD_ELEMENT_S32, {1, {4}}}};

#include "ops_shape_cases.h"

/* ---- types as text --------------------------------------------------------------------------- */

/* Reads "f32[2,3]" and what follows it; false at the end of the text. */
static bool read_type(const char **text, pod_type *type)
{
    char name[16] = "";
    int length = 0;
    *type = (pod_type){0};
    *text += strspn(*text, " ");
    if (**text == '\0')
        return false;
    if (sscanf(*text, "%15[a-z0-9][%n", name, &length) != 1 || length == 0)
        FAIL("'%s' is no list of types", *text);
    type->dtype = pod_dtype_from_name(name);
    for (*text += length; **text != ']'; *text += **text == ',')
        type->shape.dims[type->shape.rank++] = strtoll(*text, (char **)text, 10);
    *text += 1;
    return true;
}

/* ---- regions --------------------------------------------------------------------------------- */

static const pod_shape scalar = {0};
static const pod_shape three = {1, {3}};

static pod_graph *new_region(pod_context *context, pod_node **p, const char *types)
{
    pod_graph *region;
    pod_error error;
    pod_type type;
    ASSERT_OK(pod_graph_new(context, "region", &region, &error));
    for (int i = 0; read_type(&types, &type); i++)
        p[i] = pod_graph_parameter(region, type.dtype, &type.shape, NULL);
    return region;
}

static pod_graph *fold_region(pod_context *context, const char *types)
{
    pod_node *p[2];
    pod_graph *region = new_region(context, p, types);
    pod_graph_add_output(region, pod_graph_maximum(region, p[0], p[1]));
    return region;
}

/* Outputs are the parameters, in the order that `order` gives. */
static pod_graph *pick_region(pod_context *context, const char *types, const char *order)
{
    pod_node *p[MOST_OPERANDS];
    pod_graph *region = new_region(context, p, types);
    for (; *order; order++)
        pod_graph_add_output(region, p[*order - '0']);
    return region;
}

static pod_graph *condition_region(pod_context *context)
{
    pod_node *p[2];
    pod_graph *region = new_region(context, p, "f32[3] s32[]");
    pod_graph_add_output(region,
                         pod_graph_compare(region, POD_COMPARE_LT, p[1], pod_graph_scalar(region, POD_S32, 3, NULL)));
    return region;
}

static size_t make_regions(pod_context *context, int set, pod_graph **regions)
{
    const char *types = "f32[3] s32[]";
    switch (set) {
    case FOLD:
    case FOLD_WRONG:
        regions[0] = fold_region(context, set == FOLD ? "f32[] f32[]" : "f32[3] f32[3]");
        return 1;
    case BODY:
        regions[0] = pick_region(context, types, "10");
        return 1;
    case BODY_CUSTOM:
    case BODY_PARTIAL:
        regions[0] = pick_region(context, types, "10");
        regions[1] = pick_region(context, "f32[3] s32[] s32[] f32[3]", set == BODY_CUSTOM ? "31" : "3");
        return 2;
    case BRANCHES:
    case BRANCHES_DIFFER:
        regions[0] = pick_region(context, types, "10");
        regions[1] = pick_region(context, types, set == BRANCHES ? "10" : "01");
        return 2;
    case LOOP:
    case LOOP_CHANGES_TYPE:
        regions[0] = condition_region(context);
        regions[1] = pick_region(context, types, set == LOOP ? "01" : "10");
        return 2;
    default:
        return 0;
    }
}

/* Builds the graph of a case, and its node. */
__attribute__((unused)) static pod_graph *build_case(pod_context *context, const shape_case *c, pod_node **node)
{
    pod_graph *graph, *regions[2] = {0};
    pod_node *operands[MOST_OPERANDS];
    pod_error error;
    pod_type type;
    size_t count = 0;
    const char *types = c->operands;
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
    pod_graph_set_location(graph, "model.lua:7");
    while (read_type(&types, &type))
        operands[count++] = pod_graph_parameter(graph, type.dtype, &type.shape, NULL);
    if (c->op == POD_OP_RESULT) { /* of something with two results */
        pod_attributes attributes = {.count = 1};
        operands[0] = pod_graph_apply(graph, POD_OP_TOP_K, operands, 1, &attributes, NULL, 0);
    }
    size_t region_count = make_regions(context, c->regions, regions);
    *node = pod_graph_apply(graph, c->op, operands, count, &c->attributes, regions, region_count);
    return graph;
}

#endif
