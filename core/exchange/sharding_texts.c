/* What shardings say, in the forms of both partitioners - see shardings.h. */

#include <string.h>

#include "exchange/shardings.h"

enum { MOST_DIMS = 2 * POD_MAX_RANK };

/* ---- texts ----------------------------------------------------------------------------------- */

static bool accept(pod_span *text, const char *token)
{
    const size_t length = strlen(token);
    while (text->length > 0 && *text->text == ' ')
        *text = (pod_span){text->text + 1, text->length - 1};
    if (text->length < length || memcmp(text->text, token, length) != 0)
        return false;
    *text = (pod_span){text->text + length, text->length - length};
    return true;
}

static bool take_integer(pod_span *text, int64_t *value)
{
    size_t length = 0;
    accept(text, "");
    while (length < text->length && text->text[length] >= '0' && text->text[length] <= '9')
        length++;
    const bool taken = length > 0 && pod_exchange_span_integer((pod_span){text->text, length}, value) && *value > 0 &&
                       *value <= POD_MESH_DEVICES;
    *text = (pod_span){text->text + length, text->length - length};
    return taken;
}

/* Takes a size; *product, of all of them, is at most that of all devices. */
static bool take_factor(pod_span *text, int64_t *size, int64_t *product)
{
    if (!take_integer(text, size) || *size > POD_MESH_DEVICES / *product)
        return false;
    *product *= *size;
    return true;
}

/* Takes what stands up to a character, and that. */
static bool take_until(pod_span *text, char end, pod_span *taken)
{
    const char *found = text->length > 0 ? memchr(text->text, end, text->length) : NULL;
    if (!found)
        return false;
    *taken = (pod_span){text->text, (size_t)(found - text->text)};
    *text = (pod_span){found + 1, text->length - taken->length - 1};
    return true;
}

/* "4,2]" */
static bool take_integers(pod_span *text, int64_t *values, int32_t *count)
{
    int64_t product = 1;
    *count = 0;
    do {
        if (*count == MOST_DIMS || !take_factor(text, &values[(*count)++], &product))
            return false;
    } while (accept(text, ","));
    return accept(text, "]");
}

static bool add_piece(pod_sharding_pieces *pieces, int32_t axis, int64_t stride, int64_t size)
{
    if (size == 1)
        return true;
    if (pieces->count == POD_SHARDING_PIECES)
        return false;
    pieces->list[pieces->count++] = (pod_sharding_piece){axis, stride, size};
    return true;
}

/* ---- shardings of Shardy --------------------------------------------------------------------- */

typedef struct named_mesh {
    pod_span names[MOST_DIMS];
    int64_t sizes[MOST_DIMS];
    int32_t rank;
} named_mesh;

/* <["data"=4, "model"=2]> */
static bool read_mesh(pod_span text, named_mesh *mesh)
{
    int64_t devices = 1;
    mesh->rank = 0;
    if (!accept(&text, "<") || !accept(&text, "["))
        return false;
    if (accept(&text, "]"))
        return true;
    do {
        if (mesh->rank == MOST_DIMS || !accept(&text, "\"") || !take_until(&text, '"', &mesh->names[mesh->rank]) ||
            !accept(&text, "=") || !take_factor(&text, &mesh->sizes[mesh->rank], &devices))
            return false;
        mesh->rank++;
    } while (accept(&text, ","));
    return accept(&text, "]");
}

/* The place of an axis in a mesh, and how far apart its devices are; -1: it has none of the name. */
static int32_t find_axis(const named_mesh *mesh, pod_span name, int64_t *stride)
{
    int32_t at = mesh->rank - 1;
    *stride = 1;
    while (at >= 0 &&
           (name.length != mesh->names[at].length || memcmp(name.text, mesh->names[at].text, name.length) != 0))
        *stride *= mesh->sizes[at--];
    return at;
}

