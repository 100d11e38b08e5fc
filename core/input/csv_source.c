/* csv_source - a dataset of the rows of CSV files. */

#include "input/stage_results.h"

#include <string.h>

#include "formats/csv.h"
#include "formats/record.h"
#include "input/file_cycle.h"

typedef struct csv_dataset {
    pod_files_dataset base;
    char separator;
    bool has_header;
    size_t field_count;                         /* of a row; 0: as many as the last column needs at least */
    pod_csv_column columns[POD_MAX_COMPONENTS]; /* `name` is unused */
} csv_dataset;

typedef struct csv_stage {
    pod_results_stage base;
    pod_file_walk walk;
    pod_csv *csv;
} csv_stage;

static const csv_dataset *csv_of(const pod_stage *stage)
{
    return (const csv_dataset *)stage->dataset;
}

static pod_status open_file(pod_stage *stage, const char *path, pod_error *error)
{
    csv_stage *self = (csv_stage *)stage;
    const csv_dataset *dataset = csv_of(stage);
    const pod_csv_field *fields;
    size_t count;
    pod_status status = pod_format_csv_open(stage->pass->context, path, dataset->base.compression, dataset->separator,
                                            &self->csv, error);
    if (status == POD_OK)
        pod_format_csv_set_stop(self->csv, pod_input_stage_stop(stage));
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
    const pod_csv_column *wanted = &csv_of(&self->base.base)->columns[column];
    const pod_dtype dtype = self->base.base.dataset->components[column].dtype;
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
        pod_error_prepend(error, "%s, row %llu, field %lld: ", pod_format_csv_path(self->csv),
                          (unsigned long long)pod_format_csv_row(self->csv), (long long)wanted->index + 1);
    return status == POD_OK ? POD_OK : POD_ERROR_FORMAT;
}

static pod_status check_row(const csv_stage *self, size_t count, pod_error *error)
{
    const csv_dataset *dataset = csv_of(&self->base.base);
    size_t needed = dataset->field_count;
    for (size_t i = 0; i < self->base.base.width; i++)
        if (dataset->field_count == 0 && needed <= (size_t)dataset->columns[i].index)
            needed = (size_t)dataset->columns[i].index + 1;
    if (count == needed || (dataset->field_count == 0 && count > needed))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT, "%s, row %llu has %zu fields, but %zu are needed",
                         pod_format_csv_path(self->csv), (unsigned long long)pod_format_csv_row(self->csv), count,
                         needed);
}

static pod_status read_field(csv_stage *self, size_t column, size_t row, const pod_csv_field *field, pod_part *part,
                             pod_error *error)
{
    const pod_bytes bytes = {field->text, field->size};
    void *place;
    if (self->base.base.dataset->components[column].text)
        return pod_input_results_copy(&self->base, column, row, &(pod_shape){1, {(int64_t)field->size}}, &bytes, part,
                                      error);
    pod_status status = pod_input_results_place(&self->base, column, row, NULL, part, &place, error);
    if (status != POD_OK)
        return status;
    status = read_number(self, column, field, place, error);
    if (status != POD_OK)
        pod_buffer_release(part->buffer);
    return status;
}

/* Reads a row as element `row` of the blocks. */
static pod_status read_row(pod_stage *stage, size_t row, pod_part *parts, pod_error *error)
{
    csv_stage *self = (csv_stage *)stage;
    const pod_csv_field *fields;
    size_t count, done = 0;
    pod_status status = pod_format_csv_next(self->csv, &fields, &count, error);
    if (status == POD_OK)
        status = check_row(self, count, error);
    for (; status == POD_OK && done < stage->width; done += status == POD_OK)
        status = read_field(self, done, row, &fields[csv_of(stage)->columns[done].index], &parts[done], error);
    if (status != POD_OK)
        pod_input_parts_release(parts, done);
    return status;
}

static void close_file(pod_stage *stage)
{
    pod_format_csv_close(((csv_stage *)stage)->csv);
    ((csv_stage *)stage)->csv = NULL;
}

static const pod_file_class file_class = {open_file, read_row, close_file};

static pod_status csv_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    csv_stage *self = (csv_stage *)stage;
    pod_status status = pod_input_results_begin(&self->base, POD_STAGE_BLOCK, error);
    if (status == POD_OK)
        status = pod_input_walk_files(stage, &self->walk, &file_class, parts, limit, count, error);
    pod_input_results_end(&self->base);
    return status;
}

static void csv_drop(pod_stage *stage)
{
    pod_input_walk_anew(stage, &((csv_stage *)stage)->walk, &file_class);
}

static const pod_stage_class csv_class = {
    .name = "csv",
    .dataset_size = sizeof(csv_dataset),
    .iterator_size = sizeof(csv_stage),
    .reuses_buffers = true,
    .open = pod_input_results_open,
    .file_count = pod_input_files_count,
    .next = csv_next,
    .drop = csv_drop,
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
    made->separator = options->separator != '\0' ? options->separator : ',';
    made->has_header = options->has_header;
    made->field_count = (size_t)options->field_count;
    memcpy(made->columns, options->columns, options->column_count * sizeof *options->columns);
    (*dataset)->together = POD_STAGE_BLOCK;
    return pod_input_files_set(dataset, paths, count, compression, error);
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

/* Visits a column. */
static void column_recipe(pod_recipe *recipe, pod_csv_column *column)
{
    pod_input_recipe_number(recipe, &column->index);
    pod_input_recipe_flag(recipe, &column->text);
    if (!column->text)
        pod_input_recipe_dtype(recipe, &column->dtype);
    pod_input_recipe_flag(recipe, &column->has_default);
    pod_input_recipe_real(recipe, &column->default_value);
}

pod_status pod_input_csv_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const csv_dataset *from = (const csv_dataset *)recipe->from;
    pod_csv_column columns[POD_MAX_COMPONENTS] = {0};
    pod_csv_options options = {.columns = columns};
    size_t separator = 0, compression = 0, count;
    const char **paths;
    if (from != NULL) {
        memcpy(columns, from->columns, sizeof columns);
        options.column_count = from->base.base.width;
        options.field_count = (int64_t)from->field_count;
        options.has_header = from->has_header;
        separator = (unsigned char)from->separator;
        compression = from->base.compression;
    }
    pod_input_recipe_count(recipe, &options.column_count, POD_MAX_COMPONENTS);
    for (size_t i = 0; i < options.column_count; i++)
        column_recipe(recipe, &columns[i]);
    pod_input_recipe_number(recipe, &options.field_count);
    pod_input_recipe_flag(recipe, &options.has_header);
    pod_input_recipe_count(recipe, &separator, 255);
    pod_input_recipe_count(recipe, &compression, POD_COMPRESSION_AUTO);
    pod_input_paths_recipe(recipe, &paths, &count);
    options.separator = (char)separator;
    options.compression = pod_input_compression_name((pod_compression)compression);
    const pod_status status = pod_input_recipe_is_read(recipe)
                                  ? pod_dataset_csv(recipe->context, paths, count, &options, made, recipe->error)
                                  : POD_OK;
    pod_free(recipe->context, paths);
    return status;
}
