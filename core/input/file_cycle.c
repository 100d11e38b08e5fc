/* file_cycle - several files of a dataset are read at once, in turns. */

#include "input/file_cycle.h"

#include <string.h>

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
