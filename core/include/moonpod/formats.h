#ifndef MOONPOD_FORMATS_H
#define MOONPOD_FORMATS_H

/*
 * formats - files of arrays and records.
 *
 * Files are read as streams and written whole or not at all: until a writer is closed without a failure
 * its file has another name, and an older file of the name stays. A symbolic link stays one: its target
 * is written. Malformed files fail with POD_ERROR_FORMAT and a message with the file's name and the
 * offset; sizes that a file claims are checked against what it has before memory is taken for them. No
 * format can run code.
 *
 * Paths are UTF-8. Where a compression is given it is "none" (or NULL), "gzip" or "zlib"; readers also
 * know "auto": gzip when the file begins so.
 *
 * Threads: an object is for one thread at a time.
 */

#include "moonpod/tensor.h"

POD_BEGIN_C

/* A string of bytes, not terminated. */
typedef struct pod_bytes {
    const void *data;
    size_t size;
} pod_bytes;

/* Reads a whole file. *bytes is the caller's, to free with pod_bytes_free(). */
POD_API POD_CHECKED pod_status pod_file_read(pod_context *context, const char *path, pod_bytes *bytes,
                                             pod_error *error);
POD_API void pod_bytes_free(pod_context *context, pod_bytes *bytes);

/* Writes a whole file: it is there with all its bytes, or what was there before stays. */
POD_API POD_CHECKED pod_status pod_file_write(pod_context *context, const char *path, const void *bytes, size_t size,
                                              pod_error *error);

/* Says where a path leads for a context that keeps to one folder (pod_context_set_files()), or refuses it with
 * POD_ERROR_IO. Without such a folder it is a copy. *located is the caller's, to free with pod_text_free(). */
POD_API POD_CHECKED pod_status pod_locate_file(pod_context *context, const char *path, char **located,
                                               pod_error *error);

/*
 * For hosts that read and write by functions of their own: as above, but for a context that keeps to one folder the
 * file is found from that folder on, through no symbolic link, also where somebody puts one there in between (on
 * Linux).
 */

/* Opens a file: `mode` is "r", "w" (what was there is gone) or "a" (what is written goes behind it). A "b" behind it
 * says nothing here. The number in *file is the caller's, to close(). POD_ERROR_NOT_FOUND where there is none. */
POD_API POD_CHECKED pod_status pod_open_file(pod_context *context, const char *path, const char *mode, int *file,
                                             pod_error *error);

/* Gives a file another name, as far as the disk; a file of that name is gone. */
POD_API POD_CHECKED pod_status pod_move_file(pod_context *context, const char *from, const char *to, pod_error *error);

/* Deletes a file or an empty folder. POD_ERROR_NOT_FOUND where there is none. */
POD_API POD_CHECKED pod_status pod_remove_file(pod_context *context, const char *path, pod_error *error);

/* Sees what was written to a file onto the disk, and its name: after a loss of power it is there. A file that is not
 * there is no failure. */
POD_API POD_CHECKED pod_status pod_sync_file(pod_context *context, const char *path, pod_error *error);

/* Makes a folder and those above it; one that is there is no failure, a file of the name is one. */
POD_API POD_CHECKED pod_status pod_make_folder(pod_context *context, const char *path, pod_error *error);

/* Deletes what processes that were killed left of the file `path` while they wrote it ("path.1a2b.part"). What is being
 * written now, by whomever, stays, and so does the file itself. Fails for lack of memory alone: what cannot be seen or
 * deleted stays. */
POD_API POD_CHECKED pod_status pod_remove_unfinished(pod_context *context, const char *path, pod_error *error);

/*
 * IDX: arrays as in the files of MNIST.
 */

/* Reads an IDX file (also one compressed by gzip) into a buffer of its type and shape: unsigned and
 * signed bytes, 16 and 32 bit integers, 32 and 64 bit floats. */
POD_API POD_CHECKED pod_status pod_idx_read(pod_context *context, const char *path, pod_buffer **buffer,
                                            pod_error *error);

/* Writes a buffer of one of these types; a path that ends in ".gz" is compressed. */
POD_API POD_CHECKED pod_status pod_idx_write(pod_context *context, const char *path, const pod_buffer *buffer,
                                             pod_error *error);

/*
 * NPY: one array of NumPy. Versions 1 to 3 are read, C and Fortran order, both byte orders; what is
 * written is version 1.0. bfloat16 is not known to NumPy: it is written as raw two-byte elements (V2),
 * and these are read as bfloat16.
 */

/* Reads a .npy file into a buffer, row-major. */
POD_API POD_CHECKED pod_status pod_npy_read(pod_context *context, const char *path, pod_buffer **buffer,
                                            pod_error *error);

/* Writes a buffer as a .npy file: whole or not at all. */
POD_API POD_CHECKED pod_status pod_npy_write(pod_context *context, const char *path, const pod_buffer *buffer,
                                             pod_error *error);

/*
 * Named arrays: NPZ (a zip archive of .npy files, stored or deflated) and safetensors.
 */

typedef struct pod_named_buffer {
    char *name;         /* the owner's, with the list */
    pod_buffer *buffer; /* shared */
} pod_named_buffer;

