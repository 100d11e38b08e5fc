/* What attributes say, whichever form they are written in. */

#include <string.h>

#include "exchange/translate.h"

const pod_syntax_value *pod_exchange_call_attribute(const pod_call *call, const char *pretty, const char *generic)
{
    const pod_syntax_value *found = pretty ? pod_exchange_syntax_find(&call->op->attributes, pretty) : NULL;
    if (!found && generic)
        found = pod_exchange_syntax_find(&call->op->attributes, generic);
    return found;
}

bool pod_exchange_value_integer(const pod_syntax_value *value, int64_t *integer)
{
    if (!value || value->kind != POD_VALUE_INTEGER)
        return false;
    *integer = value->integer;
    return true;
}

/* The integers of `dense<..> : tensor<..xi64>`. */
static int dense_integers(pod_translator *t, const pod_syntax_value *value, int64_t *values, int most)
{
    void *elements;
    bool splat;
    int64_t count = pod_shape_elements(&value->type.shape);
    if (value->type.foreign || pod_dtype_is_float(value->type.dtype) || count > most ||
        !pod_exchange_read_dense(t, value, &value->type, &elements, &splat))
        return -1;
    size_t size = pod_dtype_size(value->type.dtype);
    for (int64_t i = 0; i < count; i++)
        pod_convert(value->type.dtype, (char *)elements + (splat ? 0 : (size_t)i * size), POD_S64, &values[i], 1);
    pod_free(t->context, elements);
    return (int)count;
}

/* Appends the integers of a list, lists within lists too. */
static int list_integers(pod_translator *t, const pod_syntax_value *value, int64_t *values, int count, int most)
{
    for (const pod_syntax_value *at = value->first; at && count >= 0; at = at->next) {
        if (at->kind == POD_VALUE_LIST)
            count = list_integers(t, at, values, count, most);
        else if (count == most || (at->kind != POD_VALUE_INTEGER && at->kind != POD_VALUE_WORD))
            count = -1;
        else
            values[count++] = at->kind == POD_VALUE_INTEGER ? at->integer : pod_exchange_span_is(at->text, "true");
    }
    return count;
}

int pod_exchange_value_integers(pod_translator *t, const pod_syntax_value *value, int64_t *values, int most)
{
    if (!value)
        return 0;
    if (value->kind == POD_VALUE_DENSE)
        return dense_integers(t, value, values, most);
    if (value->kind == POD_VALUE_INTEGER && most > 0)
        return values[0] = value->integer, 1;
    return value->kind == POD_VALUE_LIST ? list_integers(t, value, values, 0, most) : -1;
}

bool pod_exchange_value_sizes(pod_translator *t, const pod_syntax_value *value, int count, int64_t otherwise,
                              int64_t *sizes)
{
    for (int i = 0; i < count; i++)
        sizes[i] = otherwise;
    return !value || pod_exchange_value_integers(t, value, sizes, count) == count;
}

bool pod_exchange_value_axes(pod_translator *t, const pod_syntax_value *value, pod_axes *axes)
{
    int64_t values[POD_MAX_RANK];
    int count = pod_exchange_value_integers(t, value, values, POD_MAX_RANK);
    *axes = (pod_axes){.count = count < 0 ? 0 : count};
    for (int i = 0; i < count; i++) {
        if (values[i] < 0 || values[i] >= POD_MAX_RANK)
            return false;
        axes->axes[i] = (int32_t)values[i];
    }
    return count >= 0;
}

const char *pod_exchange_keep_text(pod_translator *t, pod_span text)
{
    char *kept = pod_arena_allocate(&t->syntax->arena, text.length + 1), *to = kept;
    if (!kept)
        return pod_exchange_syntax_no_memory(t->syntax), NULL;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.text[i];
        if (c == '\\' && i + 2 < text.length && pod_exchange_hex_digit(text.text[i + 1]) >= 0 &&
            pod_exchange_hex_digit(text.text[i + 2]) >= 0) {
            c = (char)(pod_exchange_hex_digit(text.text[i + 1]) << 4 | pod_exchange_hex_digit(text.text[i + 2]));
            i += 2;
        } else if (c == '\\' && i + 1 < text.length) {
            c = text.text[++i];
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        *to++ = c ? c : '?';
    }
    return kept;
}

/* Follows an alias. */
static pod_span raw_text(const pod_translator *t, const pod_syntax_value *value)
{
    pod_span text = value->text, name = {text.text + 1, text.length - (text.length > 0)};
    if (text.length > 1 && text.text[0] == '#' && !memchr(text.text, '<', text.length))
        pod_exchange_syntax_find_alias(t->syntax, name, &text);
    return text;
}

bool pod_exchange_value_struct(pod_translator *t, const pod_syntax_value *value, pod_syntax_value *table)
{
    *table = (pod_syntax_value){.kind = POD_VALUE_DICTIONARY};
    if (!value || value->kind != POD_VALUE_RAW)
        return false;
    pod_span text = raw_text(t, value);
    const char *open = memchr(text.text, '<', text.length);
    if (!open)
        return false;
    const pod_span part = {open, (size_t)(text.text + text.length - open)};
    const pod_lexer outer = pod_exchange_lexer_enter(&t->syntax->lexer, part);
    bool read = pod_exchange_parse_dictionary(t->syntax, table, "<", ">");
    pod_exchange_lexer_leave(&t->syntax->lexer, outer);
    return read;
}

pod_span pod_exchange_value_word(pod_translator *t, const pod_syntax_value *value)
{
    if (!value)
        return (pod_span){"", 0};
    if (value->kind != POD_VALUE_RAW)
        return value->text;
    pod_span text = raw_text(t, value);
    size_t end = text.length;
    while (end > 0 && !pod_exchange_is_word_character(text.text[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && pod_exchange_is_word_character(text.text[begin - 1]))
        begin--;
    return (pod_span){text.text + begin, end - begin};
}

bool pod_exchange_value_flag(pod_translator *t, const pod_syntax_value *value, bool otherwise)
{
    return value ? pod_exchange_span_is(pod_exchange_value_word(t, value), "true") : otherwise;
}
