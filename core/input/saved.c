/* saved - datasets that are written to files and read from them: save, load, and caches in files. */

#include <inttypes.h>
#include <string.h>

#include "formats/record.h"
#include "input/consumer.h"
#include "input/element_file.h"
#include "input/place.h"
#include "input/recipe.h"
#include "moonpod/formats.h"

/* ---- save ---- */

/* Bytes of elements that may wait in queues while a dataset is written. */
#define SAVE_BUDGET ((int64_t)64 << 20)

static pod_status write_elements(pod_stage *stage, pod_element_writer *writer, pod_part *parts, pod_error *error)
{
    pod_status status = POD_OK;
    while (status == POD_OK) {
        size_t count;
        status = pod_input_stage_next(stage, parts, POD_STAGE_BLOCK, &count, error);
        if (status == POD_OK)
            status = pod_input_element_writer_add(writer, parts, count, error);
        pod_input_parts_release(parts, count * stage->width);
    }
    return status == POD_END ? POD_OK : status;
}

/* Writes what a stage gives, from the first pass. */
static pod_status write_stage(pod_stage *stage, const char *path, const char *compression, const char *note,
                              pod_error *error)
{
    const pod_dataset *dataset = stage->dataset;
    const size_t bytes = POD_STAGE_BLOCK * dataset->width * sizeof(pod_part);
    pod_element_writer writer;
    pod_part *parts = pod_allocate(dataset->context, bytes);
    if (parts == NULL)
        return pod_error_memory(error, "a block of elements", bytes);
    pod_status status = pod_input_element_writer_open(&writer, dataset->context, path, compression, dataset->components,
                                                      dataset->width, note, error);
    if (status == POD_OK) {
        status = write_elements(stage, &writer, parts, error);
        if (status == POD_OK)
            status = pod_input_element_writer_commit(&writer, error);
        else
            pod_input_element_writer_abandon(&writer);
    }
    pod_free(dataset->context, parts);
    return status;
}

pod_status pod_dataset_save(pod_dataset *dataset, const char *path, const char *compression, const char *note,
                            pod_error *error)
{
    const pod_iterator_options options = {.epoch = 1, .ram_budget = SAVE_BUDGET};
    pod_dataset_iterator *iterator;
    if (dataset->cardinality == POD_CARDINALITY_INFINITE)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "save: the dataset has no end; take some elements of it");
    pod_status status = pod_dataset_iterator_open(dataset, &options, &iterator, error);
    if (status != POD_OK)
        return status;
    atomic_store(&iterator->shared.awaited, true);
    status = write_stage(iterator->stage, path, compression, note, error);
    pod_dataset_iterator_close(iterator);
    return status;
}

/* ---- load ---- */

typedef struct load_dataset {
    pod_dataset base;
    char *path;
} load_dataset;

typedef struct load_stage {
    pod_stage base;
    pod_element_reader reader;
} load_stage;

static void load_drop(pod_stage *stage)
{
    pod_input_element_reader_close(&((load_stage *)stage)->reader);
}

/* Opens a file of elements like those of the dataset. */
static pod_status open_reader(const pod_dataset *dataset, const char *path, pod_element_reader *reader,
                              pod_error *error)
{
    const pod_status status = pod_input_element_reader_open(reader, dataset->context, path, error);
    if (status != POD_OK)
        return status;
    bool same = reader->width == dataset->width;
    for (size_t i = 0; same && i < dataset->width; i++)
        same = reader->components[i].dtype == dataset->components[i].dtype &&
               reader->components[i].text == dataset->components[i].text &&
               pod_shape_equal(&reader->components[i].shape, &dataset->components[i].shape);
    if (same)
        return POD_OK;
    pod_input_element_reader_close(reader);
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s has elements of other types or shapes; delete it, or choose another "
                         "path",
                         path);
}

static pod_status read_elements(pod_element_reader *reader, pod_part *parts, size_t limit, size_t *count,
                                pod_error *error)
{
    pod_status status = POD_OK;
    for (; status == POD_OK && *count < limit; *count += status == POD_OK)
        status = pod_input_element_reader_next(reader, parts + *count * reader->width, error);
    return status == POD_END && *count > 0 ? POD_OK : status;
}

