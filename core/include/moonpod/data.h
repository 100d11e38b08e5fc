#ifndef MOONPOD_DATA_H
#define MOONPOD_DATA_H

/*
 * data - datasets: pipelines of stages that prepare the batches of a program.
 *
 * A dataset describes a sequence of elements; each element is a tuple of `component_count` arrays. A
 * stage is made over another dataset and shares it; datasets never change, so one may be the input of
 * several. Iterators walk through them:
 *
 *     pod_buffer *columns[2] = {images, labels}; // [60000, 784] u8, [60000] u8
 *     pod_dataset *rows, *mixed, *batches;
 *     status = pod_dataset_from_slices(context, columns, 2, &rows, &error);
 *     status = pod_dataset_shuffle(rows, &(pod_shuffle_options){.buffer_size = 60000}, &mixed, &error);
 *     status = pod_dataset_batch(mixed, &(pod_batch_options){.size = 1024}, &batches, &error);
 *     pod_dataset_iterator *iterator;
 *     status = pod_dataset_iterator_open(batches, NULL, &iterator, &error);
 *     pod_buffer *batch[2];
 *     while ((status = pod_dataset_iterator_next(iterator, batch, &error)) == POD_OK) {
 *         // [1024, 784] u8, [1024] u8
 *         pod_buffer_release(batch[0]);
 *         pod_buffer_release(batch[1]);
 *     }
 *     pod_dataset_iterator_close(iterator);
 *
 * Elements of sources in memory are references to rows. Shuffling permutes references, and only
 * batching copies: one memcpy a row, or one a run of consecutive rows. Its buffers are used again once
 * their taker has released them. After the first batches nothing is allocated.
 *
 * Stages follow tf.data: what a stage does to an order of elements is the same at any number of
 * threads. An error of a stage reaches the consumer after the elements made before it, and stays.
 *
 * Every function that makes a dataset takes its inputs shared (the caller keeps its own share), gives
 * *dataset shared for the caller, to end with pod_dataset_release(), and NULL after a failure.
 *
 * Threads: datasets may be used from any thread. An iterator is for one thread at a time, except for
 * pod_dataset_iterator_cancel(). Prefetching stages run what is before them on threads of their own;
 * callbacks that do not allow that run on the thread that calls next().
 */

#include "moonpod/iterator.h"
#include "moonpod/stages.h"

#endif
