/* files - datasets of the records, lines or pieces of fixed length of files, one file after the other. */

#include "base/growth.h"
#include "input/stage.h"

#include <string.h>

#include "formats/record.h"
#include "input/file_cycle.h"
#include "moonpod/formats.h"

#define MOST_READS   256
#define LINE_STEP    256
#define LONGEST_LINE ((size_t)1 << 26)

typedef struct files_dataset {
    pod_files_dataset base;
    pod_file_kind kind;
    const char *compression_name;
    int64_t record_bytes, header_bytes, footer_bytes;
} files_dataset;

typedef struct files_stage {
    pod_stage base;
    pod_file_walk walk;
    pod_record_reader *records;
    pod_reader *reader; /* of lines and pieces */
    unsigned char *line;
    size_t room;
    unsigned char block[4096]; /* of lines: what was read and not yet looked at */
    size_t at, filled;
    uint64_t pieces_left; /* of the open file */
} files_stage;

static const files_dataset *files_of(const pod_stage *stage)
{
    return (const files_dataset *)stage->dataset;
}

static void close_file(pod_stage *stage)
{
    files_stage *self = (files_stage *)stage;
    pod_record_reader_close(self->records);
    pod_format_reader_close(self->reader);
    self->records = NULL;
    self->reader = NULL;
    self->at = self->filled = 0;
}

/* Counts the pieces of a file and goes to the first. */
static pod_status begin_pieces(files_stage *self, pod_error *error)
{
    const files_dataset *dataset = files_of(&self->base);
    const uint64_t size = pod_format_reader_file_size(self->reader);
    const uint64_t frame = (uint64_t)(dataset->header_bytes + dataset->footer_bytes);
    unsigned char skipped[4096];
    pod_status status = pod_format_reader_check_sized(self->reader, error);
    if (status != POD_OK)
        return status;
    if (size < frame || (size - frame) % (uint64_t)dataset->record_bytes != 0)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "%s has %llu bytes: without %lld of header and %lld of footer that is no "
                             "multiple of %lld",
                             pod_format_reader_path(self->reader), (unsigned long long)size,
                             (long long)dataset->header_bytes, (long long)dataset->footer_bytes,
                             (long long)dataset->record_bytes);
    self->pieces_left = (size - frame) / (uint64_t)dataset->record_bytes;
    for (int64_t left = dataset->header_bytes; status == POD_OK && left > 0;) {
        const size_t step = left < (int64_t)sizeof skipped ? (size_t)left : sizeof skipped;
        status = pod_format_reader_read_all(self->reader, skipped, step, "the header", error);
        left -= (int64_t)step;
    }
    return status;
}

static pod_status open_file(pod_stage *stage, const char *path, pod_error *error)
{
    files_stage *self = (files_stage *)stage;
    const files_dataset *dataset = files_of(stage);
    pod_context *context = stage->pass->context;
    const pod_stop stop = pod_input_stage_stop(stage);
    pod_status status;
    if (dataset->kind == POD_FILE_RECORDS) {
        status = pod_record_reader_open(context, path, dataset->compression_name, &self->records, error);
        if (status == POD_OK)
            pod_format_record_reader_set_stop(self->records, stop);
        return status;
    }
    status = pod_format_reader_open(context, path, dataset->base.compression, &self->reader, error);
    if (status == POD_OK)
        pod_format_reader_set_stop(self->reader, stop);
    return status == POD_OK && dataset->kind == POD_FILE_PIECES ? begin_pieces(self, error) : status;
}

/* Makes a buffer of bytes. */
static pod_status give_bytes(files_stage *self, const void *bytes, size_t size, pod_part *part, pod_error *error)
{
    pod_buffer *buffer;
    const pod_shape shape = {1, {(int64_t)size}};
    const pod_status status = pod_buffer_new(self->base.pass->context, POD_U8, &shape, &buffer, error);
    if (status != POD_OK)
        return status;
    if (size > 0)
        memcpy(pod_buffer_data(buffer), bytes, size);
    *part = (pod_part){buffer, POD_WHOLE};
    return POD_OK;
}

