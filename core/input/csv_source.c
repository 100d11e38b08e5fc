/* csv_source - a dataset of the rows of CSV files. */

#include "input/stage.h"

#include <stdio.h>
#include <string.h>

#include "formats/csv.h"
#include "formats/record.h"
#include "input/spares.h"

typedef struct csv_dataset {
    pod_dataset base;
    pod_compression compression;
    char separator;
    bool has_header;
    size_t field_count; /* of a row; 0: as many as the last column needs at least */
    size_t path_count;
    char **paths;
    pod_csv_column columns[POD_MAX_COMPONENTS]; /* `name` is unused */
} csv_dataset;

typedef struct csv_stage {
    pod_stage base;
    size_t path;
    pod_csv *csv;
    pod_spares *spares;  /* of blocks of numbers; one a column */
    pod_buffer **blocks; /* the one that is filled now */
} csv_stage;

static const csv_dataset *csv_of(const pod_stage *stage)
{
    return (const csv_dataset *)stage->dataset;
}

static pod_status open_file(csv_stage *self, pod_error *error)
{
    const csv_dataset *dataset = csv_of(&self->base);
    const pod_csv_field *fields;
    size_t count;
    pod_status status = pod_format_csv_open(self->base.pass->context, dataset->paths[self->path], dataset->compression,
                                            dataset->separator, &self->csv, error);
    if (status == POD_OK)
        pod_format_csv_set_stop(self->csv, pod_input_stage_stop(&self->base));
    if (status == POD_OK && dataset->has_header)
        status = pod_format_csv_next(self->csv, &fields, &count, error);
    return status == POD_END ? POD_OK : status;
}

static pod_status no_number(const pod_csv_field *field, pod_dtype dtype, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_VALUE, "'%.*s' is no %s", field->size < 60 ? (int)field->size : 60,
                         field->text, pod_dtype_name(dtype));
}

/* Stores a field as a number of its column's type. */
static pod_status read_number(const csv_stage *self, size_t column, const pod_csv_field *field, void *place,
                              pod_error *error)
{
    const pod_csv_column *wanted = &csv_of(&self->base)->columns[column];
    const pod_dtype dtype = self->base.dataset->components[column].dtype;
    int64_t integer;
    double number = wanted->default_value;
    pod_status status;
    if (field->size == 0 && !wanted->has_default)
        status = pod_error_set(error, POD_ERROR_VALUE, "there is no value, and no default for it");
    else if (field->size > 0 && !pod_dtype_is_float(dtype))
        status = pod_format_csv_read_int64(field, &integer) ? pod_element_from_integer(dtype, integer, place, error)
                                                            : no_number(field, dtype, error);
    else if (field->size > 0 && !pod_format_csv_read_double(field, &number))
        status = no_number(field, dtype, error);
    else
        status = pod_element_from_real(dtype, number, place, error);
    if (status != POD_OK && error != NULL)
        pod_error_prepend(error, "%s, row %llu, column %lld: ", pod_format_csv_path(self->csv),
                          (unsigned long long)pod_format_csv_row(self->csv), (long long)wanted->index);
    return status == POD_OK ? POD_OK : POD_ERROR_FORMAT;
}

static pod_status read_text(csv_stage *self, const pod_csv_field *field, pod_part *part, pod_error *error)
{
    pod_buffer *buffer;
    const pod_shape shape = {1, {(int64_t)field->size}};
    const pod_status status = pod_buffer_new(self->base.pass->context, POD_U8, &shape, &buffer, error);
    if (status != POD_OK)
        return status;
    memcpy(pod_buffer_data(buffer), field->text, field->size);
    *part = (pod_part){buffer, POD_WHOLE};
    return POD_OK;
}

static pod_status check_row(const csv_stage *self, size_t count, pod_error *error)
{
    const csv_dataset *dataset = csv_of(&self->base);
    size_t needed = dataset->field_count;
    for (size_t i = 0; i < self->base.width; i++)
        if (dataset->field_count == 0 && needed <= (size_t)dataset->columns[i].index)
            needed = (size_t)dataset->columns[i].index + 1;
    if (count == needed || (dataset->field_count == 0 && count > needed))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT, "%s, row %llu has %zu fields, but %zu are needed",
                         pod_format_csv_path(self->csv), (unsigned long long)pod_format_csv_row(self->csv), count,
                         needed);
}

