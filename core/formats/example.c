/* example - the wire format of tf.train.Example. */

#include "base/bytes.h"
#include "base/growth.h"
#include "moonpod/formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/context.h"
#include "base/text.h"
#include "formats/protobuf.h"

/*
 * Example { 1: Features }   Features { 1: repeated entry { 1: name, 2: Feature } }
 * Feature { 1: BytesList | 2: FloatList | 3: Int64List }   each list { 1: repeated value }
 */

#define MOST_FEATURES 65536
/* Up to so many, each name is compared with all before it. */
#define FEW_FEATURES 64

/* ---- reading ---- */

/* A list that grows in an arena. */
typedef struct list {
    pod_arena *arena;
    size_t entry_size, count;
    uint32_t room;
    char *entries;
} list;

static void *list_add(list *values)
{
    if (!pod_arena_grow(values->arena, &values->entries, &values->room, values->count + 1,
                        (pod_growth){values->entry_size, .first = 4}))
        return NULL;
    return values->entries + values->count++ * values->entry_size;
}

/* Adds a value of a feature's list. */
static pod_status add_value(list *values, pod_feature_kind kind, uint64_t bits, const pod_wire *content,
                            pod_error *error)
{
    void *entry = list_add(values);
    if (entry == NULL)
        return pod_error_memory(error, "an example", values->room * values->entry_size);
    if (kind == POD_FEATURE_BYTES) {
        *(pod_bytes *)entry = (pod_bytes){content->at, (size_t)(content->end - content->at)};
    } else if (kind == POD_FEATURE_INT64) {
        *(int64_t *)entry = (int64_t)bits;
    } else {
        const uint32_t low = (uint32_t)bits;
        memcpy(entry, &low, sizeof low);
    }
    return POD_OK;
}

/* Adds the numbers of a packed list. */
static pod_status add_packed(list *values, pod_feature_kind kind, pod_wire content, pod_error *error)
{
    pod_status status = POD_OK;
    while (status == POD_OK && content.at < content.end) {
        uint64_t bits = 0;
        status = kind == POD_FEATURE_FLOAT ? pod_format_wire_fixed(&content, 4, &bits, error)
                                           : pod_format_wire_varint(&content, &bits, error);
        if (status == POD_OK)
            status = add_value(values, kind, bits, NULL, error);
    }
    return status;
}

static pod_status add_field(list *values, pod_feature_kind kind, const pod_wire_field *value, const pod_wire *from,
                            pod_error *error)
{
    if (kind == POD_FEATURE_BYTES && value->type == POD_WIRE_LENGTH)
        return add_value(values, kind, 0, &value->content, error);
    if (kind != POD_FEATURE_BYTES && value->type == POD_WIRE_LENGTH)
        return add_packed(values, kind, value->content, error);
    if (value->type == (kind == POD_FEATURE_FLOAT ? POD_WIRE_FIXED32 : POD_WIRE_VARINT) && kind != POD_FEATURE_BYTES)
        return add_value(values, kind, value->value, NULL, error);
    return pod_format_wire_refuse(from, "a value does not have its list's type", error);
}

static pod_status read_list(pod_arena *arena, pod_wire from, pod_feature_kind kind, pod_feature *feature,
                            pod_error *error)
{
    const size_t sizes[] = {0, sizeof(pod_bytes), sizeof(float), sizeof(int64_t)};
    list values = {.arena = arena, .entry_size = sizes[kind]};
    pod_wire_field value;
    pod_status status;
    while ((status = pod_format_wire_next(&from, &value, error)) == POD_OK) {
        if (value.number == 1)
            status = add_field(&values, kind, &value, &from, error);
        if (status != POD_OK)
            return status;
    }
    if (status != POD_END)
        return status;
    feature->kind = kind;
    feature->count = values.count;
    feature->bytes = kind == POD_FEATURE_BYTES ? (const pod_bytes *)values.entries : NULL;
    feature->floats = kind == POD_FEATURE_FLOAT ? (const float *)values.entries : NULL;
    feature->integers = kind == POD_FEATURE_INT64 ? (const int64_t *)values.entries : NULL;
    return POD_OK;
}

static pod_status read_feature(pod_arena *arena, pod_wire from, pod_feature *feature, pod_error *error)
{
    pod_wire_field list_;
    pod_status status;
    while ((status = pod_format_wire_next(&from, &list_, error)) == POD_OK) {
        if (list_.number < 1 || list_.number > 3 || list_.type != POD_WIRE_LENGTH)
            continue;
        status = read_list(arena, list_.content, (pod_feature_kind)list_.number, feature, error);
        if (status != POD_OK)
            return status;
    }
    return status;
}

