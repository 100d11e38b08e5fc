/* compatibility - what a chip does with the ops of a graph: see moonpod/compatibility.h. */

#include "base/growth.h"
#include "moonpod/compatibility.h"
#include "moonpod/exchange.h"

#include "base/context.h"
#include "base/error.h"
#include "graph/composites.h"
#include "graph/node.h"

#include <stdio.h>
#include <string.h>

const char *pod_support_name(pod_support support)
{
    static const char *const names[] = {"unknown", "supported", "slow", "refused"};
    return (unsigned)support < sizeof names / sizeof *names ? names[support] : names[0];
}

/* ---- ops as such ----------------------------------------------------------------------------- */

typedef struct reason {
    const char *why, *instead;
} reason;

static const reason reasons[POD_OP_COUNT] = {
#define POD_RULE_ROW(op, why, instead) [POD_OP_##op] = {why, instead},
#include "advisor/compatibility.def"
#undef POD_RULE_ROW
};

pod_op_rule pod_chip_op_rule(const pod_chip *chip, pod_host_kind host, pod_op op)
{
    if (op < 0 || op >= POD_OP_COUNT)
        return (pod_op_rule){POD_SUPPORT_NONE, NULL, NULL};
    pod_op_rule rule = {POD_SUPPORT_FULL, reasons[op].why, reasons[op].instead};
    switch (pod_op_get(op)->tpu) {
    case POD_TPU_OK:
        return (pod_op_rule){POD_SUPPORT_FULL, NULL, NULL};
    case POD_TPU_SLOW:
        rule.support = POD_SUPPORT_SLOW;
        break;
    case POD_TPU_HOST:
        rule.support = host == POD_HOST_NODE ? POD_SUPPORT_REFUSED : POD_SUPPORT_SLOW;
        if (host == POD_HOST_NODE)
            rule.reason = "the host is another machine, which the chip cannot call in a step";
        break;
    case POD_TPU_READ:
        rule.support = POD_SUPPORT_REFUSED;
        break;
    }
    if ((op == POD_OP_GATHER || op == POD_OP_SCATTER) && chip->sparse_cores > 0)
        rule.instead = "large embedding tables go to this chip's SparseCores (through their own library); for up to "
                       "some thousand rows multiply a one-hot matrix";
    return rule;
}

/* ---- findings -------------------------------------------------------------------------------- */

struct pod_compatibility {
    pod_context *context; /* shared */
    pod_finding *findings;
    size_t count, refused, room, nodes; /* the refused ones are the first */
};

typedef struct checker {
    pod_compatibility *check;
    const pod_graph *graph; /* all of it */
    const pod_chip *chip;
    pod_host_kind host;
    bool failed;
    int composites; /* that are around the node */
} checker;

/* Keeps a finding, or counts it to an equal one; returns it, or NULL where there is no memory. `kind` and `op` must
 * live as long as the graph. */
static pod_finding *find(checker *c, const pod_node *node, pod_support support, const char *kind, const char *op,
                         const char *why, const char *instead)
{
    pod_compatibility *check = c->check;
    for (size_t i = 0; i < check->count; i++) {
        pod_finding *one = &check->findings[i];
        if (one->support == support && one->location == node->location && one->scope == node->scope &&
            strcmp(one->kind, kind) == 0 && strcmp(one->op, op) == 0) {
            one->count++;
            return one;
        }
    }
    if (pod_grow(check->context, &check->findings, &check->room, check->count + 1,
                 (pod_growth){sizeof *check->findings, .first = 32}, NULL) != POD_OK) {
        c->failed = true;
        return NULL;
    }
    const size_t place = support == POD_SUPPORT_REFUSED ? check->refused++ : check->count;
    pod_finding *finding = &check->findings[place];
    memmove(finding + 1, finding, (check->count++ - place) * sizeof *finding);
    *finding = (pod_finding){.support = support,
                             .kind = kind,
                             .node = node->id,
                             .op = op,
                             .location = node->location,
                             .scope = node->scope,
                             .count = 1,
                             .labels = -1};
    snprintf(finding->reason, sizeof finding->reason, "%s", why);
    snprintf(finding->instead, sizeof finding->instead, "%s", instead);
    return finding;
}

