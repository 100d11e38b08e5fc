/* stored - numbers, texts and shapes as bytes, in this machine's order. */

#include "store/stored.h"
#include "base/growth.h"

#include <assert.h>
#include <string.h>

#define MOST_TEXT 65535

static bool reserve(pod_stored *s, size_t more)
{
    s->failed =
        pod_grow(s->context, &s->bytes, &s->room, s->size + more, (pod_growth){1, .first = 4096}, NULL) != POD_OK;
    return !s->failed;
}

void pod_store_bytes(pod_stored *s, void *bytes, size_t size)
{
    assert(s->at <= s->size && (!s->writes || s->size <= s->room));
    if (!size)
        return;
    if (s->writes) {
        if (!s->failed && reserve(s, size)) {
            memcpy(s->bytes + s->size, bytes, size);
            s->size += size;
        }
        return;
    }
    if (s->failed || size > s->size - s->at) {
        s->failed = true;
        memset(bytes, 0, size);
        return;
    }
    memcpy(bytes, s->bytes + s->at, size);
    s->at += size;
}

uint8_t pod_store_u8(pod_stored *s, uint8_t value)
{
    pod_store_bytes(s, &value, sizeof value);
    return value;
}

bool pod_store_bool(pod_stored *s, bool value)
{
    return pod_store_below(s, value, 2) != 0;
}

uint32_t pod_store_u32(pod_stored *s, uint32_t value)
{
    pod_store_bytes(s, &value, sizeof value);
    return value;
}

int32_t pod_store_i32(pod_stored *s, int32_t value)
{
    pod_store_bytes(s, &value, sizeof value);
    return value;
}

uint64_t pod_store_u64(pod_stored *s, uint64_t value)
{
    pod_store_bytes(s, &value, sizeof value);
    return value;
}

int64_t pod_store_i64(pod_stored *s, int64_t value)
{
    pod_store_bytes(s, &value, sizeof value);
    return value;
}

double pod_store_f64(pod_stored *s, double value)
{
    pod_store_bytes(s, &value, sizeof value);
    return value;
}

uint32_t pod_store_below(pod_stored *s, uint32_t value, uint32_t end)
{
    assert(end > 0 && (!s->writes || value < end));
    value = end <= 256 ? pod_store_u8(s, (uint8_t)value) : pod_store_u32(s, value);
    if (value < end)
        return value;
    s->failed = true;
    return 0;
}

uint32_t pod_store_count(pod_stored *s, uint32_t count, size_t bytes)
{
    assert(bytes > 0);
    count = pod_store_u32(s, count);
    if (!s->writes && (s->failed || count > (s->size - s->at) / bytes)) {
        s->failed = true;
        return 0;
    }
    return count;
}

void *pod_store_array(pod_stored *s, const void *array, size_t count, size_t size)
{
    if (s->writes)
        return (void *)array;
    assert(s->memory);
    void *made = s->failed ? NULL : pod_arena_array(s->memory, count, size);
    s->failed = s->failed || !made;
    return made;
}

const char *pod_store_text(pod_stored *s, const char *text)
{
    bool given = pod_store_bool(s, text != NULL);
    size_t length = given && s->writes ? strlen(text) : 0;
    if (!given)
        return NULL;
    if (length > MOST_TEXT)
        s->failed = true;
    length = pod_store_count(s, (uint32_t)length, 1);
    if (length > MOST_TEXT)
        s->failed = true;
    char *made = pod_store_array(s, text, length + 1, 1);
    if (!s->failed)
        pod_store_bytes(s, made, length);
    return pod_store_kept(s, made);
}

void pod_store_shape(pod_stored *s, pod_shape *shape)
{
    shape->rank = (int32_t)pod_store_below(s, (uint32_t)shape->rank, POD_MAX_RANK + 1);
    for (int32_t i = 0; i < shape->rank; i++)
        shape->dims[i] = pod_store_i64(s, shape->dims[i]);
}

static void store_axes(pod_stored *s, pod_axes *axes)
{
    axes->count = (int32_t)pod_store_below(s, (uint32_t)axes->count, POD_MAX_RANK + 1);
    for (int32_t i = 0; i < axes->count; i++)
        axes->axes[i] = pod_store_i32(s, axes->axes[i]);
}

static void store_window(pod_stored *s, pod_window *window)
{
    window->rank = (int32_t)pod_store_below(s, (uint32_t)window->rank, POD_MAX_SPATIAL + 1);
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        window->size[i] = pod_store_i64(s, window->size[i]);
        window->stride[i] = pod_store_i64(s, window->stride[i]);
        window->pad_low[i] = pod_store_i64(s, window->pad_low[i]);
        window->pad_high[i] = pod_store_i64(s, window->pad_high[i]);
        window->dilation[i] = pod_store_i64(s, window->dilation[i]);
    }
    window->groups = pod_store_i64(s, window->groups);
}

/* The data of a constant, which is one element, is stored with the kernel that fills it in. */
void pod_store_attributes(pod_stored *s, pod_attributes *a)
{
    a->dtype = (pod_dtype)pod_store_below(s, a->dtype, POD_DTYPE_END);
    pod_store_shape(s, &a->shape);
    store_axes(s, &a->axes);
    a->axis = pod_store_i32(s, a->axis);
    a->count = pod_store_i64(s, a->count);
    store_axes(s, &a->lhs_batch);
    store_axes(s, &a->rhs_batch);
    store_axes(s, &a->lhs_contract);
    store_axes(s, &a->rhs_contract);
    for (int i = 0; i < POD_MAX_RANK; i++) {
        a->low[i] = pod_store_i64(s, a->low[i]);
        a->high[i] = pod_store_i64(s, a->high[i]);
        a->step[i] = pod_store_i64(s, a->step[i]);
    }
    store_window(s, &a->window);
    a->comparison = (pod_comparison)pod_store_below(s, a->comparison, POD_COMPARE_GE + 1);
    a->reduction = (pod_reduction)pod_store_below(s, a->reduction, POD_REDUCE_ASSIGN + 1);
    a->flag = pod_store_bool(s, a->flag);
    a->seed = pod_store_u64(s, a->seed);
    for (size_t i = 0; i < sizeof a->values / sizeof a->values[0]; i++)
        a->values[i] = pod_store_f64(s, a->values[i]);
    a->name = pod_store_text(s, a->name);
}
