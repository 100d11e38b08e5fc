/* location - see translate.h: what loc(..) says of an op. */

#include "exchange/translate.h"

#include <stdio.h>
#include <string.h>

/* Holds what is found by following a location inwards: "name"(..), "file":line:column, #alias,
 * callsite(callee at caller), fused<..>[a, b]. */
typedef struct found_location {
    pod_span name, file;
    int64_t line;
} found_location;

#define MOST_STEPS 64

/* Cuts "loc(" and ")" off. */
static pod_span unwrap(pod_span span)
{
    if (span.length > 5 && memcmp(span.text, "loc(", 4) == 0)
        return (pod_span){span.text + 4, span.length - 5};
    return span;
}

/* Goes to the part that says more; false at the end. */
static bool step_inwards(const pod_syntax_module *module, pod_lexer *lexer, found_location *f)
{
    pod_span word, body;
    char c = pod_exchange_lexer_peek(lexer);
    if (c == '#') {
        lexer->at++;
        if (!pod_exchange_lexer_name(lexer, &word) || !pod_exchange_syntax_find_alias(module, word, &body))
            return false;
        body = unwrap(body);
        lexer->at = body.text;
        lexer->end = body.text + body.length;
        return true;
    }
    if (c == '"') {
        if (!pod_exchange_lexer_text(lexer, &word))
            return false;
        if (pod_exchange_lexer_accept(lexer, ":")) {
            f->file = word;
            return pod_exchange_lexer_integer(lexer, &f->line) && false;
        }
        if (f->name.length == 0)
            f->name = word;
        return pod_exchange_lexer_accept(lexer, "(");
    }
    if (pod_exchange_lexer_accept(lexer, "callsite"))
        return pod_exchange_lexer_accept(lexer, "(");
    if (pod_exchange_lexer_accept(lexer, "fused"))
        return (pod_exchange_lexer_peek(lexer) != '<' || pod_exchange_lexer_balanced(lexer, &body)) &&
               pod_exchange_lexer_accept(lexer, "[");
    return false;
}

static found_location follow(const pod_syntax_module *module, pod_span location)
{
    pod_lexer lexer;
    found_location f = {0};
    pod_exchange_lexer_begin(&lexer, "", location.text ? location.text : "", location.length, NULL);
    for (int i = 0; i < MOST_STEPS && step_inwards(module, &lexer, &f); i++)
        ;
    return f;
}

bool pod_exchange_location_name(const pod_syntax_module *module, pod_span location, pod_span *name)
{
    *name = follow(module, location).name;
    return name->length > 0;
}

/* The name without what comes behind the last '/', which is the op's own. */
static pod_span path_of(pod_span name)
{
    int depth = 0;
    for (size_t i = name.length; i > 0; i--) {
        char c = name.text[i - 1];
        depth += c == ')' ? 1 : c == '(' ? -1 : 0;
        if (c == '/' && depth == 0)
            return (pod_span){name.text, i - 1};
    }
    return (pod_span){0};
}

#define MOST_SCOPE 400

/* Joins the scope of the call with a path; the middle of what is too long is left out. */
static const char *join(pod_translator *t, pod_span path)
{
    char text[MOST_SCOPE + 8];
    int length = (int)(path.length < MOST_SCOPE / 2 ? path.length : MOST_SCOPE / 2);
    if (path.length == 0)
        return t->scope;
    if (t->scope && strlen(t->scope) > MOST_SCOPE / 2)
        snprintf(text, sizeof text, "%.*s/../%.*s", MOST_SCOPE / 2 - 8, t->scope, length, path.text);
    else
        snprintf(text, sizeof text, "%s%s%.*s", t->scope ? t->scope : "", t->scope ? "/" : "", length, path.text);
    return pod_graph_intern(t->graph, text);
}

void pod_exchange_translate_location(pod_translator *t, const pod_syntax_op *op)
{
    char text[512];
    found_location f = follow(t->syntax, op->location);
    if (f.file.length > 0)
        snprintf(text, sizeof text, "%.*s:%lld", (int)(f.file.length < 400 ? f.file.length : 400), f.file.text,
                 (long long)f.line);
    else
        snprintf(text, sizeof text, "%s:%u", t->syntax->lexer.file, op->line);
    pod_graph_set_location(t->graph, text);
    pod_graph_set_scope(t->graph, join(t, path_of(f.name)));
}

const char *pod_exchange_call_scope(pod_translator *t, const pod_syntax_op *op, pod_span callee)
{
    pod_span name;
    const char *scope = join(t, pod_exchange_location_name(t->syntax, op->location, &name) ? name : callee);
    /* kept by the module's own graph: regions' graphs may end before */
    return scope ? pod_graph_intern(t->module->graph, scope) : NULL;
}
