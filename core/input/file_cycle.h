#ifndef POD_INPUT_FILE_CYCLE_H
#define POD_INPUT_FILE_CYCLE_H

/* file_cycle - the files of a dataset: read one after the other, or several at once, in turns. */

#include "formats/reader.h"
#include "input/recipe.h"

/* What a dataset of files begins with. */
typedef struct pod_files_dataset {
    pod_dataset base;
    pod_compression compression;
    size_t path_count;
    const char **paths;
} pod_files_dataset;

/* Where its iterator is. */
typedef struct pod_file_walk {
    size_t path; /* index of the file that is open, or of the next */
    bool is_open;
} pod_file_walk;

/* How files of a kind are read. */
typedef struct pod_file_class {
    pod_status (*open)(pod_stage *stage, const char *path, pod_error *error);
    /* Makes element `row` of those that are asked for; POD_END: the file has no more. */
    pod_status (*make)(pod_stage *stage, size_t row, pod_part *parts, pod_error *error);
    void (*close)(pod_stage *stage); /* also of one that is not open */
} pod_file_class;

/* Makes elements of the files that the pass does not leave to other hosts: what `next` of a stage does. */
pod_status pod_input_walk_files(pod_stage *stage, pod_file_walk *walk, const pod_file_class *kind, pod_part *parts,
                                size_t limit, size_t *count, pod_error *error);

/* Goes to the first file. */
void pod_input_walk_anew(pod_stage *stage, pod_file_walk *walk, const pod_file_class *kind);

/* Gives a dataset its files, of which it keeps the names. */
pod_status pod_input_files_set(pod_dataset **dataset, const char *const *paths, size_t count,
                               pod_compression compression, pod_error *error);

/* What classes of such datasets have as `file_count`. */
int64_t pod_input_files_count(const pod_dataset *dataset);

/* Visits the paths of a dataset of files. *paths is the caller's, to free with pod_free(); the texts are the recipe's.
 */
void pod_input_paths_recipe(pod_recipe *recipe, const char ***paths, size_t *count);

/* The name of a compression, which lives for ever. */
const char *pod_input_compression_name(pod_compression compression);

/* Makes the dataset of some files. */
typedef pod_status (*pod_files_opener)(pod_context *context, const char *const *paths, size_t count,
                                       const pod_files_options *options, pod_dataset **dataset, pod_error *error);

/* Makes the dataset of more than one file, each opened by `open`, where options->parallel_reads is set: an element of
 * each in turn. options->compression lives for ever; `component` is that of the elements. */
pod_status pod_dataset_file_cycle(pod_context *context, const char *const *paths, size_t count,
                                  const pod_files_options *options, pod_files_opener open,
                                  const pod_component *component, pod_dataset **dataset, pod_error *error);

#endif
