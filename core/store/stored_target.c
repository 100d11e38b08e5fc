/* stored_target - the key of a graph's program, and the places in the source that it names: see stored.h. */

#include "base/growth.h"
#include "store/stored.h"

#include "ir/rewrite.h"

#include <assert.h>
#include <string.h>

/* Of the layout of files. */
#define FORMAT 2

/* A program may need so many bytes for each byte of its graph's values, and some more: packed operands and partial
 * sums are larger than what they are made from. */
#define BYTES_A_BYTE 64
#define BYTES_MORE   ((uint64_t)64 << 20)

/* ---- places in the source ------------------------------------------------------------------------------ */

static uint32_t hash_text(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* The bucket of a text, or the empty one where it belongs. */
static uint32_t *bucket_of(const pod_places *places, const char *text)
{
    uint32_t at = hash_text(text) & places->mask;
    assert((places->mask & (places->mask + 1)) == 0 && places->count <= places->mask);
    while (places->buckets[at] && strcmp(places->texts[places->buckets[at] - 1], text) != 0)
        at = (at + 1) & places->mask;
    return &places->buckets[at];
}

uint32_t pod_store_places_find(const pod_places *places, const char *text)
{
    return places->buckets ? *bucket_of(places, text) - 1 : POD_PLACE_NONE;
}

static bool grow(pod_places *places)
{
    const char **texts = places->texts;
    uint32_t room = places->room;
    uint32_t *buckets = NULL;
    if (pod_arena_grow(places->memory, &texts, &room, (size_t)places->count + 1,
                       (pod_growth){sizeof *texts, .first = 64}))
        buckets = pod_arena_array(places->memory, (size_t)room * 2, sizeof *buckets);
    if (!buckets)
        return false;
    places->texts = texts;
    places->buckets = buckets;
    places->room = room;
    places->mask = room * 2 - 1;
    for (uint32_t i = 0; i < places->count; i++)
        *bucket_of(places, texts[i]) = i + 1;
    return true;
}

/* Returns the number of a text, which is added where it is new; POD_PLACE_NONE when there is no memory. */
static uint32_t add_place(pod_places *places, const char *text)
{
    if (places->count == places->room && !grow(places))
        return POD_PLACE_NONE;
    uint32_t *bucket = bucket_of(places, text);
    if (!*bucket) {
        places->texts[places->count++] = text;
        *bucket = places->count;
    }
    return *bucket - 1;
}

/* ---- the walk ---------------------------------------------------------------------------------------------- */

typedef struct target_walk {
    pod_stored_target *target;
    pod_sha256 *hash;
    const char *last; /* location of the node before: most nodes have the same */
    uint32_t number;  /* of the last */
    const char *last_scope;
    uint32_t scope;
} target_walk;

static void add_u64(pod_sha256 *hash, uint64_t value)
{
    pod_sha256_add(hash, &value, sizeof value);
}

static void add_bytes(pod_stored_target *target, const pod_node *node)
{
    for (uint32_t i = 0; i < node->result_count; i++) {
        const pod_type *type = &node->results[i];
        uint64_t bytes = (uint64_t)pod_shape_elements(&type->shape) * pod_dtype_size(type->dtype) * BYTES_A_BYTE;
        if (bytes > UINT64_MAX / 4 - target->most_bytes)
            bytes = 0; /* so much that there is no bound */
        target->most_bytes += bytes;
    }
}

static bool walk_graph(target_walk *w, const pod_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const pod_node *node = graph->nodes[i];
        add_bytes(w->target, node);
        if (node->location && node->location != w->last) {
            w->last = node->location;
            w->number = add_place(&w->target->places, node->location);
            if (w->number == POD_PLACE_NONE)
                return false;
        }
        if (node->scope && node->scope != w->last_scope) {
            w->last_scope = node->scope;
            w->scope = add_place(&w->target->places, node->scope);
            if (w->scope == POD_PLACE_NONE)
                return false;
        }
        const uint32_t numbers[2] = {node->location ? w->number : POD_PLACE_NONE,
                                     node->scope ? w->scope : POD_PLACE_NONE};
        pod_sha256_add(w->hash, numbers, sizeof numbers);
        for (uint32_t j = 0; j < node->region_count; j++)
            if (!walk_graph(w, node->regions[j]))
                return false;
    }
    return true;
}

static void take(void *hash, const void *bytes, size_t size)
{
    pod_sha256_add(hash, bytes, size);
}

bool pod_store_target_make(pod_stored_target *target, pod_context *context, pod_arena *memory, const pod_graph *graph,
                           const pod_compile_options *options)
{
    const char *isa = pod_context_isa(context);
    pod_sha256 hash;
    target_walk w = {.target = target, .hash = &hash};
    pod_precision precision;
    if (!pod_ir_precision_named(options->matmul_precision, &precision))
        return false;
    *target = (pod_stored_target){.graph = graph, .options = options, .most_bytes = BYTES_MORE};
    target->places.memory = memory;
    pod_sha256_begin(&hash);
    pod_sha256_add(&hash, pod_build_id, strlen(pod_build_id) + 1);
    add_u64(&hash, FORMAT);
    pod_sha256_add(&hash, isa, strlen(isa) + 1);
    add_u64(&hash, (uint64_t)precision * 2 + options->no_fusion);
    pod_graph_describe(graph, take, &hash);
    if (!walk_graph(&w, graph))
        return false;
    pod_sha256_end(&hash, target->key.bytes);
    return true;
}
