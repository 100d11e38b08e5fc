/* Ops that no op of the table means: nodes that can be measured. */

#include <stdio.h>
#include <string.h>

#include "base/growth.h"
#include "exchange/translate.h"

static uint64_t hash_text(uint64_t hash, pod_span text)
{
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.text[i]) * UINT64_C(1099511628211);
    return hash;
}

/* "stablehlo.fft"; calls of foreign code by what they call. */
static const char *opaque_name(pod_translator *t, const pod_syntax_op *op)
{
    char text[256];
    pod_span name = op->name, target = op->symbol;
    const pod_syntax_value *attribute = pod_exchange_syntax_find(&op->attributes, "call_target_name");
    if (attribute)
        target = attribute->text;
    if (pod_exchange_span_is(pod_exchange_bare_name(name), "custom_call") && target.length > 0)
        snprintf(text, sizeof text, "custom_call @%.*s", (int)(target.length < 200 ? target.length : 200), target.text);
    else
        snprintf(text, sizeof text, "%.*s", (int)(name.length < 200 ? name.length : 200), name.text);
    return pod_graph_intern(t->module->graph, text);
}

/* Counts an op among the unknown ones. */
static bool note_unknown(pod_translator *t, const pod_syntax_op *op, const char *name)
{
    pod_exchange_module *module = t->module;
    size_t count = module->about.unknown_count;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(module->unknowns[i].name, name) == 0) {
            module->unknowns[i].count++;
            return true;
        }
    }
    if (!pod_arena_grow(&module->arena, &module->unknowns, &module->unknown_room, count + 1,
                        (pod_growth){sizeof *module->unknowns, .first = 8}))
        return pod_exchange_syntax_no_memory(t->syntax);
    const char *kept = pod_arena_string(&module->arena, name);
    const char *reason = pod_arena_string(&module->arena, t->reason);
    if (!kept || !reason)
        return pod_exchange_syntax_no_memory(t->syntax);
    module->unknowns[module->about.unknown_count++] =
        (pod_exchange_unknown){kept, reason, op->line, pod_exchange_lexer_column(&t->syntax->lexer, op->at), 1};
    return true;
}

/* An op that may give something else each time, or does something besides its results. */
static bool has_effect(const pod_syntax_op *op)
{
    static const char *const names[] = {"custom_call", "rng", "infeed", "outfeed", "send", "recv", NULL};
    return pod_exchange_span_among(pod_exchange_bare_name(op->name), names);
}

/* Its axis tells plans whether what it needs inside is not known (1). Operands are the op's own, then what its regions
 * read from outside, as those are not kept. */
static pod_node *make_opaque(pod_call *call, const char *name, pod_outcome outcome)
{
    pod_translator *t = call->translator;
    const pod_syntax_op *op = call->op;
    uint32_t captured = 0;
    uint32_t *captures = pod_exchange_find_captures(t, op, &captured);
    size_t count = (size_t)op->operand_count + captured;
    pod_node **inputs = pod_allocate_zeroed(t->context, count + 1, sizeof *inputs);
    pod_value_type *types = pod_exchange_call_result_types(call);
    pod_node *node = NULL;
    if (captures && inputs && types) {
        for (uint32_t i = 0; i < op->operand_count; i++)
            inputs[i] = call->inputs[i];
        for (uint32_t i = 0; i < captured; i++)
            inputs[op->operand_count + i] = pod_exchange_translator_get(t, captures[i]);
        uint64_t seed = hash_text(hash_text(UINT64_C(14695981039346656037), op->name), op->extra);
        if (has_effect(op))
            seed += (uint64_t)(op->at - t->syntax->lexer.begin) + (t->ops << 32);
        pod_attributes attributes = {.name = name,
                                     .count = op->result_count,
                                     .data = types,
                                     .seed = seed,
                                     .flag = outcome == POD_BY_ELEMENT,
                                     .axis = outcome == POD_NOT_KNOWN};
        if (pod_exchange_span_is(pod_exchange_bare_name(op->name), "gather"))
            pod_exchange_list_windows(call, &attributes.axes);
        node = pod_graph_apply(t->graph, POD_OP_OPAQUE, inputs, count, &attributes, NULL, 0);
    } else {
        pod_exchange_syntax_no_memory(t->syntax);
    }
    pod_free(t->context, captures);
    pod_free(t->context, inputs);
    pod_free(t->context, types);
    return node;
}

pod_outcome pod_exchange_read_opaque(pod_call *call, pod_outcome outcome)
{
    pod_translator *t = call->translator;
    const char *name = opaque_name(t, call->op);
    if (!name)
        return pod_exchange_syntax_no_memory(t->syntax) ? POD_READ : POD_READ_FAILED;
    if (outcome == POD_NOT_KNOWN && !note_unknown(t, call->op, name))
        return POD_READ_FAILED;
    if (call->op->result_count == 0)
        return POD_READ;
    pod_node *node = make_opaque(call, name, outcome);
    return node ? pod_exchange_call_results(call, node) : POD_READ_FAILED;
}
