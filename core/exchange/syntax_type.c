/* Types and lists of types. */

#include "exchange/syntax.h"

#include <string.h>

/* An element that pod_dtype has not gets a dtype of the same or the next larger size to stand for
 * it. */
static void take_element(pod_syntax_type *type, pod_element element)
{
    type->element = element;
    type->foreign = true;
    for (pod_dtype dtype = POD_DTYPE_NONE + 1; dtype < POD_DTYPE_END; dtype++) {
        if (pod_element_from_dtype(dtype) == element) {
            type->dtype = dtype;
            type->foreign = false;
            return;
        }
    }
    type->dtype = pod_element_bits(element) > 8 ? POD_U64 : POD_U8;
}

/* Writes MLIR's name of an element as XLA's: "i1", "ui8", "f8E4M3FN", "complex<f32>". */
static bool find_element(pod_span name, pod_syntax_type *type)
{
    char text[32];
    pod_element element = POD_ELEMENT_NONE;
    if (name.length == 0 || name.length >= sizeof text)
        return false;
    memcpy(text, name.text, name.length);
    text[name.length] = '\0';
    for (size_t i = 0; i < name.length; i++)
        text[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
    if (strcmp(text, "i1") == 0)
        element = POD_ELEMENT_PRED;
    else if (strcmp(text, "index") == 0)
        element = POD_ELEMENT_S64;
    else if (strcmp(text, "complex<f32>") == 0)
        element = POD_ELEMENT_C64;
    else if (strcmp(text, "complex<f64>") == 0)
        element = POD_ELEMENT_C128;
    else if (strncmp(text, "ui", 2) == 0 || strncmp(text, "si", 2) == 0)
        element = pod_element_from_name((memmove(text + 1, text + 2, strlen(text + 1)), text));
    else if (text[0] == 'i')
        element = pod_element_from_name((text[0] = 's', text));
    else if (text[0] == 'f' || text[0] == 'b')
        element = pod_element_from_name(text);
    if (element == POD_ELEMENT_NONE)
        return false;
    take_element(type, element);
    return true;
}

/* The element of `!quant.uniform<i8:f32, 0.1>` is how it is stored. */
static bool parse_quantized(pod_syntax_module *module, pod_syntax_type *type, const char *at)
{
    pod_lexer *lexer = &module->lexer;
    pod_span body, name = {0};
    while (lexer->at < lexer->end && *lexer->at != '<' && *lexer->at != '>')
        lexer->at++;
    if (pod_exchange_lexer_peek(lexer) != '<' || !pod_exchange_lexer_balanced(lexer, &body))
        return pod_exchange_lexer_fail(lexer, at, POD_ERROR_FORMAT, "this is no element type");
    name.text = body.text + 1;
    while (name.length + 2 < body.length && pod_exchange_is_word_character(name.text[name.length]))
        name.length++;
    if (!find_element(name, type))
        return pod_exchange_lexer_fail(lexer, at, POD_ERROR_UNSUPPORTED,
                                       "quantized elements stored as '%.*s' are not known", (int)name.length,
                                       name.text);
    type->foreign = true;
    return true;
}

static bool parse_element(pod_syntax_module *module, pod_syntax_type *type)
{
    pod_lexer *lexer = &module->lexer;
    pod_span name, body;
    pod_exchange_lexer_peek(lexer);
    const char *at = lexer->at;
    if (pod_exchange_lexer_accept(lexer, "!"))
        return parse_quantized(module, type, at);
    if (!pod_exchange_lexer_word(lexer, &name))
        return pod_exchange_lexer_expected(lexer, "an element type");
    if (pod_exchange_span_is(name, "complex") && pod_exchange_lexer_peek(lexer) == '<') {
        if (!pod_exchange_lexer_balanced(lexer, &body))
            return false;
        name.length = (size_t)(lexer->at - name.text);
    }
    if (!find_element(name, type))
        return pod_exchange_lexer_fail(lexer, at, POD_ERROR_UNSUPPORTED, "element type '%.*s' is not known",
                                       (int)name.length, name.text);
    return true;
}

/* Takes sizes that are not written ('?') from "#stablehlo.bounds<1000, ?>": the most that they may be, which is
 * what a chip keeps room for. */
static bool take_bounds(pod_syntax_module *module, pod_syntax_type *type)
{
    pod_lexer *lexer = &module->lexer;
    int32_t axis = 0;
    do {
        int64_t bound = -1;
        if (!pod_exchange_lexer_accept(lexer, "?") && !pod_exchange_lexer_integer(lexer, &bound))
            return false;
        if (axis < type->shape.rank && type->shape.dims[axis] < 0)
            type->shape.dims[axis] = bound;
        axis++;
    } while (pod_exchange_lexer_accept(lexer, ","));
    return pod_exchange_lexer_expect(lexer, ">");
}

/* Reads an encoding, such as bounds or a layout, up to the '>' of the array. */
static bool parse_encoding(pod_syntax_module *module, pod_syntax_type *type)
{
    pod_lexer *lexer = &module->lexer;
    pod_span rest;
    while (pod_exchange_lexer_peek(lexer) && pod_exchange_lexer_peek(lexer) != '>') {
        if (pod_exchange_lexer_accept(lexer, "#stablehlo.bounds<"))
            return take_bounds(module, type);
        if (strchr("<([{", *lexer->at)) {
            if (!pod_exchange_lexer_balanced(lexer, &rest))
                return false;
        } else {
            lexer->at++;
        }
    }
    return true;
}

/* Reads "4x4xf32" after "tensor<". */
static bool parse_array(pod_syntax_module *module, pod_syntax_type *type, const char *start)
{
    pod_lexer *lexer = &module->lexer;
    const char *open = NULL; /* where a size is not written */
    for (;;) {
        char c = pod_exchange_lexer_peek(lexer);
        if (c != '?' && (c < '0' || c > '9'))
            break;
        if (type->shape.rank == POD_MAX_RANK)
            return pod_exchange_lexer_fail(lexer, start, POD_ERROR_UNSUPPORTED, "this array has more than %d axes",
                                           POD_MAX_RANK);
        int64_t *size = &type->shape.dims[type->shape.rank++];
        if (c == '?') {
            open = open ? open : lexer->at;
            lexer->at++;
            *size = -1;
        } else if (!pod_exchange_lexer_integer(lexer, size)) {
            return false;
        }
        if (!pod_exchange_lexer_expect(lexer, "x"))
            return false;
    }
    if (pod_exchange_lexer_peek(lexer) == '*')
        open = lexer->at;
    else if (!parse_element(module, type) || (pod_exchange_lexer_accept(lexer, ",") && !parse_encoding(module, type)) ||
             !pod_exchange_lexer_expect(lexer, ">"))
        return false;
    bool sized = pod_exchange_lexer_peek(lexer) != '*';
    for (int32_t i = 0; i < type->shape.rank; i++)
        sized &= type->shape.dims[i] >= 0;
    if (!sized)
        return pod_exchange_lexer_fail(lexer, open, POD_ERROR_UNSUPPORTED,
                                       "this shape is not static; lower the function with the sizes that "
                                       "it shall run with, and in the place of a selection by a mask multiply "
                                       "by the mask");
    if (pod_shape_elements(&type->shape) < 0)
        return pod_exchange_lexer_fail(lexer, start, POD_ERROR_SHAPE,
                                       "this array has more elements than 63 bits count");
    return true;
}

bool pod_exchange_parse_type(pod_syntax_module *module, pod_syntax_type *type)
{
    pod_lexer *lexer = &module->lexer;
    pod_span word, rest;
    *type = (pod_syntax_type){.dtype = POD_BOOL, .foreign = true, .shape = {1, {0}}};
    char c = pod_exchange_lexer_peek(lexer);
    const char *start = lexer->at;
    if (c == '!') { /* !stablehlo.token and the like */
        lexer->at++;
        if (!pod_exchange_lexer_word(lexer, &word))
            return pod_exchange_lexer_expected(lexer, "a type");
    } else if (!pod_exchange_lexer_word(lexer, &word)) {
        return pod_exchange_lexer_expected(lexer, "a type");
    } else if (pod_exchange_span_is(word, "tensor")) {
        *type = (pod_syntax_type){0};
        return pod_exchange_lexer_expect(lexer, "<") && parse_array(module, type, start);
    }
    return pod_exchange_lexer_peek(lexer) != '<' || pod_exchange_lexer_balanced(lexer, &rest);
}