static pod_status read_entry(pod_arena *arena, pod_wire from, pod_feature *feature, pod_error *error)
{
    pod_wire_field part;
    pod_status status;
    *feature = (pod_feature){.name = {"", 0}};
    while ((status = pod_format_wire_next(&from, &part, error)) == POD_OK) {
        if (part.type != POD_WIRE_LENGTH)
            continue;
        if (part.number == 1)
            feature->name = (pod_bytes){part.content.at, (size_t)(part.content.end - part.content.at)};
        else if (part.number == 2)
            status = read_feature(arena, part.content, feature, error);
        if (status < 0)
            return status;
    }
    return status;
}

static bool has_name(const pod_feature *feature, const void *name, size_t size)
{
    return feature->name.size == size && memcmp(feature->name.data, name, size) == 0;
}

/* Orders references by name, and then as they came. */
static int compare_names(const void *a, const void *b)
{
    const pod_feature *first = *(pod_feature *const *)a, *second = *(pod_feature *const *)b;
    const size_t first_size = first->name.size, second_size = second->name.size;
    const size_t shorter = first_size < second_size ? first_size : second_size;
    const int names = shorter > 0 ? memcmp(first->name.data, second->name.data, shorter) : 0;
    if (names != 0 || first_size != second_size)
        return names != 0 ? names : first_size < second_size ? -1 : 1;
    return first < second ? -1 : first > second;
}

/* The features of an example while it is read. */
typedef struct feature_set {
    list list;
    size_t merge_at; /* so many are looked through for doubles */
} feature_set;

/* Takes of features with one name the last, at the place of the first. */
static pod_status merge_doubles(feature_set *set, pod_error *error)
{
    pod_context *context = set->list.arena->context;
    pod_feature *all = (pod_feature *)set->list.entries;
    const size_t count = set->list.count, bytes = count * sizeof(pod_feature *);
    pod_feature **sorted = pod_allocate(context, bytes);
    if (sorted == NULL)
        return pod_error_memory(error, "an example", bytes);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &all[i];
    qsort(sorted, count, sizeof(pod_feature *), compare_names);
    for (size_t i = 0, next; i < count; i = next) {
        const pod_bytes name = sorted[i]->name;
        for (next = i + 1; next < count && has_name(sorted[next], name.data, name.size); next++)
            sorted[next]->name.data = NULL; /* is left out */
        *sorted[i] = *sorted[next - 1];
        sorted[i]->name = name;
    }
    pod_free(context, sorted);
    set->list.count = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].name.data != NULL)
            all[set->list.count++] = all[i];
    set->merge_at = 2 * set->list.count;
    if (set->list.count <= MOST_FEATURES)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT, "malformed example: there are more than %d features", MOST_FEATURES);
}

/* Adds a feature, in the place of an earlier one with its name. Names of more than a few features are compared when
 * there are twice as many as were left the last time: neither time nor memory grows faster than the record. */
static pod_status add_feature(feature_set *set, const pod_feature *feature, pod_error *error)
{
    pod_feature *place = NULL, *known = (pod_feature *)set->list.entries;
    for (size_t i = 0; place == NULL && set->list.count <= FEW_FEATURES && i < set->list.count; i++)
        if (has_name(&known[i], feature->name.data, feature->name.size))
            place = &known[i];
    if (place == NULL)
        place = list_add(&set->list);
    if (place == NULL)
        return pod_error_memory(error, "an example", set->list.room * sizeof *feature);
    *place = *feature;
    return set->list.count >= set->merge_at ? merge_doubles(set, error) : POD_OK;
}

static pod_status read_features(pod_wire from, feature_set *set, pod_error *error)
{
    pod_wire_field entry;
    pod_feature feature;
    pod_status status;
    while ((status = pod_format_wire_next(&from, &entry, error)) == POD_OK) {
        if (entry.number != 1 || entry.type != POD_WIRE_LENGTH)
            continue;
        status = read_entry(set->list.arena, entry.content, &feature, error);
        if (status >= 0)
            status = add_feature(set, &feature, error);
        if (status < 0)
            return status;
    }
    return status;
}

/* Reads all features of an example; POD_OK or a failure. */
static pod_status read_example(pod_wire from, feature_set *set, pod_error *error)
{
    pod_wire_field part;
    pod_status status;
    while ((status = pod_format_wire_next(&from, &part, error)) == POD_OK) {
        if (part.number == 1 && part.type == POD_WIRE_LENGTH)
            status = read_features(part.content, set, error);
        if (status < 0)
            return status;
    }
    if (status == POD_END)
        status = set->list.count > FEW_FEATURES ? merge_doubles(set, error) : POD_OK;
    return status;
}