/* "data", or "data":(2)4: the part of 4 behind the first 2 of it. */
static bool take_axis(pod_span *text, const named_mesh *mesh, int32_t axis, pod_sharding_pieces *pieces)
{
    pod_span name;
    int64_t stride;
    if (!accept(text, "\"") || !take_until(text, '"', &name))
        return false;
    const int32_t at = find_axis(mesh, name, &stride);
    if (at < 0)
        return false;
    int64_t before = 1, size = mesh->sizes[at];
    if (accept(text, ":(") && (!take_integer(text, &before) || !accept(text, ")") || !take_integer(text, &size)))
        return false;
    if (mesh->sizes[at] % (before * size) != 0)
        return false;
    return add_piece(pieces, axis, stride * (mesh->sizes[at] / (before * size)), size);
}

/* {"data", "model", ?} */
static bool take_axes(pod_span *text, const named_mesh *mesh, int32_t axis, pod_sharding_pieces *pieces)
{
    int64_t priority;
    if (!accept(text, "{"))
        return false;
    if (!accept(text, "}")) {
        do {
            if (accept(text, "?"))
                pieces->open = true;
            else if (!take_axis(text, mesh, axis, pieces))
                return false;
        } while (accept(text, ","));
        if (!accept(text, "}"))
            return false;
    }
    return !accept(text, "p") || accept(text, "0") || take_integer(text, &priority);
}

/* @mesh, [{"data"}, {}] */
static bool read_named(const pod_syntax_module *syntax, pod_span text, int32_t rank, pod_sharding_pieces *pieces)
{
    named_mesh mesh;
    pod_span name, declared;
    int32_t axis = 0;
    if (accept(&text, "@")) {
        if (!take_until(&text, ',', &name) || !pod_exchange_syntax_find_alias(syntax, name, &declared) ||
            !read_mesh(declared, &mesh))
            return false;
    } else if (!accept(&text, "mesh") || !read_mesh(text, &mesh) || !take_until(&text, '>', &name) ||
               !accept(&text, ",")) {
        return false;
    }
    if (!accept(&text, "["))
        return false;
    if (accept(&text, "]"))
        return true;
    do {
        if (axis == rank || !take_axes(&text, &mesh, axis++, pieces))
            return false;
    } while (accept(&text, ","));
    return accept(&text, "]");
}

/* ---- shardings of the older partitioner ------------------------------------------------------ */

/* 0,2,4,6,1,3,5,7}: devices in the order of tiles. Along each axis they are equally far apart. */
static bool read_listed(pod_span text, const int64_t *tiles, int32_t dims, int32_t rank, pod_sharding_pieces *pieces)
{
    int64_t strides[MOST_DIMS] = {0};
    for (int64_t place = 0; place < pieces->devices; place++) {
        int64_t device = 0, expected = 0, step = 1;
        const bool zero = accept(&text, "0");
        if (!zero && !take_integer(&text, &device))
            return false;
        for (int32_t i = dims; i-- > 0; step *= tiles[i]) {
            strides[i] = place == step ? device : strides[i];
            expected += place / step % tiles[i] * strides[i];
        }
        if (device != expected || (place > 0 && zero))
            return false;
        accept(&text, ",");
    }
    for (int32_t axis = 0; axis < rank; axis++)
        if (!add_piece(pieces, axis, strides[axis], tiles[axis]))
            return false;
    return true;
}

/* [4,1,2]<=[2,4]T(1,0) ..: what each axis is divided into, then the devices in the order in which they have parts. */
static bool read_tiles(pod_span text, int32_t rank, pod_sharding_pieces *pieces)
{
    int64_t tiles[MOST_DIMS], sizes[MOST_DIMS] = {1}, strides[MOST_DIMS], order[MOST_DIMS], stride = 1;
    int32_t dims, count = 1, turned = 0;
    if (!accept(&text, "[") || !take_integers(&text, tiles, &dims) || dims < rank)
        return false;
    pieces->devices = 1;
    for (int32_t i = 0; i < dims; i++)
        pieces->devices *= tiles[i];
    if (!accept(&text, "<=["))
        return read_listed(text, tiles, dims, rank, pieces);
    if (!take_integers(&text, sizes, &count))
        return false;
    for (int32_t i = count; i-- > 0; stride *= sizes[i]) {
        strides[i] = stride;
        order[i] = i;
    }
    if (accept(&text, "T(")) {
        pod_span digit;
        for (; turned < count && text.length > 0; turned++) {
            digit = (pod_span){text.text, 1};
            if (!pod_exchange_span_integer(digit, &order[turned]) || order[turned] >= count)
                return false;
            text = (pod_span){text.text + 1, text.length - 1};
            accept(&text, ",");
        }
    }
    int32_t at = 0;
    int64_t left = sizes[order[0]]; /* of the devices' axis that is being used up */
    for (int32_t axis = 0; axis < rank; axis++)
        for (int64_t tile = tiles[axis]; tile > 1;) {
            while (left == 1 && at + 1 < count)
                left = sizes[order[++at]];
            const int64_t part = tile < left ? tile : left;
            if (part < 2 || tile % part != 0 || left % part != 0)
                return false;
            left /= part;
            tile /= part;
            if (!add_piece(pieces, axis, strides[order[at]] * left, part))
                return false;
        }
    return true;
}

