#ifndef POD_INPUT_FILE_CYCLE_H
#define POD_INPUT_FILE_CYCLE_H

/* file_cycle - several files of a dataset are read at once, in turns. */

#include "input/stage.h"

/* Makes the dataset of some files. */
typedef pod_status (*pod_files_opener)(pod_context *context, const char *const *paths, size_t count,
                                       const pod_files_options *options, pod_dataset **dataset, pod_error *error);

/* Makes the dataset of more than one file, each opened by `open`, where options->parallel_reads is set: an element of
 * each in turn. options->compression lives for ever; `component` is that of the elements. */
pod_status pod_dataset_file_cycle(pod_context *context, const char *const *paths, size_t count,
                                  const pod_files_options *options, pod_files_opener open,
                                  const pod_component *component, pod_dataset **dataset, pod_error *error);

#endif