static const char *op_text(const pod_node *node)
{
    if (node->op == POD_OP_OPAQUE && node->attributes->name)
        return node->attributes->name;
    return pod_op_get(node->op)->stablehlo;
}

static bool is_product(pod_op op)
{
    return op == POD_OP_DOT || op == POD_OP_CONVOLUTION || op == POD_OP_CONVOLUTION_INPUT_GRADIENT ||
           op == POD_OP_CONVOLUTION_KERNEL_GRADIENT;
}

/* 64 bits and float16: by what the results are. A constant is folded or costs nothing. */
static void check_types(checker *c, const pod_node *node)
{
    if (node->op == POD_OP_CONSTANT || node->op == POD_OP_RESULT)
        return;
    for (uint32_t i = 0; i < node->result_count; i++) {
        if (pod_shape_elements(&node->results[i].shape) <= 1)
            continue; /* a counter costs nothing */
        pod_element element = pod_node_element(node, i);
        bool whole = element == POD_ELEMENT_S64 || element == POD_ELEMENT_U64;
        if (whole && c->composites > 0)
            continue;
        if (whole && is_product(node->op))
            find(c, node, POD_SUPPORT_REFUSED, "64-bit", op_text(node),
                 "products of 64-bit integers have no form on the chip (\"While rewriting computation to not contain "
                 "X64 element types ...\")",
                 "use int32");
        else if (whole)
            find(c, node, POD_SUPPORT_SLOW, "64-bit", op_text(node),
                 "64-bit integers are two arrays of 32 bits: twice the memory and several times the work", "use int32");
        else if (element == POD_ELEMENT_F64 || element == POD_ELEMENT_C128)
            find(c, node, POD_SUPPORT_SLOW, "64-bit", op_text(node),
                 "the chip has no float64: it is emulated by pairs of float32, ten times and more the work, and not in "
                 "float64's range",
                 "use float32; where sums are long, sum parts first");
        else if (element == POD_ELEMENT_F16)
            find(c, node, POD_SUPPORT_SLOW, "float16", op_text(node),
                 "the matrix units multiply bfloat16; float16 is converted, and overflows past 65504",
                 "use bfloat16, which needs no loss scaling");
        else
            continue;
        return;
    }
}

/* The value below conversions and changes of shape. */
static const pod_node *source_of(const pod_node *node)
{
    while (node->op == POD_OP_BROADCAST || node->op == POD_OP_RESHAPE || node->op == POD_OP_CONVERT ||
           node->op == POD_OP_TRANSPOSE)
        node = node->inputs[0];
    return node;
}

/* A comparison of numbers with 0, 1, 2 ...: a one-hot encoding. */
static void check_one_hot(checker *c, const pod_node *node)
{
    const pod_shape *shape = &node->results[0].shape;
    if (node->op != POD_OP_COMPARE || node->attributes->comparison != POD_COMPARE_EQ || shape->rank < 2)
        return;
    bool left = source_of(node->inputs[0])->op == POD_OP_IOTA, right = source_of(node->inputs[1])->op == POD_OP_IOTA;
    if (left == right)
        return;
    const pod_node *numbers = source_of(node->inputs[left ? 1 : 0]);
    if (pod_shape_elements(&numbers->results[0].shape) <= 1)
        return;
    char why[POD_FINDING_TEXT_SIZE], bytes[POD_BYTES_TEXT_SIZE];
    pod_error error;
    pod_layout layout;
    pod_layout_bytes size = {0, 0};
    if (pod_layout_choose(c->chip, POD_ELEMENT_F32, shape, POD_LAYOUT_ROW_MAJOR, &layout, &error) != POD_OK ||
        pod_layout_measure(POD_ELEMENT_F32, shape, &layout, &size, &error) != POD_OK)
        size.padded = INT64_MAX;
    snprintf(why, sizeof why,
             "one-hot values take up to %s where they are stored in float32, class numbers a fraction of it",
             pod_bytes_format(size.padded, bytes));
    find(c, node, POD_SUPPORT_SLOW, "one-hot", "one_hot", why,
         "a sparse cross-entropy takes class numbers; so does a gather that picks one of a row");
}

