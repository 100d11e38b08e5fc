/* pickle - Python's pickles: the stack, the memo, and the opcodes that data sets need. */

#include "formats/pickle.h"

#include <string.h>

#include "base/bytes.h"
#include "base/checked.h"
#include "base/context.h"
#include "base/growth.h"

/* Values are numbers of 62 bits, doubled, or twice the place of an object, and one. */
enum { NONE = 1, MARK = 3, MOST_PROTOCOL = 5 };
#define MOST_NUMBER (INT64_MAX / 2)

/* More objects, and a deeper stack, than data sets have: a byte of a pickle may make one. */
#define MOST_OBJECTS ((size_t)1 << 20)

bool pod_format_pickle_number(pod_pickle_value value, int64_t *number)
{
    *number = value / 2;
    return (value & 1) == 0;
}

static pod_pickle_object *object_of(const pod_pickle *pickle, pod_pickle_value value)
{
    return (value & 1) != 0 ? &pickle->objects[value / 2] : NULL;
}

const pod_pickle_object *pod_format_pickle_object(const pod_pickle *pickle, pod_pickle_value value,
                                                  pod_pickle_kind kind)
{
    const pod_pickle_object *object = object_of(pickle, value);
    return object != NULL && object->kind == kind ? object : NULL;
}

pod_status pod_format_pickle_refuse(const pod_pickle *pickle, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "%s: the pickle is malformed at offset %zu: %s", pickle->path,
                         pickle->at, what);
}

/* ---- the stack ---- */

static pod_status check_count(const pod_pickle *pickle, size_t count, pod_error *error)
{
    return count < MOST_OBJECTS
               ? POD_OK
               : pod_error_set(error, POD_ERROR_UNSUPPORTED, "%s: the pickle has more than %zu objects, at offset %zu",
                               pickle->path, MOST_OBJECTS, pickle->at);
}

static pod_status push(pod_pickle *pickle, pod_pickle_value value, pod_error *error)
{
    pod_status status = check_count(pickle, pickle->depth, error);
    if (status == POD_OK)
        status = pod_grow(pickle->context, &pickle->stack, &pickle->stack_room, pickle->depth + 1,
                          (pod_growth){sizeof *pickle->stack, .first = 64, .what = "the stack of a pickle"}, error);
    if (status == POD_OK)
        pickle->stack[pickle->depth++] = value;
    return status;
}

static pod_status push_object(pod_pickle *pickle, const pod_pickle_object *object, pod_error *error)
{
    pod_status status = check_count(pickle, pickle->object_count, error);
    if (status == POD_OK)
        status = pod_grow(pickle->context, &pickle->objects, &pickle->object_room, pickle->object_count + 1,
                          (pod_growth){sizeof *pickle->objects, .first = 64, .what = "the objects of a pickle"}, error);
    if (status != POD_OK)
        return status;
    pickle->objects[pickle->object_count] = *object;
    return push(pickle, (pod_pickle_value)(2 * pickle->object_count++ + 1), error);
}

static pod_status push_number(pod_pickle *pickle, int64_t number, pod_error *error)
{
    if (number > MOST_NUMBER || number < -MOST_NUMBER)
        return pod_format_pickle_refuse(pickle, "a number is too large", error);
    return push(pickle, number * 2, error);
}

static pod_status pop(pod_pickle *pickle, pod_pickle_value *value, pod_error *error)
{
    if (pickle->depth == 0 || pickle->stack[pickle->depth - 1] == MARK)
        return pod_format_pickle_refuse(pickle, "a value is missing", error);
    *value = pickle->stack[--pickle->depth];
    return POD_OK;
}

/* Takes what is above the last mark off the stack, and the mark: `count` values, which stay where they are until
 * something is pushed. */