/* ---- lines ---- */

static pod_status grow_line(files_stage *self, size_t size, pod_error *error)
{
    if (size <= self->room)
        return POD_OK;
    if (size > LONGEST_LINE)
        return pod_error_set(error, POD_ERROR_FORMAT, "%s: a line is longer than %zu bytes before offset %llu",
                             pod_format_reader_path(self->reader), LONGEST_LINE,
                             (unsigned long long)pod_format_reader_offset(self->reader));
    const pod_status status = pod_format_reader_check_room(self->reader, size, "a line", error);
    if (status != POD_OK)
        return status;
    return pod_grow(self->base.pass->context, &self->line, &self->room, size,
                    (pod_growth){1, .first = LINE_STEP, .what = "a line"}, error);
}

/* Adds what the block has up to a newline to the line; *done tells whether there was one. */
static pod_status add_to_line(files_stage *self, size_t *length, bool *done, pod_error *error)
{
    const unsigned char *begin = self->block + self->at;
    const size_t left = self->filled - self->at;
    const unsigned char *newline = memchr(begin, '\n', left);
    const size_t part = newline != NULL ? (size_t)(newline - begin) : left;
    const pod_status status = grow_line(self, *length + part + 1, error);
    if (status != POD_OK)
        return status;
    memcpy(self->line + *length, begin, part);
    *length += part;
    *done = newline != NULL;
    self->at += part + *done;
    return POD_OK;
}

/* Reads a line; POD_END where the file ends and nothing stands before its end. */
static pod_status next_line(files_stage *self, pod_part *part, pod_error *error)
{
    size_t length = 0;
    bool done = false, any = false;
    while (!done) {
        if (self->at == self->filled) {
            self->at = self->filled = 0;
            const pod_status status =
                pod_format_reader_read(self->reader, self->block, sizeof self->block, &self->filled, error);
            if (status == POD_END && any)
                break;
            if (status != POD_OK)
                return status;
        }
        any = true;
        const pod_status status = add_to_line(self, &length, &done, error);
        if (status != POD_OK)
            return status;
    }
    if (length > 0 && self->line[length - 1] == '\r')
        length--;
    return give_bytes(self, self->line, length, part, error);
}

/* ---- records and pieces ---- */

static pod_status next_record(files_stage *self, pod_part *part, pod_error *error)
{
    const void *bytes;
    size_t size;
    const pod_status status = pod_record_reader_next(self->records, &bytes, &size, error);
    return status == POD_OK ? give_bytes(self, bytes, size, part, error) : status;
}

static pod_status next_piece(files_stage *self, pod_part *part, pod_error *error)
{
    const int64_t size = files_of(&self->base)->record_bytes;
    const pod_shape shape = {1, {size}};
    pod_buffer *buffer;
    if (self->pieces_left == 0)
        return POD_END;
    pod_status status = pod_buffer_new(self->base.pass->context, POD_U8, &shape, &buffer, error);
    if (status != POD_OK)
        return status;
    status = pod_format_reader_read_all(self->reader, pod_buffer_data(buffer), (size_t)size, "a record", error);
    if (status == POD_OK) {
        self->pieces_left--;
        *part = (pod_part){buffer, POD_WHOLE};
    } else {
        pod_buffer_release(buffer);
    }
    return status;
}

static pod_status next_of_file(pod_stage *stage, size_t row, pod_part *part, pod_error *error)
{
    files_stage *self = (files_stage *)stage;
    (void)row;
    switch (files_of(stage)->kind) {
    case POD_FILE_RECORDS:
        return next_record(self, part, error);
    case POD_FILE_LINES:
        return next_line(self, part, error);
    case POD_FILE_PIECES:
        break;
    }
    return next_piece(self, part, error);
}

static const pod_file_class file_class = {open_file, next_of_file, close_file};

static pod_status files_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    return pod_input_walk_files(stage, &((files_stage *)stage)->walk, &file_class, parts, limit, count, error);
}