static bool is_call_of(const pod_node *node, const char *name)
{
    return node->op == POD_OP_CALL && node->attributes->name && strcmp(node->attributes->name, name) == 0;
}

/* log(p), or logits less the logarithm of a sum of exponentials, however that sum is kept in range. */
static bool is_log_probability(const pod_node *node)
{
    if (node->op == POD_OP_LOG || is_call_of(node, "log_softmax"))
        return true;
    if (node->op != POD_OP_SUBTRACT)
        return false;
    const pod_node *normal = source_of(node->inputs[1]);
    if (normal->op == POD_OP_ADD)
        return source_of(normal->inputs[0])->op == POD_OP_LOG || source_of(normal->inputs[1])->op == POD_OP_LOG;
    return normal->op == POD_OP_LOG;
}

/* Labels as large as the logits: the composite, or an input times the logarithms of probabilities. */
static void check_loss(checker *c, const pod_node *node)
{
    const pod_node *labels = NULL;
    if (node->op == POD_OP_MULTIPLY && node->results[0].shape.rank >= 2)
        for (int side = 0; side < 2 && !labels; side++)
            if (is_log_probability(source_of(node->inputs[side])) &&
                source_of(node->inputs[1 - side])->op == POD_OP_PARAMETER)
                labels = source_of(node->inputs[1 - side]);
    if (!labels && !is_call_of(node, "softmax_cross_entropy"))
        return;
    pod_finding *found =
        find(c, node, POD_SUPPORT_SLOW, "one-hot", "cross_entropy",
             "the labels are as large as the logits: if they are one-hot, class numbers say the same",
             "sparse_categorical_crossentropy with class numbers (labels that are no one-hot, as smoothed or mixed "
             "ones, need this form)");
    for (uint32_t i = 0; found && labels && i < c->graph->parameter_count; i++)
        if (c->graph->parameters[i] == labels)
            found->labels = i;
}

/* Calls of foreign code that the compiler takes out or has itself. */
static bool is_known_call(const char *name)
{
    static const char *const known[] = {"Sharding",
                                        "SPMDFullToShardShape",
                                        "SPMDShardToFullShape",
                                        "annotate_device_placement",
                                        "TopK",
                                        "ApproxTopK",
                                        "PartialReduce",
                                        "Qr",
                                        "Eigh",
                                        "ProductOfElementaryHouseholderReflectors",
                                        "LuDecomposition",
                                        "tpu_custom_call",
                                        "stablehlo.fft",
                                        "stablehlo.cholesky",
                                        "stablehlo.triangular_solve",
                                        "chlo.",
                                        "stablehlo."};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i]);
        if (known[i][length - 1] == '.' ? strncmp(name, known[i], length) == 0 : strcmp(name, known[i]) == 0)
            return true;
    }
    return false;
}

static void check_opaque(checker *c, const pod_node *node)
{
    const char *name = node->attributes->name ? node->attributes->name : "custom_call";
    const char *target = strncmp(name, "custom_call @", 13) == 0 ? name + 13 : name;
    if (strcmp(target, "stablehlo.set_dimension_size") == 0) {
        find(c, node, POD_SUPPORT_SLOW, "dynamic shape", target,
             "the array is kept and computed with at the most that it may be, whatever of it counts",
             "fixed sizes and a mask; in TensorFlow tf.unique, tf.boolean_mask, tf.where of one argument and sparse "
             "gradients of some optimizers make such arrays");
        return;
    }
    if (strcmp(target, "stablehlo.gather") == 0 || strcmp(target, "stablehlo.scatter") == 0 ||
        strcmp(target, "stablehlo.sort") == 0) {
        const pod_op like = pod_op_from_name(target + strlen("stablehlo."));
        const pod_op_rule rule = pod_chip_op_rule(c->chip, c->host, like);
        find(c, node, rule.support, like == POD_OP_SORT ? "op" : "sparse access", pod_op_name(like), rule.reason,
             rule.instead);
        return;
    }
    if (is_known_call(target))
        return;
    if (strstr(target, "callback")) {
        bool node_host = c->host == POD_HOST_NODE;
        find(c, node, node_host ? POD_SUPPORT_REFUSED : POD_SUPPORT_SLOW, "host callback", target,
             node_host ? "the host is another machine, which the chip cannot call in a step"
                       : "the chip waits in each step for a function on the host",
             "write it with ops of the chip, or call it after the step with returned values");
        return;
    }
    char why[POD_FINDING_TEXT_SIZE];
    snprintf(why, sizeof why, "the chip has no kernel of this name (\"Custom emitter for %.120s not found\")", target);
    find(c, node, POD_SUPPORT_REFUSED, "custom call", target, why,
         "write it with ops that the chip has, or as a kernel in Pallas");
}

