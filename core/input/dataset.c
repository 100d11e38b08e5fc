/* dataset - stages as shared objects: making, describing, freeing. */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "input/stage.h"

/* Counts the stages that end in one more over `inputs`. */
static pod_status count_stages(const char *name, pod_dataset *const *inputs, size_t count, int32_t *depth,
                               int32_t *stages, pod_error *error)
{
    *depth = *stages = 1;
    for (size_t i = 0; i < count; i++) {
        *stages += inputs[i]->stages; /* so few inputs, each of so few: no overflow */
        *depth = inputs[i]->depth >= *depth ? inputs[i]->depth + 1 : *depth;
        if (*stages > POD_MOST_STAGES)
            break;
    }
    if (*depth <= POD_MOST_STAGES_DEEP && *stages <= POD_MOST_STAGES)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_ARGUMENT,
                         "%s: the dataset would be a chain of %d stages, or have %d in all; at most %d and %d are "
                         "possible. One stage can do the work of many (skip(2) that of skip(1):skip(1))",
                         name, *depth, *stages, POD_MOST_STAGES_DEEP, POD_MOST_STAGES);
}

pod_status pod_dataset_new(pod_context *context, const pod_stage_class *kind, pod_dataset *const *inputs,
                           size_t input_count, const pod_component *components, size_t width, pod_dataset **dataset,
                           pod_error *error)
{
    const bool passes_on = components == NULL;
    const size_t size = kind->dataset_size > 0 ? kind->dataset_size : sizeof(pod_dataset);
    *dataset = NULL;
    if (passes_on) {
        components = inputs[0]->components;
        width = inputs[0]->width;
    }
    if (width == 0 || width > POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "elements of %s would have %zu components; they have 1 to %d",
                             kind->name, width, POD_MAX_COMPONENTS);
    int32_t depth, stages;
    const pod_status status = count_stages(kind->name, inputs, input_count, &depth, &stages, error);
    if (status != POD_OK)
        return status;
    const size_t bytes = input_count * sizeof(pod_dataset *) + width * sizeof(pod_component) + size;
    pod_dataset *made = pod_allocate_zeroed(context, 1, bytes);
    if (made == NULL)
        return pod_error_memory(error, "a dataset stage", bytes);
    made->kind = kind;
    made->context = made->holdings.context = pod_context_retain(context);
    atomic_init(&made->shares, 1);
    atomic_init(&made->passes, 0);
    made->components = (pod_component *)((char *)made + size);
    made->inputs = (pod_dataset **)(made->components + width);
    memcpy(made->components, components, width * sizeof *components);
    made->width = width;
    made->depth = depth;
    made->stages = stages;
    made->input_count = input_count;
    made->cardinality = input_count > 0 ? inputs[0]->cardinality : POD_CARDINALITY_UNKNOWN;
    for (size_t i = 0; i < input_count; i++) {
        made->inputs[i] = pod_dataset_retain(inputs[i]);
        made->own_thread |= inputs[i]->own_thread;
    }
    if (passes_on)
        pod_dataset_lies_as(made, inputs, 1);
    *dataset = made;
    return POD_OK;
}

pod_dataset *pod_dataset_retain(pod_dataset *dataset)
{
    atomic_fetch_add_explicit(&dataset->shares, 1, memory_order_relaxed);
    return dataset;
}

void pod_dataset_release(pod_dataset *dataset)
{
    if (dataset == NULL || atomic_fetch_sub_explicit(&dataset->shares, 1, memory_order_acq_rel) != 1)
        return;
    if (dataset->kind->free != NULL)
        dataset->kind->free(dataset);
    for (size_t i = 0; i < dataset->input_count; i++)
        pod_dataset_release(dataset->inputs[i]);
    pod_context *context = dataset->context;
    if (dataset->owned.release != NULL)
        dataset->owned.release(dataset->owned.thing);
    pod_input_holdings_end(&dataset->holdings);
    pod_free(context, dataset->label);
    pod_free(context, dataset);
    pod_context_release(context);
}