pod_status pod_example_decode(pod_context *context, const void *bytes, size_t size, pod_example *example,
                              pod_error *error)
{
    const unsigned char *begin = bytes;
    const pod_wire from = {begin, begin, begin + size, "example"};

    *example = (pod_example){0};
    pod_arena *arena = pod_allocate(context, sizeof *arena);
    if (arena == NULL)
        return pod_error_memory(error, "an example", sizeof *arena);
    pod_arena_init(arena, context);
    example->memory = arena;
    feature_set set = {{.arena = arena, .entry_size = sizeof(pod_feature)}, 2 * FEW_FEATURES};
    const pod_status status = read_example(from, &set, error);
    if (status < 0) {
        pod_example_clear(example);
        return status;
    }
    example->count = set.list.count;
    example->features = (const pod_feature *)set.list.entries;
    return POD_OK;
}

void pod_example_clear(pod_example *example)
{
    pod_arena *arena = example->memory;
    if (arena != NULL) {
        pod_context *context = arena->context;
        pod_arena_clear(arena);
        pod_free(context, arena);
    }
    *example = (pod_example){0};
}

const pod_feature *pod_example_find(const pod_example *example, const char *name)
{
    for (size_t i = 0; i < example->count; i++)
        if (has_name(&example->features[i], name, strlen(name)))
            return &example->features[i];
    return NULL;
}

/* ---- writing ---- */

/* The bytes of the packed numbers, or of the repeated fields, of a list. */
static size_t values_size(const pod_feature *feature)
{
    size_t sum = 0;
    switch (feature->kind) {
    case POD_FEATURE_NONE:
        break;
    case POD_FEATURE_BYTES:
        for (size_t i = 0; i < feature->count; i++)
            sum += pod_format_field_size(feature->bytes[i].size);
        break;
    case POD_FEATURE_FLOAT:
        sum = 4 * feature->count;
        break;
    case POD_FEATURE_INT64:
        for (size_t i = 0; i < feature->count; i++)
            sum += pod_format_varint_size((uint64_t)feature->integers[i]);
        break;
    }
    return sum;
}

static size_t list_size(const pod_feature *feature)
{
    const size_t values = values_size(feature);
    return feature->kind == POD_FEATURE_BYTES || feature->count == 0 ? values : pod_format_field_size(values);
}

static size_t feature_size(const pod_feature *feature)
{
    return feature->kind == POD_FEATURE_NONE ? 0 : pod_format_field_size(list_size(feature));
}

static size_t entry_size(const pod_feature *feature)
{
    return pod_format_field_size(feature->name.size) + pod_format_field_size(feature_size(feature));
}

static void put_float(pod_text *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned char bytes[4];
    pod_put_little_u32(bytes, bits);
    pod_text_append_bytes(to, bytes, sizeof bytes);
}

static void put_list(pod_text *to, const pod_feature *feature)
{
    pod_format_put_header(to, (unsigned)feature->kind, list_size(feature));
    if (feature->kind != POD_FEATURE_BYTES && feature->count > 0)
        pod_format_put_header(to, 1, values_size(feature));
    for (size_t i = 0; i < feature->count; i++) {
        if (feature->kind == POD_FEATURE_BYTES)
            pod_format_put_bytes(to, 1, feature->bytes[i].data, feature->bytes[i].size);
        else if (feature->kind == POD_FEATURE_FLOAT)
            put_float(to, feature->floats[i]);
        else
            pod_format_put_varint(to, (uint64_t)feature->integers[i]);
    }
}

pod_status pod_example_encode(pod_context *context, const pod_example *example, pod_bytes *encoded, pod_error *error)
{
    pod_text text;
    size_t size = 0;
    *encoded = (pod_bytes){0};
    for (size_t i = 0; i < example->count; i++)
        size += pod_format_field_size(entry_size(&example->features[i]));
    pod_text_init(&text, context);
    pod_format_put_header(&text, 1, size);
    for (size_t i = 0; i < example->count; i++) {
        const pod_feature *feature = &example->features[i];
        pod_format_put_header(&text, 1, entry_size(feature));
        pod_format_put_bytes(&text, 1, feature->name.data, feature->name.size);
        pod_format_put_header(&text, 2, feature_size(feature));
        if (feature->kind != POD_FEATURE_NONE)
            put_list(&text, feature);
    }
    encoded->size = text.length;
    encoded->data = pod_text_take(&text);
    return encoded->data != NULL ? POD_OK : pod_error_memory(error, "an example", size);
}

void pod_bytes_free(pod_context *context, pod_bytes *bytes)
{
    pod_free(context, (void *)(uintptr_t)bytes->data);
    *bytes = (pod_bytes){0};
}