/* Arrays in the order of their file, and the texts of a safetensors file's metadata. */
typedef struct pod_buffer_list {
    pod_context *context;
    size_t count;
    pod_named_buffer *entries;
    size_t text_count;
    char **texts; /* key, value, key, value, ...: 2 * text_count */
} pod_buffer_list;

/* Reads all arrays of an archive. *list is the caller's, to end with pod_buffer_list_clear(). An array of lists of
 * whole numbers, which NumPy writes as a pickle, is two: "name" has all numbers one behind the other (int64),
 * "name.lengths" how many each list has. Pickles of anything else are refused. */
POD_API POD_CHECKED pod_status pod_npz_read(pod_context *context, const char *path, pod_buffer_list *list,
                                            pod_error *error);

/* Writes named arrays; `compress` deflates them. */
POD_API POD_CHECKED pod_status pod_npz_write(pod_context *context, const char *path, const pod_buffer_list *list,
                                             bool compress, pod_error *error);

/* Reads a safetensors file: arrays in the order of their data, and the texts of its metadata. */
POD_API POD_CHECKED pod_status pod_safetensors_read(pod_context *context, const char *path, pod_buffer_list *list,
                                                    pod_error *error);

/* Writes named arrays and texts, larger element types first and by name within a type, as the format's
 * own library does. */
POD_API POD_CHECKED pod_status pod_safetensors_write(pod_context *context, const char *path,
                                                     const pod_buffer_list *list, pod_error *error);

/* The same in memory: the bytes of such a file. *bytes is the caller's, to free with pod_bytes_free(); those that are
 * read are not needed afterwards, and `name` is what messages call them. */
POD_API POD_CHECKED pod_status pod_safetensors_to_bytes(pod_context *context, const pod_buffer_list *list,
                                                        pod_bytes *bytes, pod_error *error);
POD_API POD_CHECKED pod_status pod_safetensors_from_bytes(pod_context *context, const char *name,
                                                          const pod_bytes *bytes, pod_buffer_list *list,
                                                          pod_error *error);

/* Reads all arrays of an HDF5 file in which they lie in one piece, as h5py and Keras write them, by name within their
 * group: names are paths ("layers/dense/vars/0"). Attributes that are single texts are the list's texts
 * ("layers/dense/vars@name"). 16-bit values that are opaque to HDF5 are read as bfloat16, as Keras writes those. Soft
 * and external links, chunks and compression fail with POD_ERROR_UNSUPPORTED. With `member` the file is that member of
 * the zip archive `path`, else NULL. */
POD_API POD_CHECKED pod_status pod_hdf5_read(pod_context *context, const char *path, const char *member,
                                             pod_buffer_list *list, pod_error *error);

/* Writes named arrays and texts as an HDF5 file: names and keys are paths as above, and what a text belongs to is a
 * group where there is no array of that path. POD_ERROR_ARGUMENT for names that are empty, that lie within arrays, or
 * that are there twice. */
POD_API POD_CHECKED pod_status pod_hdf5_write(pod_context *context, const char *path, const pod_buffer_list *list,
                                              pod_error *error);

/* Reads a member of a zip archive, stored or deflated. *bytes is the caller's, to free with pod_bytes_free().
 * POD_ERROR_NOT_FOUND where there is none of that name. */
POD_API POD_CHECKED pod_status pod_zip_read(pod_context *context, const char *path, const char *member,
                                            pod_bytes *bytes, pod_error *error);

/* Members of a tar archive that are pickles, and the list for their arrays. */
typedef struct pod_tar_wanted {
    const char *const *members; /* "cifar-10-batches-py/test_batch" */
    size_t count;
    pod_buffer_list *list; /* the caller's, to end with pod_buffer_list_clear() where all were read */
} pod_tar_wanted;

/* Reads those members of a tar archive (also one compressed by gzip), in the order in which they lie: dictionaries of
 * NumPy's arrays and of lists of whole numbers, as "member/key". Texts are left out. Nothing of a pickle is run, and
 * nothing of an archive becomes a file. POD_ERROR_NOT_FOUND where a member is missing. */
POD_API POD_CHECKED pod_status pod_tar_read_pickles(pod_context *context, const char *path,
                                                    const pod_tar_wanted *wanted, pod_error *error);

/* Writes the numbers 0 to counts[0] - 1 in the order in which NumPy's RandomState(seed).shuffle() leaves them, behind
 * them those of the next count, as drawn next, and so on; counts are below 2^32. So data sets are split as in Keras. */
POD_API void pod_numpy_orders(uint32_t seed, const int64_t *counts, size_t orders, int64_t *order);

/* Writes the SHA-256 of bytes as a text of 64 digits. */
POD_API void pod_sha256_text(const void *bytes, size_t size, char text[65]);

/* A safetensors file that a thread of its own writes while the caller goes on. */
typedef struct pod_pending_file pod_pending_file;