static pod_status pop_marked(pod_pickle *pickle, size_t *count, pod_error *error)
{
    size_t at = pickle->depth;
    while (at > 0 && pickle->stack[at - 1] != MARK)
        at--;
    if (at == 0)
        return pod_format_pickle_refuse(pickle, "a mark is missing", error);
    *count = pickle->depth - at;
    pickle->depth = at - 1;
    return POD_OK;
}

/* Adds values to those of an object. */
static pod_status add_items(pod_pickle *pickle, pod_pickle_object *object, const pod_pickle_value *items, size_t count,
                            pod_error *error)
{
    const pod_status status =
        pod_grow(pickle->context, &object->items, &object->room, object->count + count,
                 (pod_growth){sizeof *object->items, .first = 4, .what = "a list of a pickle"}, error);
    if (status != POD_OK || count == 0)
        return status;
    memcpy(object->items + object->count, items, count * sizeof *items);
    object->count += count;
    return POD_OK;
}

/* ---- bytes ---- */

static pod_status take(pod_pickle *pickle, uint64_t size, const unsigned char **bytes, pod_error *error)
{
    if (!pod_lies_within(pickle->at, size, pickle->size))
        return pod_format_pickle_refuse(pickle, "it ends here", error);
    *bytes = pickle->bytes + pickle->at;
    pickle->at += (size_t)size;
    return POD_OK;
}

/* Takes a number without a sign of 1, 2, 4 or 8 bytes. */
static pod_status take_unsigned(pod_pickle *pickle, size_t width, uint64_t *number, pod_error *error)
{
    const unsigned char *bytes = NULL;
    const pod_status status = take(pickle, width, &bytes, error);
    if (status == POD_OK)
        *number = width == 1   ? bytes[0]
                  : width == 2 ? pod_little_u16(bytes)
                  : width == 4 ? pod_little_u32(bytes)
                               : pod_little_u64(bytes);
    return status;
}

/* Takes a line, without its end. */
static pod_status take_line(pod_pickle *pickle, const char **line, size_t *size, pod_error *error)
{
    const unsigned char *begin = pickle->bytes + pickle->at;
    const unsigned char *end = memchr(begin, '\n', pickle->size - pickle->at);
    if (end == NULL)
        return pod_format_pickle_refuse(pickle, "a line does not end", error);
    *line = (const char *)begin;
    *size = (size_t)(end - begin);
    pickle->at += *size + 1;
    return POD_OK;
}

/* ---- opcodes ---- */

typedef pod_status (*operation)(pod_pickle *pickle, unsigned char code, pod_error *error);

static pod_status run_protocol(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    uint64_t number = 0;
    const pod_status status = take_unsigned(pickle, code == 0x80 ? 1 : 8, &number, error);
    if (status != POD_OK || code != 0x80 || number <= MOST_PROTOCOL)
        return status;
    return pod_format_pickle_refuse(pickle, "it is of a later protocol than 5", error);
}

static pod_status run_number(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    uint64_t number = 0;
    const pod_status status = take_unsigned(pickle, code == 'K' ? 1 : code == 'M' ? 2 : 4, &number, error);
    if (status != POD_OK)
        return status;
    return push_number(pickle, code == 'J' ? (int64_t)(int32_t)(uint32_t)number : (int64_t)number, error);
}

/* A number of any length, the low byte first. */
static pod_status run_long(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    uint64_t size = 0, number = 0;
    const unsigned char *bytes = NULL;
    (void)code;
    pod_status status = take_unsigned(pickle, 1, &size, error);
    if (status == POD_OK && size > 8)
        status = pod_format_pickle_refuse(pickle, "a number is too large", error);
    if (status == POD_OK)
        status = take(pickle, size, &bytes, error);
    if (status != POD_OK)
        return status;
    for (size_t i = 0; i < 8; i++) {
        const bool is_negative = size > 0 && (bytes[size - 1] & 0x80) != 0;
        const uint64_t byte = i < size ? bytes[i] : is_negative ? 0xff : 0;
        number |= byte << (8 * i);
    }
    return push_number(pickle, (int64_t)number, error);
}