static pod_status load_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    load_stage *self = (load_stage *)stage;
    if (pod_input_stage_begins(stage)) {
        const pod_status status =
            open_reader(stage->dataset, ((load_dataset *)stage->dataset)->path, &self->reader, error);
        if (status != POD_OK)
            return status;
        pod_format_record_reader_set_stop(self->reader.records, pod_input_stage_stop(stage));
    }
    return read_elements(&self->reader, parts, limit, count, error);
}

static const pod_stage_class load_class = {
    .name = "load",
    .dataset_size = sizeof(load_dataset),
    .iterator_size = sizeof(load_stage),
    .next = load_next,
    .drop = load_drop,
};

pod_status pod_dataset_load(pod_context *context, const char *path, pod_dataset **dataset, char **note,
                            pod_error *error)
{
    pod_element_reader reader;
    *dataset = NULL;
    if (note != NULL)
        *note = NULL;
    pod_status status = pod_input_element_reader_open(&reader, context, path, error);
    if (status != POD_OK)
        return status;
    status = pod_dataset_new(context, &load_class, NULL, 0, reader.components, reader.width, dataset, error);
    if (status == POD_OK) {
        ((load_dataset *)*dataset)->path = pod_input_hold_text(&(*dataset)->holdings, path);
        status = pod_dataset_check_holdings(dataset, error);
    }
    if (status == POD_OK)
        (*dataset)->cardinality = pod_input_element_file_count(context, path);
    if (status == POD_OK && note != NULL) {
        *note = reader.note;
        reader.note = NULL;
    }
    pod_input_element_reader_close(&reader);
    return status;
}

pod_status pod_input_load_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const char *path = recipe->from != NULL ? ((const load_dataset *)recipe->from)->path : NULL;
    pod_input_recipe_text(recipe, &path);
    return pod_input_recipe_is_read(recipe) ? pod_dataset_load(recipe->context, path, made, NULL, recipe->error)
                                            : POD_OK;
}

/* ---- caches ---- */

typedef struct cache_file_dataset {
    pod_dataset base;
    char *path, *compression;
} cache_file_dataset;

typedef struct cache_file_stage {
    pod_stage base;
    pod_pass pass; /* of the input: always the first */
    pod_text path; /* the dataset's, or that of a host's part */
    bool records;
    pod_element_reader reader;
    pod_element_writer writer;
} cache_file_stage;

static const cache_file_dataset *cache_of(const pod_stage *stage)
{
    return (const cache_file_dataset *)stage->dataset;
}

/* Reads the file where there is one; else makes the elements and writes it. */
static pod_status start_pass(cache_file_stage *self, pod_error *error)
{
    const cache_file_dataset *dataset = cache_of(&self->base);
    pod_error failure;
    pod_status status = open_reader(&dataset->base, self->path.data, &self->reader, &failure);
    if (status == POD_OK)
        pod_format_record_reader_set_stop(self->reader.records, pod_input_stage_stop(&self->base));
    if (status == POD_ERROR_NOT_FOUND) {
        if (self->base.inputs[0] == NULL)
            status = pod_input_stage_open_input(&self->base, 0, &self->pass, self->base.scope, error);
        else
            status = pod_input_stage_rewind(self->base.inputs[0], POD_REWIND_ALL, error);
        if (status == POD_OK)
            status = pod_input_element_writer_open(&self->writer, dataset->base.context, self->path.data,
                                                   dataset->compression, dataset->base.components, dataset->base.width,
                                                   "", error);
        self->records = status == POD_OK;
    } else if (status != POD_OK) {
        pod_error_set(error, status, "cache: %s", failure.message);
    }
    return status;
}

static pod_status cache_file_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    cache_file_stage *self = (cache_file_stage *)stage;
    pod_status status = pod_input_stage_begins(stage) ? start_pass(self, error) : POD_OK;
    if (status != POD_OK)
        return status;
    if (!self->records)
        return read_elements(&self->reader, parts, limit, count, error);
    status = pod_input_stage_next(stage->inputs[0], parts, limit, count, error);
    if (status == POD_OK) {
        status = pod_input_element_writer_add(&self->writer, parts, *count, error);
    } else if (status == POD_END) {
        self->records = false;
        const pod_status written = pod_input_element_writer_commit(&self->writer, error);
        if (written != POD_OK)
            status = written;
    }
    return status;
}