static void files_drop(pod_stage *stage)
{
    pod_input_walk_anew(stage, &((files_stage *)stage)->walk, &file_class);
}

static void files_close(pod_stage *stage)
{
    pod_free(stage->pass->context, ((files_stage *)stage)->line);
}

static const pod_stage_class files_class = {
    .name = "files",
    .dataset_size = sizeof(files_dataset),
    .iterator_size = sizeof(files_stage),
    .file_count = pod_input_files_count,
    .next = files_next,
    .drop = files_drop,
    .close = files_close,
};

static pod_status check_pieces(const pod_files_options *options, pod_compression compression, pod_error *error)
{
    if (options->kind != POD_FILE_PIECES)
        return POD_OK;
    if (options->record_bytes < 1 || options->header_bytes < 0 || options->footer_bytes < 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "fixed-length records of %lld bytes after a header of %lld and before a "
                             "footer of %lld are not possible",
                             (long long)options->record_bytes, (long long)options->header_bytes,
                             (long long)options->footer_bytes);
    if (compression != POD_COMPRESSION_NONE)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "fixed-length records are not read from compressed files");
    return POD_OK;
}

pod_status pod_dataset_files(pod_context *context, const char *const *paths, size_t count,
                             const pod_files_options *options, pod_dataset **dataset, pod_error *error)
{
    pod_component bytes = {.dtype = POD_U8, .shape = {1, {-1}}, .text = true};
    pod_compression compression;
    *dataset = NULL;
    pod_status status = pod_format_compression_from_name(options->compression, true, &compression, error);
    if (status == POD_OK)
        status = check_pieces(options, compression, error);
    if (options->kind == POD_FILE_PIECES)
        bytes = (pod_component){.dtype = POD_U8, .shape = {1, {options->record_bytes}}};
    if (status == POD_OK && (options->parallel_reads < POD_AUTOTUNE || options->parallel_reads > MOST_READS))
        status = pod_error_set(error, POD_ERROR_ARGUMENT,
                               "the number of parallel reads is %lld; it is -1 (AUTOTUNE) or 0 to %d",
                               (long long)options->parallel_reads, MOST_READS);
    if (status == POD_OK && options->parallel_reads != 0 && count > 1) {
        pod_files_options lasting = *options;
        lasting.compression = pod_input_compression_name(compression);
        return pod_dataset_file_cycle(context, paths, count, &lasting, pod_dataset_files, &bytes, dataset, error);
    }
    if (status == POD_OK)
        status = pod_dataset_new(context, &files_class, NULL, 0, &bytes, 1, dataset, error);
    if (status != POD_OK)
        return status;
    files_dataset *made = (files_dataset *)*dataset;
    made->kind = options->kind;
    made->compression_name = pod_input_compression_name(compression);
    made->record_bytes = options->record_bytes;
    made->header_bytes = options->header_bytes;
    made->footer_bytes = options->footer_bytes;
    return pod_input_files_set(dataset, paths, count, compression, error);
}

pod_status pod_input_files_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const files_dataset *from = (const files_dataset *)recipe->from;
    pod_files_options options = {0};
    if (from != NULL)
        options = (pod_files_options){.kind = from->kind,
                                      .compression = from->compression_name,
                                      .record_bytes = from->record_bytes,
                                      .header_bytes = from->header_bytes,
                                      .footer_bytes = from->footer_bytes};
    size_t kind = options.kind, count;
    const char **paths;
    pod_input_recipe_count(recipe, &kind, POD_FILE_PIECES);
    pod_input_recipe_text(recipe, &options.compression);
    pod_input_recipe_number(recipe, &options.record_bytes);
    pod_input_recipe_number(recipe, &options.header_bytes);
    pod_input_recipe_number(recipe, &options.footer_bytes);
    options.kind = (pod_file_kind)kind;
    pod_input_paths_recipe(recipe, &paths, &count);
    const pod_status status = pod_input_recipe_is_read(recipe)
                                  ? pod_dataset_files(recipe->context, paths, count, &options, made, recipe->error)
                                  : POD_OK;
    pod_free(recipe->context, paths);
    return status;
}