static pod_status run_constant(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    return push(pickle, code == 'N' ? NONE : code == '(' ? MARK : code == 0x88 ? 2 : 0, error);
}

static pod_status run_text(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    uint64_t size = 0;
    const unsigned char *bytes = NULL;
    const size_t width = code == 'U' || code == 'C' || code == 0x8c ? 1 : code == 0x8d || code == 0x8e ? 8 : 4;
    pod_status status = take_unsigned(pickle, width, &size, error);
    if (status == POD_OK)
        status = take(pickle, size, &bytes, error);
    if (status != POD_OK)
        return status;
    return push_object(
        pickle, &(pod_pickle_object){POD_PICKLE_TEXT, .text = (const char *)bytes, .size = (size_t)size, .state = NONE},
        error);
}

static pod_status run_empty(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    const pod_pickle_kind kind = code == ']' ? POD_PICKLE_LIST : code == '}' ? POD_PICKLE_DICT : POD_PICKLE_TUPLE;
    return push_object(pickle, &(pod_pickle_object){kind, .state = NONE}, error);
}

/* What is above the mark, or the last one, two or three values, become a tuple. */
static pod_status run_tuple(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    size_t count = code == 't' ? 0 : (size_t)code - 0x84;
    pod_pickle_object tuple = {POD_PICKLE_TUPLE, .state = NONE};
    pod_status status = POD_OK;
    if (code == 't')
        status = pop_marked(pickle, &count, error);
    else
        for (size_t i = 0; status == POD_OK && i < count; i++) {
            pod_pickle_value value;
            status = pop(pickle, &value, error);
        }
    if (status == POD_OK)
        status = add_items(pickle, &tuple, pickle->stack + pickle->depth + (code == 't'), count, error);
    if (status == POD_OK)
        status = push_object(pickle, &tuple, error);
    if (status != POD_OK)
        pod_free(pickle->context, tuple.items);
    return status;
}

/* Adds to the list or the dictionary below: one value or a pair, or all above the mark. */
static pod_status run_add(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    const bool is_marked = code == 'e' || code == 'u', is_dict = code == 's' || code == 'u';
    pod_pickle_value values[2] = {NONE, NONE};
    size_t count = is_dict ? 2 : 1;
    pod_status status = POD_OK;
    if (is_marked)
        status = pop_marked(pickle, &count, error);
    else
        for (size_t i = count; status == POD_OK && i > 0; i--)
            status = pop(pickle, &values[i - 1], error);
    if (status != POD_OK)
        return status;
    const size_t first = pickle->depth + 1; /* behind the mark */
    pod_pickle_object *object = pickle->depth > 0 ? object_of(pickle, pickle->stack[pickle->depth - 1]) : NULL;
    if (object == NULL || object->kind != (is_dict ? POD_PICKLE_DICT : POD_PICKLE_LIST) || (is_dict && count % 2 != 0))
        return pod_format_pickle_refuse(pickle, "values are added to what is no list or dictionary", error);
    return add_items(pickle, object, is_marked ? pickle->stack + first : values, count, error);
}

static pod_status run_put(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    uint64_t place = pickle->remembered;
    pod_status status = code == 0x94 ? POD_OK : take_unsigned(pickle, code == 'q' ? 1 : 4, &place, error);
    if (status == POD_OK &&
        (pickle->depth == 0 || pickle->stack[pickle->depth - 1] == MARK || place > 2 * pickle->object_count))
        status = pod_format_pickle_refuse(pickle, "what is to be remembered, or its number, is none", error);
    const size_t before = pickle->memo_room;
    if (status == POD_OK)
        status = pod_grow(pickle->context, &pickle->memo, &pickle->memo_room, (size_t)place + 1,
                          (pod_growth){sizeof *pickle->memo, .first = 64, .what = "the memo of a pickle"}, error);
    if (status != POD_OK)
        return status;
    for (size_t i = before; i < pickle->memo_room; i++)
        pickle->memo[i] = MARK; /* nothing is remembered there */
    pickle->memo[place] = pickle->stack[pickle->depth - 1];
    pickle->remembered++;
    return POD_OK;
}

