/* texts - a dataset of strings, and the files that a pattern names. */

#include "input/stage.h"

#include <stdlib.h>
#include <string.h>

#include "input/file_names.h"
#include "input/recipe.h"

typedef struct texts_dataset {
    pod_dataset base;
    size_t count;
    pod_buffer **texts; /* shared */
} texts_dataset;

static pod_status texts_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    const texts_dataset *dataset = (const texts_dataset *)stage->dataset;
    (void)error;
    for (size_t i = (size_t)stage->given; *count < limit && i < dataset->count; i++, ++*count)
        parts[*count] = (pod_part){pod_buffer_retain(dataset->texts[i]), POD_WHOLE};
    return *count > 0 ? POD_OK : POD_END;
}

static void texts_free(pod_dataset *dataset)
{
    pod_input_buffers_drop(((texts_dataset *)dataset)->texts, ((texts_dataset *)dataset)->count);
}

static const pod_stage_class texts_class = {
    .name = "from_texts",
    .dataset_size = sizeof(texts_dataset),
    .free = texts_free,
    .next = texts_next,
};

static pod_status add_text(texts_dataset *self, const char *text, size_t size, pod_error *error)
{
    const pod_shape shape = {1, {(int64_t)size}};
    pod_buffer **buffer = &self->texts[self->count];
    const pod_status status = pod_buffer_new(self->base.context, POD_U8, &shape, buffer, error);
    if (status != POD_OK)
        return status;
    memcpy(pod_buffer_data(*buffer), text, size);
    self->count++;
    return POD_OK;
}

pod_status pod_dataset_from_texts(pod_context *context, const char *const *texts, const size_t *sizes, size_t count,
                                  pod_dataset **dataset, pod_error *error)
{
    const pod_component text = {.dtype = POD_U8, .shape = {1, {-1}}, .text = true};
    pod_status status = pod_dataset_new(context, &texts_class, NULL, 0, &text, 1, dataset, error);
    if (status != POD_OK)
        return status;
    texts_dataset *made = (texts_dataset *)*dataset;
    made->base.cardinality = (int64_t)count;
    made->base.in_memory = true;
    made->texts = pod_input_hold(&made->base.holdings, count, sizeof *made->texts);
    status = pod_dataset_check_holdings(dataset, error);
    for (size_t i = 0; status == POD_OK && i < count; i++) {
        status = add_text(made, texts[i], sizes != NULL ? sizes[i] : strlen(texts[i]), error);
        if (status != POD_OK)
            return pod_dataset_fail(dataset, status);
    }
    return status;
}

/* The order of bytes, which no locale changes. */
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

pod_status pod_dataset_list_files(pod_context *context, const char *const *patterns, size_t count,
                                  pod_dataset **dataset, pod_error *error)
{
    pod_file_names found = {0};
    pod_status status = POD_OK;
    *dataset = NULL;
    pod_arena_init(&found.arena, context);
    for (size_t i = 0; status == POD_OK && i < count; i++) {
        const size_t before = found.count;
        status = pod_input_file_names_add(&found, patterns[i], error);
        if (status == POD_OK && found.count == before)
            status = pod_error_set(error, POD_ERROR_NOT_FOUND, "no file has a name like '%s'", patterns[i]);
    }
    if (status == POD_OK && found.count > 1)
        qsort(found.names, found.count, sizeof found.names[0], compare_names);
    if (status == POD_OK)
        status = pod_dataset_from_texts(context, found.names, NULL, found.count, dataset, error);
    pod_arena_clear(&found.arena);
    return status;
}

pod_status pod_input_texts_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const texts_dataset *from = (const texts_dataset *)recipe->from;
    size_t count = from != NULL ? from->count : 0;
    pod_input_recipe_count(recipe, &count, SIZE_MAX);
    if (from == NULL && count > recipe->left / 8) /* each has its size there */
        count = recipe->left / 8 + 1;
    const char **texts = pod_allocate_zeroed(recipe->context, count + 1, sizeof *texts);
    size_t *sizes = pod_allocate_zeroed(recipe->context, count + 1, sizeof *sizes);
    if (texts == NULL || sizes == NULL)
        pod_input_recipe_fail_memory(recipe, count * sizeof *texts);
    for (size_t i = 0; recipe->status == POD_OK && i < count; i++) {
        pod_bytes bytes = {0};
        if (from != NULL)
            bytes = (pod_bytes){pod_buffer_data(from->texts[i]), pod_buffer_bytes(from->texts[i])};
        pod_input_recipe_bytes(recipe, &bytes);
        texts[i] = bytes.data != NULL ? bytes.data : "";
        sizes[i] = bytes.size;
    }
    pod_status status = POD_OK;
    if (pod_input_recipe_is_read(recipe))
        status = pod_dataset_from_texts(recipe->context, texts, sizes, count, made, recipe->error);
    pod_free(recipe->context, texts);
    pod_free(recipe->context, sizes);
    return status;
}