/* Tells whether axes are divided by hand: whole values have no such sharding. */
static bool has_manual(pod_span text)
{
    for (size_t i = 0; i + 6 <= text.length; i++)
        if (memcmp(text.text + i, "manual", 6) == 0)
            return true;
    return false;
}

bool pod_exchange_read_sharding(const pod_syntax_module *syntax, pod_span text, int32_t rank,
                                pod_sharding_pieces *pieces)
{
    *pieces = (pod_sharding_pieces){0};
    accept(&text, "#sdy.sharding");
    if (accept(&text, "<"))
        return read_named(syntax, text, rank, pieces);
    if (has_manual(text))
        return false;
    if (accept(&text, "{devices="))
        return read_tiles(text, rank, pieces);
    return accept(&text, "{replicated}");
}

/* ---- where they stand ------------------------------------------------------------------------ */

pod_span pod_exchange_sharding_of(const pod_syntax_value *table)
{
    const pod_syntax_value *found = table ? pod_exchange_syntax_find(table, "mhlo.sharding") : NULL;
    if (table && !found)
        found = pod_exchange_syntax_find(table, "sdy.sharding");
    return found ? found->text : (pod_span){0};
}

pod_span pod_exchange_constraint_of(const pod_syntax_op *op)
{
    const pod_syntax_value *found = pod_exchange_syntax_find(&op->attributes, "sharding");
    if (!found)
        found = pod_exchange_syntax_find(&op->attributes, "");
    return found && found->kind == POD_VALUE_RAW ? found->text : pod_exchange_sharding_of(&op->attributes);
}

const pod_syntax_value *pod_exchange_shardings_of(const pod_syntax_op *op, const char *key, uint32_t count)
{
    const pod_syntax_value *list = pod_exchange_syntax_find(&op->attributes, key);
    return list && list->kind == POD_VALUE_LIST && list->count == count ? list : NULL;
}

bool pod_exchange_read_manual_axes(const pod_syntax_module *syntax, const pod_syntax_op *op,
                                   pod_sharding_pieces *pieces)
{
    named_mesh mesh;
    pod_span name, declared, text = {0};
    const pod_syntax_value *axes = pod_exchange_syntax_find(&op->attributes, "manual_axes");
    const pod_syntax_value *in = pod_exchange_shardings_of(op, "in_shardings", op->operand_count);
    const pod_syntax_value *out = pod_exchange_shardings_of(op, "out_shardings", op->result_count);
    *pieces = (pod_sharding_pieces){0};
    if (!axes || !in || !out || (!in->first && !out->first))
        return false;
    text = in->first ? in->first->text : out->first->text;
    accept(&text, "#sdy.sharding");
    if (!accept(&text, "<") || !accept(&text, "@") || !take_until(&text, ',', &name) ||
        !pod_exchange_syntax_find_alias(syntax, name, &declared) || !read_mesh(declared, &mesh))
        return false;
    for (const pod_syntax_value *axis = axes->first; axis; axis = axis->next) {
        int64_t stride;
        const int32_t at = find_axis(&mesh, axis->key.length > 0 ? axis->key : axis->text, &stride);
        if (at < 0 || !add_piece(pieces, 0, stride, mesh.sizes[at]))
            return false;
    }
    return true;
}