static pod_status run_get(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    uint64_t place = 0;
    const pod_status status = take_unsigned(pickle, code == 'h' ? 1 : 4, &place, error);
    if (status != POD_OK)
        return status;
    if (place >= pickle->memo_room || pickle->memo[place] == MARK)
        return pod_format_pickle_refuse(pickle, "nothing is remembered by that number", error);
    return push(pickle, pickle->memo[place], error);
}

static bool is_text(const char *text, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(text, wanted, size) == 0;
}

static pod_status push_name(pod_pickle *pickle, const char *module, size_t module_size, const char *name, size_t size,
                            pod_error *error)
{
    static const struct {
        const char *module, *name;
        pod_pickle_kind kind;
    } known[] = {{"numpy", "ndarray", POD_PICKLE_NDARRAY},
                 {"numpy", "dtype", POD_PICKLE_DTYPE_CLASS},
                 {"numpy.core.multiarray", "_reconstruct", POD_PICKLE_RECONSTRUCT},
                 {"numpy._core.multiarray", "_reconstruct", POD_PICKLE_RECONSTRUCT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_text(module, module_size, known[i].module) && is_text(name, size, known[i].name))
            return push_object(pickle, &(pod_pickle_object){known[i].kind, .state = NONE}, error);
    return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                         "%s: the pickle wants '%.*s.%.*s' at offset %zu: pickles of other things than numbers, texts, "
                         "lists and NumPy's arrays are refused; the file may be damaged, or made to run code",
                         pickle->path, module_size < 60 ? (int)module_size : 60, module, size < 60 ? (int)size : 60,
                         name, pickle->at);
}

/* A name as two lines. */
static pod_status run_global(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    const char *module = NULL, *name = NULL;
    size_t module_size = 0, size = 0;
    (void)code;
    pod_status status = take_line(pickle, &module, &module_size, error);
    if (status == POD_OK)
        status = take_line(pickle, &name, &size, error);
    return status == POD_OK ? push_name(pickle, module, module_size, name, size, error) : status;
}

/* A name as two texts on the stack. */
static pod_status run_stack_global(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    pod_pickle_value name = NONE, module = NONE;
    (void)code;
    pod_status status = pop(pickle, &name, error);
    if (status == POD_OK)
        status = pop(pickle, &module, error);
    if (status != POD_OK)
        return status;
    const pod_pickle_object *of = pod_format_pickle_object(pickle, module, POD_PICKLE_TEXT);
    const pod_pickle_object *text = pod_format_pickle_object(pickle, name, POD_PICKLE_TEXT);
    if (of == NULL || text == NULL)
        return pod_format_pickle_refuse(pickle, "a name is no text", error);
    return push_name(pickle, of->text, of->size, text->text, text->size, error);
}

/* An array or a type begins: all that may be called. */
static pod_status run_reduce(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    pod_pickle_value arguments = NONE, function = NONE;
    (void)code;
    pod_status status = pop(pickle, &arguments, error);
    if (status == POD_OK)
        status = pop(pickle, &function, error);
    if (status != POD_OK)
        return status;
    const pod_pickle_object *given = pod_format_pickle_object(pickle, arguments, POD_PICKLE_TUPLE);
    const pod_pickle_value first = given != NULL && given->count > 0 ? given->items[0] : NONE;
    if (pod_format_pickle_object(pickle, function, POD_PICKLE_RECONSTRUCT) != NULL &&
        pod_format_pickle_object(pickle, first, POD_PICKLE_NDARRAY) != NULL)
        return push_object(pickle, &(pod_pickle_object){POD_PICKLE_ARRAY, .state = NONE}, error);
    const pod_pickle_object *type = pod_format_pickle_object(pickle, first, POD_PICKLE_TEXT);
    if (pod_format_pickle_object(pickle, function, POD_PICKLE_DTYPE_CLASS) == NULL || type == NULL)
        return pod_format_pickle_refuse(pickle, "something is called that makes no array", error);
    return push_object(
        pickle, &(pod_pickle_object){POD_PICKLE_DTYPE, .text = type->text, .size = type->size, .state = NONE}, error);
}

