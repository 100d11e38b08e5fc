/* Elements of constants: dense<1.0>, dense<[[1, 2], [3, 4]]>, dense<"0x0001..">,
 * dense_resource<..>. One repeated element is never written out. */

#include "exchange/translate.h"

#include <string.h>

#include "base/checked.h"
#include "formats/csv.h"

typedef struct dense_reader {
    pod_translator *translator;
    pod_lexer *lexer;
    const pod_syntax_type *type;
    size_t size; /* bytes of an element */
    char *elements;
    int64_t count;
    const char *at; /* where the constant stands */
} dense_reader;

static bool malformed(dense_reader *r, const char *what)
{
    return pod_exchange_lexer_fail(r->lexer, r->lexer->at, POD_ERROR_FORMAT, "in this constant %s", what);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* "0x7FC00000": the bits of an element. */
static bool read_bits(pod_span text, uint64_t *bits)
{
    *bits = 0;
    if (text.length < 3 || text.length > 18)
        return false;
    for (size_t i = 2; i < text.length; i++) {
        int digit = pod_exchange_hex_digit(text.text[i]);
        if (digit < 0)
            return false;
        *bits = *bits << 4 | (uint64_t)digit;
    }
    return true;
}

static bool is_hexadecimal(pod_span text)
{
    return text.length > 2 && text.text[0] == '0' && (text.text[1] == 'x' || text.text[1] == 'X');
}

/* Reads the bits of an integer of `size` bytes, with a sign or without. */
static bool read_integer(pod_span text, size_t size, uint64_t *bits)
{
    const uint64_t half = UINT64_C(1) << (8 * size - 1);
    size_t at = text.text[0] == '-' || text.text[0] == '+';
    *bits = 0;
    if (at == text.length)
        return false;
    for (size_t i = at; i < text.length; i++) {
        unsigned digit = (unsigned)(text.text[i] - '0');
        if (digit > 9 || pod_multiply_overflows(*bits, UINT64_C(10), bits) ||
            pod_add_overflows(*bits, (uint64_t)digit, bits))
            return false;
    }
    if (*bits > (text.text[0] == '-' ? half : half - 1 + half))
        return false;
    if (text.text[0] == '-')
        *bits = 0 - *bits;
    return true;
}

static bool read_float(const dense_reader *r, pod_span text, void *element)
{
    double value;
    pod_csv_field field = {.text = text.text, .size = text.length};
    if (!pod_format_csv_read_double(&field, &value))
        return false;
    pod_convert(POD_F64, &value, r->type->dtype, element, 1);
    return true;
}

/* Reads one element of a type that is computed with; little-endian hosts only, as elsewhere. */
static bool read_element(dense_reader *r, void *element)
{
    pod_span text;
    uint64_t bits = 0;
    if (pod_exchange_lexer_at_word(r->lexer)) {
        if (!pod_exchange_lexer_word(r->lexer, &text))
            return false;
        bool truth = pod_exchange_span_is(text, "true");
        if (r->type->dtype != POD_BOOL || (!truth && !pod_exchange_span_is(text, "false")))
            return malformed(r, "an element is no number");
        *(uint8_t *)element = truth;
        return true;
    }
    if (!pod_exchange_lexer_number(r->lexer, &text))
        return false;
    bool read = is_hexadecimal(text)                 ? read_bits(text, &bits)
                : pod_dtype_is_float(r->type->dtype) ? read_float(r, text, element)
                                                     : read_integer(text, r->size, &bits);
    if (!read)
        return malformed(r, "an element is no number of its type");
    if (is_hexadecimal(text) || !pod_dtype_is_float(r->type->dtype))
        memcpy(element, &bits, r->size);
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Reads "[[1, 2], [3, 4]]" without recursion: `left[d]` elements of axis d are still to come. */
static bool read_list(dense_reader *r)
{
    int64_t left[POD_MAX_RANK], next = 0;
    const pod_shape *shape = &r->type->shape;
    int32_t depth = 0;
    do {
        if (pod_exchange_lexer_accept(r->lexer, "[")) {
            if (depth == shape->rank)
                return malformed(r, "lists are nested deeper than the type has axes");
            left[depth] = shape->dims[depth];
            depth++;
            continue;
        }
        if (depth != shape->rank || next == r->count)
            return malformed(r, "the number of elements is not that of the type");
        if (!read_element(r, r->elements + (size_t)next++ * r->size))
            return false;
        left[depth - 1]--;
        while (depth > 0 && !pod_exchange_lexer_accept(r->lexer, ",")) {
            if (!pod_exchange_lexer_expect(r->lexer, "]"))
                return false;
            if (left[--depth] != 0)
                return malformed(r, "a list has not as many elements as its axis");
            if (depth > 0)
                left[depth - 1]--;
        }
        if (depth > 0 && left[depth - 1] <= 0)
            return malformed(r, "a list has more elements than its axis");
    } while (depth > 0);
    return next == r->count || malformed(r, "the number of elements is not that of the type");
}

/* Room for all elements, which a text of `length` bytes must be able to hold, or for one. */
static bool make_room(dense_reader *r, size_t length, bool one)
{
    size_t count = one ? 1 : (size_t)r->count;
    if (!one && (uint64_t)r->count > (uint64_t)length * 8)
        return pod_exchange_lexer_fail(r->lexer, r->at, POD_ERROR_FORMAT,
                                       "this constant has fewer elements than its type");
    r->elements = pod_allocate_zeroed(r->translator->context, count + 1, r->size);
    return r->elements || pod_exchange_syntax_no_memory(r->translator->syntax);
}

/* Reads bytes written as hexadecimal digits: all elements, or one that is repeated. Those of bool
 * may be packed into bits. */
static bool read_hex(dense_reader *r, pod_span digits, bool *splat)
{
    size_t bytes = digits.length / 2;
    bool bits = r->type->dtype == POD_BOOL && bytes == ((size_t)r->count + 7) / 8 && bytes == 1 &&
                digits.text[0] != digits.text[1];
    *splat = bytes == r->size && r->count != 1 && !bits;
    if (!make_room(r, digits.length, *splat))
        return false;
    size_t wanted = *splat ? r->size : (size_t)r->count * r->size;
    bool packed = r->type->dtype == POD_BOOL && !*splat && bytes != wanted && bytes == (wanted + 7) / 8;
    if (digits.length % 2 != 0 || (!packed && bytes != wanted))
        return malformed(r, "the number of bytes is not that of the type");
    for (size_t i = 0; i < bytes; i++) {
        int high = pod_exchange_hex_digit(digits.text[2 * i]), low = pod_exchange_hex_digit(digits.text[2 * i + 1]);
        if (high < 0 || low < 0)
            return malformed(r, "a digit is not hexadecimal");
        unsigned byte = (unsigned)high << 4 | (unsigned)low;
        if (!packed)
            r->elements[i] = r->type->dtype == POD_BOOL ? byte != 0 : (char)byte;
        for (size_t bit = 0; packed && bit < 8 && 8 * i + bit < wanted; bit++)
            r->elements[8 * i + bit] = byte >> bit & 1;
    }
    return true;
}

/* Reads what is between '<' and '>'. */
static bool read_text(dense_reader *r, pod_span text, bool *splat)
{
    char c = pod_exchange_lexer_peek(r->lexer);
    pod_span digits;
    *splat = false;
    if (c == '"') {
        if (!pod_exchange_lexer_text(r->lexer, &digits))
            return false;
        if (!is_hexadecimal(digits))
            return malformed(r, "there is a text, but no hexadecimal digits");
        return read_hex(r, (pod_span){digits.text + 2, digits.length - 2}, splat);
    }
    if (c == '[')
        return make_room(r, text.length, false) && read_list(r);
    *splat = r->count != 1;
    if (c == '\0' && r->count == 0)
        return make_room(r, 0, true);
    return make_room(r, 0, true) && read_element(r, r->elements);
}

/* The bytes of a resource stand behind a word of 32 bits that gives their alignment. */
static bool read_resource(dense_reader *r, pod_span name, bool *splat)
{
    pod_span digits;
    if (!pod_exchange_syntax_find_alias(r->translator->syntax, name, &digits))
        return pod_exchange_lexer_fail(r->lexer, r->at, POD_ERROR_FORMAT, "resource '%.*s' is not in this text",
                                       (int)(name.length < 80 ? name.length : 80), name.text);
    if (digits.length < 10 || !is_hexadecimal(digits))
        return malformed(r, "the resource has no alignment");
    return read_hex(r, (pod_span){digits.text + 10, digits.length - 10}, splat);
}

bool pod_exchange_read_dense(pod_translator *t, const pod_syntax_value *value, const pod_syntax_type *type,
                             void **elements, bool *splat)
{
    pod_lexer *lexer = &t->syntax->lexer;
    const pod_lexer outer = pod_exchange_lexer_enter(lexer, value->text);
    dense_reader r = {.translator = t,
                      .lexer = lexer,
                      .type = type,
                      .size = pod_dtype_size(type->dtype),
                      .count = pod_shape_elements(&type->shape),
                      .at = value->at};
    bool read =
        value->kind == POD_VALUE_RESOURCE ? read_resource(&r, value->text, splat) : read_text(&r, value->text, splat);
    if (read && value->kind == POD_VALUE_DENSE && (pod_exchange_lexer_peek(lexer) || lexer->failed))
        read = pod_exchange_lexer_expected(lexer, "'>'");
    pod_exchange_lexer_leave(lexer, outer);
    *elements = read ? r.elements : NULL;
    if (!read)
        pod_free(t->context, r.elements);
    return read;
}

pod_node *pod_exchange_translate_constant(pod_call *call, const pod_syntax_value *value, const pod_syntax_type *type)
{
    pod_attributes attributes = {.dtype = type->dtype, .shape = type->shape};
    void *elements;
    bool splat;
    if (!pod_exchange_read_dense(call->translator, value, type, &elements, &splat))
        return NULL;
    attributes.data = elements;
    attributes.flag = splat || pod_shape_elements(&type->shape) == 1;
    pod_node *node = pod_graph_apply(call->graph, POD_OP_CONSTANT, NULL, 0, &attributes, NULL, 0);
    pod_free(call->translator->context, elements);
    return node;
}