/* In a composite, indices are 64 bits wide, labels are checked and compared with counters as this library computes
 * them; on the chip they are none of that. */
static void check_node(checker *c, const pod_node *node)
{
    if (c->composites > 0 && node->op == POD_OP_CHECK)
        return;
    check_types(c, node);
    if (c->composites == 0)
        check_one_hot(c, node);
    check_loss(c, node);
    if (node->op == POD_OP_OPAQUE) {
        check_opaque(c, node);
        return;
    }
    pod_dtype dtype = node->result_count > 0 ? node->results[0].dtype : POD_DTYPE_NONE;
    if ((node->op == POD_OP_DIVIDE || node->op == POD_OP_REMAINDER) && pod_dtype_is_integer(dtype) &&
        node->results[0].shape.rank > 0)
        find(c, node, POD_SUPPORT_SLOW, "op", op_text(node), "integer division is a loop on the vector unit",
             "shift by powers of two, or divide in float32");
    pod_op_rule rule = pod_chip_op_rule(c->chip, c->host, node->op);
    if (rule.support == POD_SUPPORT_FULL)
        return;
    bool sparse = node->op == POD_OP_GATHER || node->op == POD_OP_SCATTER;
    bool host = pod_op_get(node->op)->tpu == POD_TPU_HOST;
    find(c, node, rule.support,
         sparse ? "sparse access"
         : host ? "host callback"
                : "op",
         host ? pod_op_get(node->op)->name : op_text(node), rule.reason, rule.instead);
}

static void check_graph(checker *c, const pod_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count && !c->failed; i++) {
        const pod_node *node = graph->nodes[i];
        c->check->nodes++;
        check_node(c, node);
        /* The gradient of a call is in the graph where it is used. */
        uint32_t regions = node->op == POD_OP_CALL && node->region_count > 1 ? 1 : node->region_count;
        const bool composite = node->op == POD_OP_CALL && pod_graph_composite_find(node->attributes->name);
        c->composites += composite;
        for (uint32_t j = 0; j < regions; j++)
            check_graph(c, node->regions[j]);
        c->composites -= composite;
    }
}

pod_status pod_compatibility_check(const pod_graph *graph, const pod_chip *chip, pod_host_kind host,
                                   pod_compatibility **check, pod_error *error)
{
    *check = pod_allocate_zeroed(graph->context, 1, sizeof **check);
    if (!*check)
        return pod_error_memory(error, "a check of compatibility", sizeof **check);
    (*check)->context = pod_context_retain(graph->context);
    checker c = {*check, graph, chip, host, false, 0};
    check_graph(&c, graph);
    if (!c.failed)
        return POD_OK;
    const size_t bytes = (*check)->count * sizeof *(*check)->findings;
    pod_compatibility_free(*check);
    *check = NULL;
    return pod_error_memory(error, "a check of compatibility", bytes);
}

void pod_compatibility_free(pod_compatibility *check)
{
    if (!check)
        return;
    pod_context *context = check->context;
    pod_free(context, check->findings);
    pod_free(context, check);
    pod_context_release(context);
}

size_t pod_compatibility_count(const pod_compatibility *check)
{
    return check->count;
}

const pod_finding *pod_compatibility_finding(const pod_compatibility *check, size_t index)
{
    return index < check->count ? &check->findings[index] : NULL;
}

size_t pod_compatibility_nodes(const pod_compatibility *check)
{
    return check->nodes;
}