static pod_status run_build(pod_pickle *pickle, unsigned char code, pod_error *error)
{
    pod_pickle_value state = NONE;
    (void)code;
    const pod_status status = pop(pickle, &state, error);
    if (status != POD_OK)
        return status;
    pod_pickle_object *object = pickle->depth > 0 ? object_of(pickle, pickle->stack[pickle->depth - 1]) : NULL;
    if (object == NULL || (object->kind != POD_PICKLE_ARRAY && object->kind != POD_PICKLE_DTYPE) ||
        object->state != NONE || pod_format_pickle_object(pickle, state, POD_PICKLE_TUPLE) == NULL)
        return pod_format_pickle_refuse(pickle, "what is completed is no array", error);
    object->state = state;
    return POD_OK;
}

/* What is not here is refused. */
static const operation operations[256] = {
    [0x80] = run_protocol, [0x95] = run_protocol, ['J'] = run_number,   ['K'] = run_number,
    ['M'] = run_number,    [0x8a] = run_long,     ['N'] = run_constant, ['('] = run_constant,
    [0x88] = run_constant, [0x89] = run_constant, ['U'] = run_text,     ['T'] = run_text,
    ['C'] = run_text,      ['B'] = run_text,      ['X'] = run_text,     [0x8c] = run_text,
    [0x8d] = run_text,     [0x8e] = run_text,     [']'] = run_empty,    ['}'] = run_empty,
    [')'] = run_empty,     ['t'] = run_tuple,     [0x85] = run_tuple,   [0x86] = run_tuple,
    [0x87] = run_tuple,    ['a'] = run_add,       ['e'] = run_add,      ['s'] = run_add,
    ['u'] = run_add,       ['q'] = run_put,       ['r'] = run_put,      [0x94] = run_put,
    ['h'] = run_get,       ['j'] = run_get,       ['c'] = run_global,   [0x93] = run_stack_global,
    ['R'] = run_reduce,    ['b'] = run_build,
};

/* Makes the objects that all pickles share. */
static pod_status begin(pod_pickle *pickle, pod_error *error)
{
    pod_status status = push_object(pickle, &(pod_pickle_object){POD_PICKLE_NONE, .state = NONE}, error);
    if (status == POD_OK)
        status = push_object(pickle, &(pod_pickle_object){POD_PICKLE_MARK, .state = NONE}, error);
    pickle->depth = 0;
    return status;
}

pod_status pod_format_pickle_run(pod_pickle *pickle, pod_pickle_value *value, pod_error *error)
{
    pod_status status = begin(pickle, error);
    while (status == POD_OK) {
        const unsigned char *code = NULL;
        status = take(pickle, 1, &code, error);
        if (status == POD_OK && *code == '.')
            return pop(pickle, value, error);
        if (status == POD_OK && operations[*code] == NULL)
            return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                                 "%s: the pickle has the opcode 0x%02x at offset %zu, which numbers, texts, lists and "
                                 "NumPy's arrays do not need; all others are refused",
                                 pickle->path, *code, pickle->at - 1);
        if (status == POD_OK)
            status = operations[*code](pickle, *code, error);
    }
    return status;
}

void pod_format_pickle_clear(pod_pickle *pickle)
{
    for (size_t i = 0; i < pickle->object_count; i++)
        pod_free(pickle->context, pickle->objects[i].items);
    pod_free(pickle->context, pickle->objects);
    pod_free(pickle->context, pickle->stack);
    pod_free(pickle->context, pickle->memo);
    *pickle = (pod_pickle){0};
}