pod_status pod_dataset_own(pod_dataset **dataset, pod_owned owned, pod_status status)
{
    if (status == POD_OK)
        (*dataset)->owned = owned;
    else if (owned.release != NULL)
        owned.release(owned.thing);
    return status;
}

void pod_dataset_tell(pod_dataset *dataset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(dataset->options, sizeof dataset->options, format, arguments);
    va_end(arguments);
}

pod_status pod_dataset_fail(pod_dataset **dataset, pod_status status)
{
    pod_dataset_release(*dataset);
    *dataset = NULL;
    return status;
}

pod_status pod_dataset_check_holdings(pod_dataset **dataset, pod_error *error)
{
    const pod_status status = pod_input_holdings_check(&(*dataset)->holdings, "a stage", error);
    return status == POD_OK ? POD_OK : pod_dataset_fail(dataset, status);
}

size_t pod_dataset_component_count(const pod_dataset *dataset)
{
    return dataset->width;
}

pod_component pod_dataset_get_component(const pod_dataset *dataset, size_t index)
{
    return index < dataset->width ? dataset->components[index] : (pod_component){0};
}

int64_t pod_dataset_cardinality(const pod_dataset *dataset)
{
    return dataset->cardinality;
}

pod_status pod_dataset_set_label(pod_dataset *dataset, const char *label, pod_error *error)
{
    char *copy = pod_copy_text(dataset->context, label);
    if (copy == NULL)
        return pod_error_memory(error, "a name", strlen(label) + 1);
    pod_free(dataset->context, dataset->label);
    dataset->label = copy;
    return POD_OK;
}

const char *pod_dataset_stage_name(const pod_dataset *dataset)
{
    return dataset->kind->name;
}

const char *pod_dataset_label(const pod_dataset *dataset)
{
    return dataset->label ? dataset->label : dataset->kind->name;
}

pod_dataset *pod_dataset_input(const pod_dataset *dataset, size_t index)
{
    return index < dataset->input_count ? dataset->inputs[index] : NULL;
}

bool pod_dataset_needs_own_thread(const pod_dataset *dataset)
{
    return dataset->own_thread;
}

static void find_passes(const pod_dataset *dataset, int64_t *most)
{
    const int64_t seen = atomic_load(&dataset->passes);
    if (seen > *most)
        *most = seen;
    for (size_t i = 0; !dataset->kind->own_pass && i < dataset->input_count; i++)
        find_passes(dataset->inputs[i], most);
}

static void remember_pass(pod_dataset *dataset, int64_t pass)
{
    int_fast64_t seen = atomic_load(&dataset->passes);
    while (dataset->kind->counts_passes && seen < pass && !atomic_compare_exchange_weak(&dataset->passes, &seen, pass))
        continue;
    for (size_t i = 0; !dataset->kind->own_pass && i < dataset->input_count; i++)
        remember_pass(dataset->inputs[i], pass);
}

int64_t pod_dataset_begin_pass(pod_dataset *dataset)
{
    int64_t most = 0;
    find_passes(dataset, &most);
    remember_pass(dataset, most + 1);
    return most + 1;
}

bool pod_input_component_is_static(const pod_component *component)
{
    return pod_shape_elements(&component->shape) >= 0;
}

int64_t pod_input_component_bytes(const pod_component *component)
{
    const int64_t elements = pod_shape_elements(&component->shape);
    const int64_t size = (int64_t)pod_dtype_size(component->dtype);
    return elements < 0 || (size > 0 && elements > INT64_MAX / size) ? -1 : elements * size;
}

int64_t pod_input_bytes_times(int64_t count, int64_t bytes)
{
    int64_t product;
    return bytes < 0 || pod_multiply_overflows(count, bytes, &product) ? -1 : product;
}

