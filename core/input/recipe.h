#ifndef POD_INPUT_RECIPE_H
#define POD_INPUT_RECIPE_H

/*
 * recipe - a dataset as bytes, for another process: the stages that it is made of, with their options, the graphs of
 * functions as StableHLO text, and rows in memory as they are. No code is in it.
 *
 * A kind of stage that travels has one function, which stands behind the stage and does both: it visits the stage's
 * options in an order, which are written or read, and makes the dataset where they were read.
 *
 *     pod_status pod_input_batch_recipe(pod_recipe *recipe, pod_dataset **made)
 *     {
 *         pod_batch_options options = {0};
 *         if (recipe->from != NULL)
 *             options = ((const batch_dataset *)recipe->from)->options;
 *         pod_input_recipe_number(recipe, &options.size);
 *         pod_input_recipe_flag(recipe, &options.drop_remainder);
 *         return pod_input_recipe_is_read(recipe) ? pod_dataset_batch(recipe->inputs[0], &options, made, recipe->error)
 * : POD_OK;
 *     }
 *
 * Nothing that is read is believed: sizes are held against the bytes that are left, and the function that makes the
 * stage checks the rest, as it does for a host. After the first failure visits do nothing.
 */

#include "base/sha256.h"
#include "base/text.h"
#include "input/stage.h"

/* The most stages of a recipe. */
#define POD_MOST_RECIPE_STAGES 1000

typedef struct pod_recipe {
    pod_context *context;
    pod_error *error;
    pod_status status;          /* of the first failure */
    const pod_dataset *from;    /* the stage that is written; NULL: one is read */
    pod_dataset *const *inputs; /* of the stage that is read */
    size_t input_count;
    pod_text bytes;          /* written so far */
    pod_sha256 *sum;         /* of what is written, without places in scripts, in the place of bytes; NULL: bytes */
    const unsigned char *at; /* what is left to read */
    size_t left;
} pod_recipe;

/* Writes a dataset; with `by_blocks` one whose iterators can be of a block of its source (pod_iterator_options.block).
 * *bytes is the caller's, to free with pod_bytes_free(). POD_ERROR_UNSUPPORTED, with the stage's name
 * and what to do, where one cannot travel. */
pod_status pod_input_recipe_write(const pod_dataset *dataset, bool by_blocks, pod_bytes *bytes, pod_error *error);

/* Sums up what that writes, but for the labels of stages and the places of operations in scripts: datasets of one sum
 * make the same elements. */
pod_status pod_input_recipe_sum(const pod_dataset *dataset, bool by_blocks, unsigned char digest[POD_SHA256_SIZE],
                                pod_error *error);

/* Makes the dataset again. `bytes` may be anything. */
pod_status pod_input_recipe_read(pod_context *context, const void *bytes, size_t size, pod_dataset **dataset,
                                 pod_error *error);

/* Visits of options. A count is at most `most`. */
void pod_input_recipe_number(pod_recipe *recipe, int64_t *number);
void pod_input_recipe_count(pod_recipe *recipe, size_t *count, size_t most);
void pod_input_recipe_flag(pod_recipe *recipe, bool *flag);
void pod_input_recipe_real(pod_recipe *recipe, double *real);
void pod_input_recipe_dtype(pod_recipe *recipe, pod_dtype *dtype);
void pod_input_recipe_shape(pod_recipe *recipe, pod_shape *shape);

/* A text, which when read lives as long as the bytes. */
void pod_input_recipe_text(pod_recipe *recipe, const char **text);

/* Bytes, which when read live as long as what they are read from. */
void pod_input_recipe_bytes(pod_recipe *recipe, pod_bytes *bytes);

/* A graph: one that is read is the caller's, NULL after a failure. */
void pod_input_recipe_graph(pod_recipe *recipe, const pod_graph *from, pod_graph **graph);

/* A buffer, and several of them: those that are read are the caller's, NULL after a failure. */
void pod_input_recipe_buffer(pod_recipe *recipe, pod_buffer **buffer);
void pod_input_recipe_buffers(pod_recipe *recipe, pod_buffer **buffers, size_t count);

/* How pictures are decoded. */
void pod_input_recipe_image(pod_recipe *recipe, pod_image_options *image);

/* Returns whether the stage's options were read, all of them, and the dataset is to be made. */
bool pod_input_recipe_is_read(const pod_recipe *recipe);

/* What a stage has of which there was no memory when it was read. */
void pod_input_recipe_fail_memory(pod_recipe *recipe, size_t bytes);

/* Every kind of stage that travels: its name, the inputs that it has (-1: one or more), its function. */
#define POD_RECIPE_STAGES(X)                                                                                           \
    X("from_tensor_slices", 0, slices)                                                                                 \
    X("from_tensors", 0, slices_whole)                                                                                 \
    X("range", 0, range)                                                                                               \
    X("from_texts", 0, texts)                                                                                          \
    X("files", 0, files)                                                                                               \
    X("csv", 0, csv)                                                                                                   \
    X("load", 0, load)                                                                                                 \
    X("source_block", 1, source_block)                                                                                 \
    X("batch", 1, batch)                                                                                               \
    X("padded_batch", 1, padded_batch)                                                                                 \
    X("bucket_by_sequence_length", 1, buckets)                                                                         \
    X("window", 1, window)                                                                                             \
    X("unbatch", 1, unbatch)                                                                                           \
    X("shuffle", 1, shuffle)                                                                                           \
    X("repeat", 1, repeat)                                                                                             \
    X("take", 1, take)                                                                                                 \
    X("skip", 1, skip)                                                                                                 \
    X("shard", 1, shard)                                                                                               \
    X("cache", 1, cache)                                                                                               \
    X("prefetch", 1, prefetch)                                                                                         \
    X("parallel", 1, parallel)                                                                                         \
    X("number", 1, number)                                                                                             \
    X("map", 1, map)                                                                                                   \
    X("filter", 1, filter)                                                                                             \
    X("scan", 1, scan)                                                                                                 \
    X("parse_example", 1, parse)                                                                                       \
    X("decode", 1, decode)                                                                                             \
    X("concatenate", -1, concatenate)                                                                                  \
    X("zip", -1, zip)                                                                                                  \
    X("sample_from_datasets", -1, sample)                                                                              \
    X("choose_from_datasets", -1, choose)

#define POD_RECIPE_DECLARED(name, inputs, function)                                                                    \
    pod_status pod_input_##function##_recipe(pod_recipe *recipe, pod_dataset **made);
POD_RECIPE_STAGES(POD_RECIPE_DECLARED)
#undef POD_RECIPE_DECLARED

#endif