/* Begins to write what pod_safetensors_write() would. What can be known at once fails at once: names that come twice, a
 * folder that is not there or not writable. The list stays the caller's and may be cleared; its buffers are shared
 * until they are written, and nobody may write into them before. Where the system gives no thread the file is written
 * before this returns. `after`: NULL, or an earlier one that is to have its name before this one, so that of two files
 * of one path the later stays. On success *file is the caller's, to end with pod_pending_file_release(). An interrupt
 * of the context does not end the writing. */
POD_API POD_CHECKED pod_status pod_safetensors_begin(pod_context *context, const char *path,
                                                     const pod_buffer_list *list, pod_pending_file *after,
                                                     pod_pending_file **file, pod_error *error);

/* Returns whether the file is written, or could not be; false in a child of fork(). Any thread may ask. */
POD_API bool pod_pending_file_is_done(pod_pending_file *file);

/* Waits until the file is written, and returns what came of it, each time the same. An interrupt of the context ends
 * the waiting (POD_ERROR_INTERRUPTED), not the writing. In a child of fork() POD_ERROR_STATE. */
POD_API POD_CHECKED pod_status pod_pending_file_wait(pod_pending_file *file, pod_error *error);

/* Gives a share back. The last one waits until the file is written. NULL is allowed. */
POD_API void pod_pending_file_release(pod_pending_file *file);

/* Frees the content of a list. */
POD_API void pod_buffer_list_clear(pod_buffer_list *list);

/*
 * Record files (TFRecord): records of bytes with checksums.
 */

typedef struct pod_record_writer pod_record_writer;

/* Opens a record file. On success *writer is the caller's, to end with pod_record_writer_close(). */
POD_API POD_CHECKED pod_status pod_record_writer_open(pod_context *context, const char *path, const char *compression,
                                                      pod_record_writer **writer, pod_error *error);

/* Appends one record of `size` bytes. */
POD_API POD_CHECKED pod_status pod_record_writer_write(pod_record_writer *writer, const void *bytes, size_t size,
                                                       pod_error *error);

/* Completes the file and ends the writer, also when that fails: the file is then not there. */
POD_API POD_CHECKED pod_status pod_record_writer_close(pod_record_writer *writer, pod_error *error);

/* Ends the writer without a file. NULL is allowed. */
POD_API void pod_record_writer_abandon(pod_record_writer *writer);

typedef struct pod_record_reader pod_record_reader;

/* Opens a record file. On success *reader is the caller's, to end with pod_record_reader_close(). */
POD_API POD_CHECKED pod_status pod_record_reader_open(pod_context *context, const char *path, const char *compression,
                                                      pod_record_reader **reader, pod_error *error);

/* Gives the next record, borrowed until the next call. POD_END at the end. A record whose checksums do
 * not fit fails with the offset and which of the two it was. */
POD_API POD_CHECKED pod_status pod_record_reader_next(pod_record_reader *reader, const void **bytes, size_t *size,
                                                      pod_error *error);

/* NULL is allowed. */
POD_API void pod_record_reader_close(pod_record_reader *reader);

/*
 * tf.train.Example: a dictionary of lists.
 */

typedef enum pod_feature_kind {
    POD_FEATURE_NONE, /* a feature without a list */
    POD_FEATURE_BYTES,
    POD_FEATURE_FLOAT,
    POD_FEATURE_INT64
} pod_feature_kind;

/* A list; the array of its kind has `count` entries. */
typedef struct pod_feature {
    pod_bytes name;
    pod_feature_kind kind;
    size_t count;
    const pod_bytes *bytes;
    const float *floats;
    const int64_t *integers;
} pod_feature;

typedef struct pod_example {
    size_t count;
    const pod_feature *features;
    void *memory; /* of a decoded example: what pod_example_clear() frees */
} pod_example;

/* Encodes features in their order. *encoded is the caller's, to free with pod_bytes_free(). */
POD_API POD_CHECKED pod_status pod_example_encode(pod_context *context, const pod_example *example, pod_bytes *encoded,
                                                  pod_error *error);

/* Decodes an example: packed and unpacked lists, features in any order, of those with the same name the
 * last. Names and byte strings point into `bytes`, which must live as long. *example is the caller's,
 * to end with pod_example_clear(). Malformed bytes fail with the offset in them. */
POD_API POD_CHECKED pod_status pod_example_decode(pod_context *context, const void *bytes, size_t size,
                                                  pod_example *example, pod_error *error);
POD_API void pod_example_clear(pod_example *example);

/* Finds a feature by name; NULL when there is none such. */
POD_API const pod_feature *pod_example_find(const pod_example *example, const char *name);

/* ---- texts --------------------------------------------------------------------------------------------------- */

/* Returns which of `count` buckets, from 0, a text of `size` bytes falls in, the same on every machine. That is
 * FarmHash's fingerprint of 64 bits, as in TensorFlow's to_hash_bucket_fast(). Where `key` is not NULL, it is
 * SipHash-2-4 with these two numbers, as in to_hash_bucket_strong(). `count` of 0: all 64 bits are returned. `text` may
 * be NULL where `size` is 0. */
POD_API uint64_t pod_text_bucket(const void *text, size_t size, const uint64_t *key, uint64_t count);

POD_END_C

#endif