static void cache_file_drop(pod_stage *stage)
{
    cache_file_stage *self = (cache_file_stage *)stage;
    if (self->records && self->writer.count > 0)
        pod_log(self->base.pass->context, POD_LOG_WARNING,
                "a pass over a dataset with a cache in %s ended after %llu elements, before all "
                "were read: nothing is cached; put the cache behind take()",
                self->path.data, (unsigned long long)self->writer.count);
    if (self->records)
        pod_input_element_writer_abandon(&self->writer);
    pod_input_element_reader_close(&self->reader);
    self->records = false;
}

static pod_status cache_file_open(pod_stage *stage, pod_error *error)
{
    cache_file_stage *self = (cache_file_stage *)stage;
    self->pass = *stage->pass;
    self->pass.options.epoch = 1;
    self->pass.options.repetition = 0;
    pod_text_init(&self->path, stage->pass->context);
    pod_text_format(&self->path, "%s", cache_of(stage)->path);
    if (self->pass.options.file_shards > 1) /* what another host has is not its own */
        pod_text_format(&self->path, "-%05lld-of-%05lld", (long long)self->pass.options.file_shard,
                        (long long)self->pass.options.file_shards);
    return self->path.failed ? pod_error_memory(error, "a path", self->path.length) : POD_OK;
}

static pod_status cache_file_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    (void)stage;
    (void)what; /* the input is rewound when it is needed */
    (void)error;
    return POD_OK;
}

static void cache_file_close(pod_stage *stage)
{
    pod_text_clear(&((cache_file_stage *)stage)->path);
}

static const pod_stage_class cache_file_class = {
    .name = "cache_file",
    .dataset_size = sizeof(cache_file_dataset),
    .iterator_size = sizeof(cache_file_stage),
    .opens_inputs_itself = true,
    .own_pass = true,
    .open = cache_file_open,
    .next = cache_file_next,
    .drop = cache_file_drop,
    .rewind = cache_file_rewind,
    .close = cache_file_close,
};

pod_status pod_dataset_cache_file(pod_dataset *input, const char *path, const char *compression, pod_dataset **dataset,
                                  pod_error *error)
{
    *dataset = NULL;
    if (input->cardinality == POD_CARDINALITY_INFINITE)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "cache would keep a dataset without end; put repeat behind cache");
    const pod_status status = pod_dataset_new(input->context, &cache_file_class, &input, 1, NULL, 0, dataset, error);
    if (status != POD_OK)
        return status;
    cache_file_dataset *made = (cache_file_dataset *)*dataset;
    made->base.in_memory = false; /* what is read is made anew */
    made->base.together = 0;
    made->path = pod_input_hold_text(&made->base.holdings, path);
    made->compression = pod_input_hold_text(&made->base.holdings, compression != NULL ? compression : "none");
    return pod_dataset_check_holdings(dataset, error);
}

/* FNV-1a of the description of the stages. */
static uint64_t fingerprint(const pod_text *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < text->length; i++)
        hash = (hash ^ (unsigned char)text->data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

pod_status pod_dataset_snapshot(pod_dataset *input, const char *directory, const char *compression,
                                pod_dataset **dataset, pod_error *error)
{
    pod_text stages, path;
    pod_text_init(&stages, input->context);
    pod_text_init(&path, input->context);
    *dataset = NULL;
    pod_input_place_describe(input, &stages);
    char *located = NULL;
    pod_status status = stages.failed ? pod_error_memory(error, "a list of stages", stages.length) : POD_OK;
    if (status == POD_OK) {
        pod_text_format(&path, "%s/%016" PRIx64 ".elements", directory, fingerprint(&stages));
        status = path.failed ? pod_error_memory(error, "a path", path.length)
                             : pod_locate_file(input->context, directory, &located, error);
    }
    if (status == POD_OK)
        status = pod_format_make_directory(input->context, located, 0777, error);
    pod_free(input->context, located);
    if (status == POD_OK)
        status = pod_dataset_cache_file(input, path.data, compression, dataset, error);
    pod_text_clear(&stages);
    pod_text_clear(&path);
    return status;
}
