/* file_cycle - the files of a dataset: see file_cycle.h. */

#include "input/file_cycle.h"

#include <string.h>

/* ---- one after the other ---- */

pod_status pod_input_walk_files(pod_stage *stage, pod_file_walk *walk, const pod_file_class *kind, pod_part *parts,
                                size_t limit, size_t *count, pod_error *error)
{
    const pod_files_dataset *dataset = (const pod_files_dataset *)stage->dataset;
    while (*count < limit && walk->path < dataset->path_count) {
        pod_status status = POD_OK;
        if (pod_input_pass_leaves_file(stage->pass, (int64_t)walk->path)) {
            walk->path++;
            continue;
        }
        if (!walk->is_open)
            status = kind->open(stage, dataset->paths[walk->path], error);
        walk->is_open = true;
        if (status == POD_OK)
            status = kind->make(stage, *count, parts + *count * stage->width, error);
        *count += status == POD_OK;
        if (status < 0)
            return status;
        if (status == POD_END) {
            kind->close(stage);
            walk->is_open = false;
            walk->path++;
        }
    }
    return *count > 0 ? POD_OK : POD_END;
}

void pod_input_walk_anew(pod_stage *stage, pod_file_walk *walk, const pod_file_class *kind)
{
    kind->close(stage);
    *walk = (pod_file_walk){0};
}

int64_t pod_input_files_count(const pod_dataset *dataset)
{
    return (int64_t)((const pod_files_dataset *)dataset)->path_count;
}

const char *pod_input_compression_name(pod_compression compression)
{
    switch (compression) {
    case POD_COMPRESSION_GZIP:
        return "gzip";
    case POD_COMPRESSION_ZLIB:
        return "zlib";
    case POD_COMPRESSION_AUTO:
        return "auto";
    case POD_COMPRESSION_NONE:
    case POD_COMPRESSION_DEFLATE:
        break;
    }
    return "none";
}

pod_status pod_input_files_set(pod_dataset **dataset, const char *const *paths, size_t count,
                               pod_compression compression, pod_error *error)
{
    pod_files_dataset *made = (pod_files_dataset *)*dataset;
    made->compression = compression;
    made->path_count = count;
    made->paths = pod_input_hold_texts(&made->base.holdings, paths, count);
    pod_dataset_tell(*dataset, "%zu files", count);
    return pod_dataset_check_holdings(dataset, error);
}

/* ---- several at once ---- */

#define AUTOTUNE_FILES 10 /* at once: the order must not depend on the machine */

/* Holds what makes the dataset of one file. */
typedef struct opener {
    pod_context *context; /* shared */
    pod_files_options options;
    pod_files_opener open;
} opener;

static pod_status open_one(void *context, pod_buffer *const *components, pod_dataset **dataset, pod_error *error)
{
    const opener *self = context;
    const size_t size = pod_buffer_bytes(components[0]);
    char *path = pod_allocate(self->context, size + 1);
    if (path == NULL)
        return pod_error_memory(error, "a path", size + 1);
    memcpy(path, pod_buffer_data(components[0]), size);
    path[size] = '\0';
    const pod_status status = self->open(self->context, (const char *const[]){path}, 1, &self->options, dataset, error);
    pod_free(self->context, path);
    return status;
}

static void release_opener(void *context)
{
    opener *self = context;
    pod_context *owner = self->context;
    pod_free(owner, self);
    pod_context_release(owner);
}

pod_status pod_dataset_file_cycle(pod_context *context, const char *const *paths, size_t count,
                                  const pod_files_options *options, pod_files_opener open,
                                  const pod_component *component, pod_dataset **dataset, pod_error *error)
{
    const int64_t wanted = options->parallel_reads == POD_AUTOTUNE ? AUTOTUNE_FILES : options->parallel_reads;
    const pod_interleave_options interleave = {.cycle_length = (uint64_t)wanted < count ? wanted : (int64_t)count,
                                               .threads = options->parallel_reads,
                                               .of_files = true};
    pod_dataset *names;
    *dataset = NULL;
    pod_status status = pod_dataset_from_texts(context, paths, NULL, count, &names, error);
    if (status != POD_OK)
        return status;
    opener *self = pod_allocate_zeroed(context, 1, sizeof *self);
    if (self == NULL) {
        pod_dataset_release(names);
        return pod_error_memory(error, "a cycle of files", sizeof *self);
    }
    self->context = pod_context_retain(context);
    self->options = *options;
    self->open = open;
    self->options.parallel_reads = 0;
    const pod_expansion expansion = {
        .expand = open_one, .release = release_opener, .context = self, .any_thread = true};
    status = pod_dataset_interleave(names, &expansion, component, 1, &interleave, dataset, error);
    pod_dataset_release(names);
    return status;
}

/* ---- in recipes ---- */

void pod_input_paths_recipe(pod_recipe *recipe, const char ***paths, size_t *count)
{
    const pod_files_dataset *from = (const pod_files_dataset *)recipe->from;
    *count = from != NULL ? from->path_count : 0;
    pod_input_recipe_count(recipe, count, SIZE_MAX);
    if (from == NULL && *count > recipe->left / 8) /* each has its size there */
        *count = recipe->left / 8 + 1;
    *paths = pod_allocate_zeroed(recipe->context, *count + 1, sizeof **paths);
    if (*paths == NULL)
        pod_input_recipe_fail_memory(recipe, *count * sizeof **paths);
    for (size_t i = 0; recipe->status == POD_OK && i < *count; i++) {
        if (from != NULL)
            (*paths)[i] = from->paths[i];
        pod_input_recipe_text(recipe, &(*paths)[i]);
    }
}