/* Reads a row as element `row` of the blocks. */
static pod_status read_row(csv_stage *self, size_t row, pod_part *parts, pod_error *error)
{
    const csv_dataset *dataset = csv_of(&self->base);
    const pod_csv_field *fields;
    size_t count, done = 0;
    pod_status status = pod_format_csv_next(self->csv, &fields, &count, error);
    if (status == POD_OK)
        status = check_row(self, count, error);
    for (; status == POD_OK && done < self->base.width; done += status == POD_OK) {
        const pod_component *component = &self->base.dataset->components[done];
        const pod_csv_field *field = &fields[dataset->columns[done].index];
        if (component->text) {
            status = read_text(self, field, &parts[done], error);
            continue;
        }
        char *place = (char *)pod_buffer_data(self->blocks[done]) + row * pod_dtype_size(component->dtype);
        status = read_number(self, done, field, place, error);
        if (status == POD_OK)
            parts[done] = (pod_part){pod_buffer_retain(self->blocks[done]), (int64_t)row};
    }
    if (status != POD_OK)
        pod_input_parts_release(parts, done);
    return status;
}

static pod_status take_blocks(csv_stage *self, pod_error *error)
{
    const pod_shape shape = {1, {POD_STAGE_BLOCK}};
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i < self->base.width; i++)
        if (!self->base.dataset->components[i].text)
            status = pod_input_spares_take(&self->spares[i], self->base.dataset->components[i].dtype, &shape,
                                           &self->blocks[i], error);
    return status;
}

static void drop_blocks(csv_stage *self)
{
    for (size_t i = 0; self->blocks != NULL && i < self->base.width; i++) {
        pod_buffer_release(self->blocks[i]);
        self->blocks[i] = NULL;
    }
}

static pod_status csv_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    csv_stage *self = (csv_stage *)stage;
    pod_status status = take_blocks(self, error);
    while (status == POD_OK && *count < limit && self->path < csv_of(stage)->path_count) {
        if (pod_input_pass_leaves_file(stage->pass, (int64_t)self->path)) {
            self->path++;
            continue;
        }
        if (self->csv == NULL)
            status = open_file(self, error);
        if (status == POD_OK)
            status = read_row(self, *count, parts + *count * stage->width, error);
        *count += status == POD_OK;
        if (status == POD_END) {
            pod_format_csv_close(self->csv);
            self->csv = NULL;
            self->path++;
            status = POD_OK;
        }
    }
    drop_blocks(self);
    return status < 0 ? status : *count > 0 ? POD_OK : POD_END;
}

static pod_status csv_open(pod_stage *stage, pod_error *error)
{
    csv_stage *self = (csv_stage *)stage;
    self->spares = pod_allocate_zeroed(stage->pass->context, stage->width, sizeof *self->spares);
    self->blocks = pod_allocate_zeroed(stage->pass->context, stage->width, sizeof *self->blocks);
    for (size_t i = 0; self->spares != NULL && i < stage->width; i++)
        pod_input_spares_init(&self->spares[i], stage->pass->context);
    return self->spares != NULL && self->blocks != NULL
               ? POD_OK
               : pod_error_memory(error, "an iterator", stage->width * sizeof *self->spares);
}

static void csv_close(pod_stage *stage)
{
    csv_stage *self = (csv_stage *)stage;
    pod_format_csv_close(self->csv);
    drop_blocks(self);
    for (size_t i = 0; self->spares != NULL && i < stage->width; i++)
        pod_input_spares_clear(&self->spares[i]);
    pod_free(stage->pass->context, self->spares);
    pod_free(stage->pass->context, self->blocks);
}

static pod_status csv_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    csv_stage *self = (csv_stage *)stage;
    (void)what;
    (void)error;
    pod_format_csv_close(self->csv);
    self->csv = NULL;
    self->path = 0;
    return POD_OK;
}

static void csv_free(pod_dataset *dataset)
{
    csv_dataset *self = (csv_dataset *)dataset;
    for (size_t i = 0; self->paths != NULL && i < self->path_count; i++)
        pod_free(dataset->context, self->paths[i]);
    pod_free(dataset->context, self->paths);
}

static int64_t csv_file_count(const pod_dataset *dataset)
{
    return (int64_t)((const csv_dataset *)dataset)->path_count;
}

static void csv_describe(const pod_dataset *dataset, char *text, size_t size)
{
    snprintf(text, size, "%zu files", ((const csv_dataset *)dataset)->path_count);
}

