/* attention_call - see attention_call.h. */

#include "kernels/attention_call.h"

#include <math.h>

/* Sizes and strides stay far from overflow. */
#define MOST_SIZE     ((int64_t)1 << 24)
#define MOST_ELEMENTS ((int64_t)1 << 40)

static bool is_four(const pod_array *array, const pod_attention_call *a, int64_t heads, int64_t places, int64_t width)
{
    const int64_t *dims = array->shape.dims;
    return array->dtype == a->dtype && array->shape.rank == 4 && dims[0] == a->batch && dims[a->head_axis] == heads &&
           dims[3 - a->head_axis] == places && dims[3] == width;
}

static bool fits_mask(const pod_attention_call *a)
{
    const int64_t wanted[4] = {a->batch, a->heads, a->queries, a->keys};
    if (!a->mask)
        return true;
    for (int i = 0; i < 4; i++)
        if (a->mask->shape.dims[i] != 1 && a->mask->shape.dims[i] != wanted[i])
            return false;
    return true;
}

/* Takes the operands behind q, k and v. */
static bool take_optional(const pod_kernel_call *call, pod_attention_call *a, size_t end)
{
    size_t at = 3;
    if (at < end && call->inputs[at].dtype == POD_BOOL && call->inputs[at].shape.rank == 4)
        a->mask = &call->inputs[at++];
    if (at < end && call->inputs[at].dtype == POD_U64 && call->inputs[at].shape.rank == 1 &&
        call->inputs[at].shape.dims[0] == 2)
        a->state = &call->inputs[at++];
    return at == end;
}

static bool take_sizes(pod_attention_call *a)
{
    const int64_t *q = a->q->shape.dims, *k = a->k->shape.dims, *v = a->v->shape.dims;
    if (a->q->shape.rank != 4 || a->k->shape.rank != 4 || a->v->shape.rank != 4)
        return false;
    a->batch = q[0];
    a->heads = q[a->head_axis];
    a->queries = q[3 - a->head_axis];
    a->width = q[3];
    a->shared = k[a->head_axis];
    a->keys = k[3 - a->head_axis];
    a->value_width = v[3];
    const int64_t sizes[] = {a->batch, a->heads, a->queries, a->width, a->shared, a->keys, a->value_width};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] < 1 || sizes[i] > MOST_SIZE)
            return false;
    return a->heads % a->shared == 0 && a->batch * a->heads <= MOST_ELEMENTS / a->queries / a->keys;
}

static bool take_numbers(const pod_attributes *attributes, pod_attention_call *a)
{
    a->causal = attributes->flag;
    a->zero_hidden = attributes->count != 0;
    a->seed = attributes->seed;
    a->scale = (float)attributes->values[0];
    if (attributes->values[0] == 0)
        a->scale = (float)(1 / sqrt((double)a->width));
    a->rate = a->state ? attributes->values[1] : 0;
    return a->scale > 0 && isfinite(a->scale) && a->rate >= 0 && a->rate < 1;
}

/* Keys that few queries look at are read where they lie: a word that is written looks at all before it once. */
static const pod_dot_kernels *choose_products(const pod_kernels *kernels, const pod_attention_call *a)
{
    if (a->dtype == POD_BF16)
        return &kernels->dot_bf16;
    return !a->g && a->queries <= POD_DOT_FEW_ROWS ? &kernels->dot_f32_few : &kernels->dot_f32;
}

bool pod_kernel_attention_read(const pod_kernel_call *call, bool backward, pod_attention_call *a)
{
    size_t results = backward ? 3 : 1, fewest = backward ? 4 : 3;
    *a = (pod_attention_call){.kernels = call->kernels, .results = call->outputs};
    if (call->input_count < fewest || call->input_count > fewest + 2 || call->output_count != results)
        return false;
    a->q = &call->inputs[0];
    a->k = &call->inputs[1];
    a->v = &call->inputs[2];
    a->g = backward ? &call->inputs[call->input_count - 1] : NULL;
    a->dtype = a->q->dtype;
    a->size = (int64_t)pod_dtype_size(a->dtype);
    a->head_axis = call->attributes->axis == 2 ? 2 : 1;
    if ((a->dtype != POD_F32 && a->dtype != POD_BF16) || !take_optional(call, a, call->input_count - backward) ||
        !take_sizes(a) || !take_numbers(call->attributes, a) || !fits_mask(a))
        return false;
    if (call->kernels)
        a->dot = choose_products(call->kernels, a);
    const pod_array *made = call->outputs;
    const pod_array *outward = backward ? a->g : made;
    return is_four(a->k, a, a->shared, a->keys, a->width) && is_four(a->v, a, a->shared, a->keys, a->value_width) &&
           is_four(outward, a, a->heads, a->queries, a->value_width) &&
           (!backward || (is_four(&made[0], a, a->heads, a->queries, a->width) &&
                          is_four(&made[1], a, a->shared, a->keys, a->width) &&
                          is_four(&made[2], a, a->shared, a->keys, a->value_width)));
}

pod_attention_heads pod_kernel_attention_heads_of(const pod_attention_call *a, const pod_array *array)
{
    const int64_t *dims = array->shape.dims;
    bool apart = a->head_axis == 1;
    return (pod_attention_heads){array->data, dims[1] * dims[2] * dims[3], apart ? dims[2] * dims[3] : dims[3],
                                 apart ? dims[3] : dims[2] * dims[3]};
}

char *pod_kernel_attention_head(const pod_attention_call *a, const pod_attention_heads *of, int64_t batch, int64_t head)
{
    return of->data + (batch * of->batch + head * of->head) * a->size;
}