int64_t pod_dataset_most_rows(const pod_dataset *dataset)
{
    while (dataset->kind->batch_size == NULL) {
        if (dataset->input_count == 0 || dataset->inputs[0]->width != dataset->width)
            return -1;
        dataset = dataset->inputs[0];
    }
    return dataset->kind->batch_size(dataset);
}

int64_t pod_dataset_at_once(const pod_dataset *dataset, int64_t limit)
{
    while (dataset->kind->at_once == 0 && (dataset->kind->elementwise || dataset->kind->one_for_one))
        dataset = dataset->inputs[0];
    const int64_t count = dataset->kind->at_once;
    return count > 0 && count < limit ? count : limit;
}

int64_t pod_dataset_element_bytes(const pod_dataset *dataset)
{
    int64_t sum = 0;
    for (size_t i = 0; i < dataset->width; i++) {
        pod_component full = dataset->components[i];
        if (full.shape.rank > 0 && full.shape.dims[0] < 0)
            full.shape.dims[0] = pod_dataset_most_rows(dataset);
        const int64_t bytes = pod_input_component_bytes(&full);
        if (bytes < 0 || sum > INT64_MAX - bytes)
            return -1;
        sum += bytes;
    }
    return sum;
}

void pod_dataset_lies_as(pod_dataset *dataset, pod_dataset *const *inputs, size_t count)
{
    dataset->in_memory = true;
    for (size_t i = 0; i < count; i++) {
        dataset->in_memory &= inputs[i]->in_memory;
        if (inputs[i]->together > dataset->together)
            dataset->together = inputs[i]->together;
    }
}

/* Returns what buffers of the components take besides their elements: once for as many as lie in one block. */
static double overhead(const pod_dataset *dataset)
{
    const pod_shape scalar = {0};
    const size_t each = pod_buffer_planned_bytes(POD_U8, &scalar);
    return (double)(each * dataset->width) / (double)(dataset->together > 0 ? dataset->together : 1);
}

/* 1 + 1/2 + ... + 1/count, of many by Euler's expansion: blocks may have any number of rows. */
static double harmonic_number(int64_t count)
{
    enum { FEW = 64 }; /* from there on the next term of the expansion is below one unit in the last place */
    if (count > FEW) {
        const double n = (double)count, gamma = 0.57721566490153286;
        return log(n) + gamma + 1 / (2 * n) - 1 / (12 * n * n) + 1 / (120 * n * n * n * n);
    }
    double sum = 0;
    for (int64_t k = 1; k <= count; k++)
        sum += 1. / (double)k;
    return sum;
}

/* How many elements lie in the blocks of `count` that are drawn at random from a buffer of so many: a block is held
 * until the last of its k rows is drawn, which takes 1 + 1/2 + ... + 1/k times as long as each does in the mean. */
static double held_elements(const pod_dataset *dataset, int64_t count)
{
    const double held = (double)count * harmonic_number(dataset->together) + (double)dataset->together;
    return dataset->cardinality >= 0 && (double)dataset->cardinality < held ? (double)dataset->cardinality : held;
}

int64_t pod_dataset_kept_bytes(const pod_dataset *dataset, int64_t count, bool mixed)
{
    if (dataset->in_memory)
        return 0;
    const int64_t one = pod_dataset_element_bytes(dataset);
    const double elements = mixed && dataset->together > 1 ? held_elements(dataset, count) : (double)count;
    const double bytes = elements * ((double)one + overhead(dataset));
    return one < 0 || bytes > 0x1p60 ? -1 : (int64_t)bytes;
}

int64_t pod_dataset_host_bytes(const pod_dataset *dataset)
{
    int64_t sum = dataset->kind->host_bytes != NULL ? dataset->kind->host_bytes(dataset) : 0;
    for (size_t i = 0; i < dataset->input_count && sum >= 0; i++) {
        const int64_t bytes = pod_dataset_host_bytes(dataset->inputs[i]);
        sum = bytes < 0 || sum > INT64_MAX - bytes ? -1 : sum + bytes;
    }
    return sum;
}