static const pod_stage_class csv_class = {
    .name = "csv",
    .dataset_size = sizeof(csv_dataset),
    .iterator_size = sizeof(csv_stage),
    .free = csv_free,
    .open = csv_open,
    .describe = csv_describe,
    .file_count = csv_file_count,
    .next = csv_next,
    .rewind = csv_rewind,
    .close = csv_close,
};

static pod_status describe(const pod_csv_options *options, pod_component *components, pod_error *error)
{
    if (options->column_count == 0 || options->column_count > POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "1 to %d columns are read, not %zu", POD_MAX_COMPONENTS,
                             options->column_count);
    for (size_t i = 0; i < options->column_count; i++) {
        const pod_csv_column *column = &options->columns[i];
        if (column->index < 0 || (options->field_count > 0 && column->index >= options->field_count))
            return pod_error_set(error, POD_ERROR_ARGUMENT, "column %lld of rows of %lld fields; columns count from 0",
                                 (long long)column->index, (long long)options->field_count);
        if (!column->text && pod_dtype_size(column->dtype) == 0)
            return pod_error_set(error, POD_ERROR_DTYPE, "column %lld has no type", (long long)column->index);
        char element[8];
        if (!column->text && column->has_default &&
            pod_element_from_real(column->dtype, column->default_value, element, error) != POD_OK)
            return pod_error_prepend(error, "column %lld, its default: ", (long long)column->index);
        components[i] = column->text ? (pod_component){.dtype = POD_U8, .shape = {1, {-1}}, .text = true}
                                     : (pod_component){.dtype = column->dtype};
    }
    return POD_OK;
}

pod_status pod_dataset_csv(pod_context *context, const char *const *paths, size_t count, const pod_csv_options *options,
                           pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    pod_compression compression;
    *dataset = NULL;
    pod_status status = pod_format_compression_from_name(options->compression, true, &compression, error);
    if (status == POD_OK)
        status = describe(options, components, error);
    if (status == POD_OK)
        status = pod_dataset_new(context, &csv_class, NULL, 0, components, options->column_count, dataset, error);
    if (status != POD_OK)
        return status;
    csv_dataset *made = (csv_dataset *)*dataset;
    made->compression = compression;
    made->base.together = POD_STAGE_BLOCK;
    made->separator = options->separator != '\0' ? options->separator : ',';
    made->has_header = options->has_header;
    made->field_count = (size_t)options->field_count;
    memcpy(made->columns, options->columns, options->column_count * sizeof *options->columns);
    made->paths = pod_allocate_zeroed(context, count, sizeof *made->paths);
    if (made->paths == NULL)
        status = pod_error_memory(error, "paths", count * sizeof *made->paths);
    for (; status == POD_OK && made->path_count < count; made->path_count++) {
        made->paths[made->path_count] = pod_copy_text(context, paths[made->path_count]);
        if (made->paths[made->path_count] == NULL)
            status = pod_error_memory(error, "a path", strlen(paths[made->path_count]) + 1);
    }
    if (status != POD_OK) {
        pod_dataset_release(*dataset);
        *dataset = NULL;
    }
    return status;
}

pod_status pod_csv_names(pod_context *context, const char *path, const pod_csv_options *options, char ***names,
                         size_t *count, pod_error *error)
{
    pod_compression compression;
    const pod_csv_field *fields;
    pod_csv *csv;
    *names = NULL;
    *count = 0;
    pod_status status = pod_format_compression_from_name(options->compression, true, &compression, error);
    if (status == POD_OK)
        status = pod_format_csv_open(context, path, compression, options->separator != '\0' ? options->separator : ',',
                                     &csv, error);
    if (status != POD_OK)
        return status;
    status = pod_format_csv_next(csv, &fields, count, error);
    if (status == POD_END)
        status = pod_error_set(error, POD_ERROR_FORMAT, "%s is empty: it has no row of names", path);
    size_t bytes = 0;
    for (size_t i = 0; status == POD_OK && i < *count; i++)
        bytes += sizeof(char *) + fields[i].size + 1;
    if (status == POD_OK && (*names = pod_allocate(context, bytes)) == NULL)
        status = pod_error_memory(error, "names", bytes);
    char *text = status == POD_OK ? (char *)(*names + *count) : NULL;
    for (size_t i = 0; status == POD_OK && i < *count; i++) {
        (*names)[i] = text;
        memcpy(text, fields[i].text, fields[i].size + 1);
        text += fields[i].size + 1;
    }
    pod_format_csv_close(csv);
    return status;
}

void pod_csv_names_free(pod_context *context, char **names)
{
    pod_free(context, names);
}
