/* localize - see translate.h: modules whose arrays are divided among devices by hand. */

#include "exchange/translate.h"

#include <string.h>

pod_passage pod_exchange_passage_of(const pod_syntax_op *op)
{
    static const struct {
        const char *target;
        pod_passage passage;
    } calls[] = {{"Sharding", POD_PASSAGE_NOTE},
                 {"xla.sdy.FuncResultSharding", POD_PASSAGE_NOTE},
                 {"SPMDFullToShardShape", POD_PASSAGE_ENTER},
                 {"xla.sdy.GlobalToLocalShape", POD_PASSAGE_ENTER},
                 {"SPMDShardToFullShape", POD_PASSAGE_LEAVE},
                 {"xla.sdy.LocalToGlobalShape", POD_PASSAGE_LEAVE}};
    if (pod_exchange_span_is(op->name, "sdy.manual_computation")) {
        const pod_syntax_region *body = op->regions;
        bool whole = op->region_count == 1 && body->argument_count == op->operand_count && body->last &&
                     body->last->operand_count == op->result_count;
        return whole ? POD_PASSAGE_BODY : POD_PASSAGE_NONE;
    }
    if (op->operand_count != op->result_count)
        return POD_PASSAGE_NONE;
    if (pod_exchange_span_is(op->name, "sdy.sharding_constraint"))
        return POD_PASSAGE_NOTE;
    if (!pod_exchange_span_is(op->name, "stablehlo.custom_call") && !pod_exchange_span_is(op->name, "mhlo.custom_call"))
        return POD_PASSAGE_NONE;
    const pod_syntax_value *name = pod_exchange_syntax_find(&op->attributes, "call_target_name");
    pod_span target = name ? name->text : op->symbol;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (pod_exchange_span_is(target, calls[i].target))
            return calls[i].passage;
    }
    return POD_PASSAGE_NONE;
}

/* Holds what one device has of each value of a function; its own type where that is not divided. */
typedef struct localizer {
    pod_syntax_module *module;
    pod_syntax_function *function;
    pod_syntax_type *types; /* by number - first */
    bool *known;
    uint32_t *roots; /* what a value is that notes of shardings stand before */
    uint32_t first, count;
    bool divided; /* anything differs */
} localizer;

static const pod_syntax_type *type_of(const localizer *l, uint32_t value)
{
    return &l->module->values[value];
}

/* The type that one device has of operand or result `index` inside of a passage. */
static const pod_syntax_type *inner_type(const localizer *l, const pod_syntax_op *op, pod_passage passage,
                                         uint32_t index, bool entering)
{
    if (passage == POD_PASSAGE_BODY)
        return type_of(l, entering ? op->regions[0].first_value + index : op->regions[0].last->operands[index]);
    return type_of(l, entering ? op->first_result + index : op->operands[index]);
}

/* Sets what a device has of a value, or holds it against what is known of it. */
static bool agree(localizer *l, uint32_t value, const pod_syntax_type *type)
{
    const uint32_t at = value - l->first;
    if (!l->known[at]) {
        l->known[at] = true;
        l->types[at] = *type;
        l->divided |= !pod_exchange_same_type(type, type_of(l, value));
    }
    return pod_exchange_same_type(&l->types[at], type);
}

/* Takes the types of whole arrays from what divides them, also behind notes of shardings. */
static bool read_uses(localizer *l, const pod_syntax_op *op)
{
    for (; op; op = op->next) {
        const pod_passage passage = pod_exchange_passage_of(op);
        for (uint32_t i = 0; i < op->operand_count; i++) {
            const uint32_t root = l->roots[op->operands[i] - l->first];
            if (passage == POD_PASSAGE_NOTE)
                l->roots[op->first_result + i - l->first] = root;
            if ((passage == POD_PASSAGE_ENTER || passage == POD_PASSAGE_BODY) &&
                !agree(l, root, inner_type(l, op, passage, i, true)))
                return false;
        }
    }
    return true;
}

/* Goes on from what is joined to what the function returns; false where anything else meets a divided array. */
static bool read_results(localizer *l, const pod_syntax_op *op)
{
    for (; op; op = op->next) {
        const pod_passage passage = pod_exchange_passage_of(op);
        const bool last = op == l->function->body.last;
        for (uint32_t i = 0; i < op->operand_count; i++) {
            const uint32_t at = op->operands[i] - l->first;
            if (passage == POD_PASSAGE_NOTE && l->known[at] && !agree(l, op->first_result + i, &l->types[at]))
                return false;
            if (passage == POD_PASSAGE_NONE && !last && l->known[at] &&
                !pod_exchange_same_type(&l->types[at], type_of(l, op->operands[i])))
                return false;
        }
        for (uint32_t i = 0; i < op->result_count; i++) {
            const uint32_t at = op->first_result + i - l->first;
            if (passage == POD_PASSAGE_NONE && l->known[at] &&
                !pod_exchange_same_type(&l->types[at], type_of(l, op->first_result + i)))
                return false; /* it is computed whole */
            if ((passage == POD_PASSAGE_LEAVE || passage == POD_PASSAGE_BODY) &&
                !agree(l, op->first_result + i, inner_type(l, op, passage, i, false)))
                return false;
        }
    }
    return true;
}

static void apply(localizer *l)
{
    const pod_syntax_op *last = l->function->body.last;
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->known[i])
            l->module->values[l->first + i] = l->types[i];
    }
    for (uint32_t i = 0; i < l->function->result_count; i++)
        l->function->results[i] = *type_of(l, last->operands[i]);
}

/* Returns whether there is anything to do, before memory is taken for it, and nothing against it: regions of ops may
 * read values of the function, which those of a divided function must not. */
static bool has_passages_alone(const pod_syntax_op *op)
{
    bool any = false;
    for (; op; op = op->next) {
        const pod_passage passage = pod_exchange_passage_of(op);
        if (passage == POD_PASSAGE_NONE && op->region_count > 0)
            return false;
        any = any || (passage != POD_PASSAGE_NONE && passage != POD_PASSAGE_NOTE);
    }
    return any;
}

bool pod_exchange_localize(pod_syntax_module *module, pod_syntax_function *function, bool *local)
{
    const pod_syntax_region *body = &function->body;
    *local = false;
    if (!has_passages_alone(body->first) || !body->last || body->last->operand_count != function->result_count)
        return true;
    localizer l = {.module = module,
                   .function = function,
                   .first = body->first_value,
                   .count = body->end_value - body->first_value};
    l.types = pod_arena_array(&module->arena, (size_t)l.count + 1, sizeof *l.types);
    l.known = pod_arena_array(&module->arena, (size_t)l.count + 1, sizeof *l.known);
    l.roots = pod_arena_array(&module->arena, (size_t)l.count + 1, sizeof *l.roots);
    if (!l.types || !l.known || !l.roots)
        return pod_exchange_syntax_no_memory(module);
    for (uint32_t i = 0; i < l.count; i++)
        l.roots[i] = l.first + i;
    if (read_uses(&l, body->first) && read_results(&l, body->first)) {
        apply(&l);
        *local = l.divided;
    }
    return true;
}
