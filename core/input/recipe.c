/* recipe - datasets as bytes: see recipe.h. */

#include "input/recipe.h"

#include <string.h>

#include "base/bytes.h"
#include "base/checked.h"

#define MAGIC "moonpod recipe 1\n"

/* What stands before a stage, and behind the last. */
enum { TAG_END, TAG_STAGE };

typedef struct travelling {
    const char *name;
    int inputs;
    pod_status (*visit)(pod_recipe *recipe, pod_dataset **made);
} travelling;

#define ROW(name, inputs, function) {name, inputs, pod_input_##function##_recipe},
static const travelling stages[] = {POD_RECIPE_STAGES(ROW)};
#undef ROW

static const travelling *find_stage(const char *name)
{
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (strcmp(stages[i].name, name) == 0)
            return &stages[i];
    return NULL;
}

/* ---- visits ---- */

static void fail(pod_recipe *recipe, const char *what)
{
    if (recipe->status == POD_OK)
        recipe->status = pod_error_set(recipe->error, POD_ERROR_FORMAT, "the description of a pipeline: %s", what);
}

void pod_input_recipe_fail_memory(pod_recipe *recipe, size_t bytes)
{
    if (recipe->status == POD_OK)
        recipe->status = pod_error_memory(recipe->error, "a pipeline", bytes);
}

bool pod_input_recipe_is_read(const pod_recipe *recipe)
{
    return recipe->from == NULL && recipe->status == POD_OK;
}

static void put(pod_recipe *recipe, const void *bytes, size_t size)
{
    if (recipe->sum != NULL) {
        pod_sha256_add(recipe->sum, bytes, size);
        return;
    }
    pod_text_append_bytes(&recipe->bytes, bytes, size);
    if (recipe->bytes.failed)
        pod_input_recipe_fail_memory(recipe, recipe->bytes.length);
}

/* Takes so many bytes; NULL where there are not as many. */
static const unsigned char *take(pod_recipe *recipe, size_t size)
{
    if (recipe->status != POD_OK)
        return NULL;
    if (size > recipe->left) {
        fail(recipe, "it is cut short");
        return NULL;
    }
    const unsigned char *bytes = recipe->at;
    recipe->at += size;
    recipe->left -= size;
    return bytes;
}

static void visit_u64(pod_recipe *recipe, uint64_t *number)
{
    if (recipe->from != NULL) {
        unsigned char bytes[8];
        pod_put_little_u64(bytes, *number);
        put(recipe, bytes, sizeof bytes);
        return;
    }
    const unsigned char *bytes = take(recipe, 8);
    *number = bytes != NULL ? pod_little_u64(bytes) : 0;
}

void pod_input_recipe_number(pod_recipe *recipe, int64_t *number)
{
    uint64_t bits = (uint64_t)*number;
    visit_u64(recipe, &bits);
    *number = (int64_t)bits;
}

void pod_input_recipe_count(pod_recipe *recipe, size_t *count, size_t most)
{
    uint64_t bits = *count;
    visit_u64(recipe, &bits);
    if (bits > most)
        fail(recipe, "a number is larger than it may be");
    *count = recipe->status == POD_OK ? (size_t)bits : 0;
}

void pod_input_recipe_flag(pod_recipe *recipe, bool *flag)
{
    size_t bit = *flag;
    pod_input_recipe_count(recipe, &bit, 1);
    *flag = bit != 0;
}

void pod_input_recipe_real(pod_recipe *recipe, double *real)
{
    uint64_t bits;
    memcpy(&bits, real, sizeof bits);
    visit_u64(recipe, &bits);
    memcpy(real, &bits, sizeof bits);
}

void pod_input_recipe_bytes(pod_recipe *recipe, pod_bytes *bytes)
{
    uint64_t size = bytes->size;
    visit_u64(recipe, &size);
    if (recipe->from != NULL) {
        put(recipe, bytes->data, bytes->size);
        return;
    }
    if (size > recipe->left)
        fail(recipe, "it is cut short");
    const unsigned char *data = recipe->status == POD_OK ? take(recipe, (size_t)size) : NULL;
    *bytes = (pod_bytes){data, data != NULL ? (size_t)size : 0};
}

void pod_input_recipe_text(pod_recipe *recipe, const char **text)
{
    pod_bytes bytes = {0};
    if (recipe->from != NULL)
        bytes = (pod_bytes){*text, strlen(*text) + 1};
    pod_input_recipe_bytes(recipe, &bytes);
    if (recipe->from != NULL)
        return;
    const char *read = bytes.data;
    if (recipe->status == POD_OK && (bytes.size == 0 || memchr(read, '\0', bytes.size) != read + bytes.size - 1))
        fail(recipe, "a text has no end, or two");
    *text = recipe->status == POD_OK ? read : "";
}

void pod_input_recipe_dtype(pod_recipe *recipe, pod_dtype *dtype)
{
    const char *name = recipe->from != NULL ? pod_dtype_name(*dtype) : NULL;
    pod_input_recipe_text(recipe, &name);
    if (recipe->from != NULL)
        return;
    *dtype = pod_dtype_from_name(name);
    if (recipe->status == POD_OK && *dtype == POD_DTYPE_NONE)
        fail(recipe, "a type of elements is not known");
}

void pod_input_recipe_shape(pod_recipe *recipe, pod_shape *shape)
{
    size_t rank = (size_t)shape->rank;
    pod_input_recipe_count(recipe, &rank, POD_MAX_RANK);
    shape->rank = (int32_t)rank;
    for (size_t i = 0; i < rank; i++) {
        pod_input_recipe_number(recipe, &shape->dims[i]);
        if (shape->dims[i] < -1)
            fail(recipe, "a size is negative");
    }
}

static void read_buffer(pod_recipe *recipe, pod_dtype dtype, const pod_shape *shape, const pod_bytes *bytes,
                        pod_buffer **buffer)
{
    size_t size = pod_dtype_size(dtype);
    for (int32_t i = 0; i < shape->rank; i++)
        if (shape->dims[i] < 0 || pod_multiply_overflows(size, (size_t)shape->dims[i], &size))
            fail(recipe, "an array has no size");
    if (size != bytes->size)
        fail(recipe, "an array has other bytes than its shape takes");
    if (recipe->status == POD_OK)
        recipe->status = pod_buffer_new(recipe->context, dtype, shape, buffer, recipe->error);
    if (recipe->status == POD_OK && size > 0)
        memcpy(pod_buffer_data(*buffer), bytes->data, size);
}

void pod_input_recipe_buffer(pod_recipe *recipe, pod_buffer **buffer)
{
    pod_dtype dtype = POD_DTYPE_NONE;
    pod_shape shape = {0};
    pod_bytes bytes = {0};
    if (recipe->from != NULL) {
        dtype = pod_buffer_dtype(*buffer);
        shape = *pod_buffer_shape(*buffer);
        bytes = (pod_bytes){pod_buffer_data(*buffer), pod_buffer_bytes(*buffer)};
    } else {
        *buffer = NULL;
    }
    pod_input_recipe_dtype(recipe, &dtype);
    pod_input_recipe_shape(recipe, &shape);
    pod_input_recipe_bytes(recipe, &bytes);
    if (pod_input_recipe_is_read(recipe))
        read_buffer(recipe, dtype, &shape, &bytes, buffer);
}

void pod_input_recipe_buffers(pod_recipe *recipe, pod_buffer **buffers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pod_input_recipe_buffer(recipe, &buffers[i]);
}

void pod_input_recipe_image(pod_recipe *recipe, pod_image_options *image)
{
    size_t format = image->format, channels = (size_t)image->channels, resize = image->resize;
    bool has_dtype = image->dtype != POD_DTYPE_NONE;
    pod_input_recipe_count(recipe, &format, POD_IMAGE_JPEG);
    pod_input_recipe_count(recipe, &channels, 4);
    pod_input_recipe_flag(recipe, &has_dtype);
    if (has_dtype)
        pod_input_recipe_dtype(recipe, &image->dtype);
    pod_input_recipe_number(recipe, &image->height);
    pod_input_recipe_number(recipe, &image->width);
    pod_input_recipe_count(recipe, &resize, POD_RESIZE_NEAREST);
    pod_input_recipe_number(recipe, &image->max_pixels);
    image->format = (pod_image_format)format;
    image->channels = (int32_t)channels;
    image->resize = (pod_image_resize)resize;
}

/* ---- writing ---- */

/* Why a kind of stage stays here, and what to do about it. */
static const struct {
    const char *name, *why;
} staying[] = {
    {"from_generator",
     "its function runs in this process, which workers do not have: read files or rows in the place of a generator, "
     "have bucket_by_sequence_length in that of group_by_window, or call distribute before it"},
    {"transform", "its function runs in this process, which workers do not have: write it with operations that are "
                  "traced, or call distribute before it"},
    {"interleave", "its function makes datasets in this process: give all files to one reader, without "
                   "num_parallel_reads, and divide "
                   "them by sharding = \"file\"; or call distribute before it"},
    {"cache_file", "every worker would write the file: call distribute before it"},
    {"shard_hint", "the hosts of a strategy divide elements there: call distribute before it"},
    {"hosts", "it joins the hosts of a strategy: call distribute before"},
    {"distribute", "it is one of the data service already"},
};

static pod_status refuse(const pod_dataset *dataset, pod_error *error)
{
    const char *why = "it needs this process: call distribute before it";
    for (size_t i = 0; i < sizeof staying / sizeof staying[0]; i++)
        if (strcmp(staying[i].name, dataset->kind->name) == 0)
            why = staying[i].why;
    return pod_error_set(error, POD_ERROR_UNSUPPORTED, "stage '%s' cannot be sent to workers: %s",
                         pod_dataset_label(dataset), why);
}

typedef struct recipe_writer {
    pod_recipe recipe;
    const pod_dataset *written[POD_MOST_RECIPE_STAGES]; /* NULL: a source, whose consumers have the stage behind it */
    size_t count;
    bool by_blocks;
} recipe_writer;

static size_t number_of(const recipe_writer *self, const pod_dataset *dataset)
{
    size_t number = 0;
    while (number < self->count && self->written[number] != dataset)
        number++;
    return number;
}

/* Writes one stage of a kind, whose inputs are those of the numbers. */
static void write_one(recipe_writer *self, const travelling *kind, const pod_dataset *from, const char *label,
                      const size_t *numbers, size_t inputs)
{
    pod_recipe *recipe = &self->recipe;
    const unsigned char tag = TAG_STAGE;
    const char *name = kind->name;
    if (self->count == POD_MOST_RECIPE_STAGES) {
        fail(recipe, "it has more than 1000 stages");
        return;
    }
    recipe->from = from;
    put(recipe, &tag, 1);
    pod_input_recipe_text(recipe, &name);
    pod_input_recipe_text(recipe, &label);
    pod_input_recipe_count(recipe, &inputs, SIZE_MAX);
    for (size_t i = 0; i < inputs; i++) {
        size_t number = numbers[i];
        pod_input_recipe_count(recipe, &number, SIZE_MAX);
    }
    pod_dataset *none = NULL;
    const pod_status status = kind->visit(recipe, &none);
    recipe->status = recipe->status == POD_OK ? status : recipe->status;
    self->written[self->count++] = from;
}

/* Has the consumers of the source that was written last take it by blocks. */
static void write_block(recipe_writer *self)
{
    const size_t source = self->count - 1;
    const pod_dataset *dataset = self->written[source];
    self->written[source] = NULL;
    write_one(self, find_stage("source_block"), dataset, "", &source, 1);
}

/* Writes a stage behind its inputs, once. */
static void write_stage(recipe_writer *self, const pod_dataset *dataset)
{
    pod_recipe *recipe = &self->recipe;
    if (number_of(self, dataset) < self->count)
        return;
    for (size_t i = 0; recipe->status == POD_OK && i < dataset->input_count; i++)
        write_stage(self, dataset->inputs[i]);
    if (recipe->status != POD_OK)
        return;
    const travelling *kind = find_stage(dataset->kind->name);
    if (kind == NULL) {
        recipe->status = refuse(dataset, recipe->error);
        return;
    }
    size_t numbers[POD_MAX_COMPONENTS + 1];
    if (dataset->input_count > sizeof numbers / sizeof numbers[0]) {
        fail(recipe, "a stage joins more than 65 datasets");
        return;
    }
    for (size_t i = 0; i < dataset->input_count; i++)
        numbers[i] = number_of(self, dataset->inputs[i]);
    write_one(self, kind, dataset, dataset->label != NULL && self->recipe.sum == NULL ? dataset->label : "", numbers,
              dataset->input_count);
    if (self->by_blocks && dataset->input_count == 0 && recipe->status == POD_OK)
        write_block(self);
}

/* Writes a dataset, or sums it up; *bytes receives what was written. */
static pod_status write_all(const pod_dataset *dataset, bool by_blocks, pod_sha256 *sum, pod_bytes *bytes,
                            pod_error *error)
{
    const unsigned char end = TAG_END;
    *bytes = (pod_bytes){0};
    recipe_writer *self = pod_allocate_zeroed(dataset->context, 1, sizeof *self);
    if (self == NULL)
        return pod_error_memory(error, "a pipeline", sizeof *self);
    pod_recipe *recipe = &self->recipe;
    self->by_blocks = by_blocks;
    recipe->context = dataset->context;
    recipe->error = error;
    recipe->sum = sum;
    pod_text_init(&recipe->bytes, dataset->context);
    put(recipe, MAGIC, sizeof MAGIC - 1);
    write_stage(self, dataset);
    put(recipe, &end, 1);
    const pod_status status = recipe->status;
    const size_t size = recipe->bytes.length;
    if (status == POD_OK && sum == NULL)
        *bytes = (pod_bytes){pod_text_take(&recipe->bytes), size};
    pod_text_clear(&recipe->bytes);
    pod_free(dataset->context, self);
    return status;
}

pod_status pod_input_recipe_write(const pod_dataset *dataset, bool by_blocks, pod_bytes *bytes, pod_error *error)
{
    return write_all(dataset, by_blocks, NULL, bytes, error);
}

pod_status pod_input_recipe_sum(const pod_dataset *dataset, bool by_blocks, unsigned char digest[POD_SHA256_SIZE],
                                pod_error *error)
{
    pod_sha256 sum;
    pod_bytes none;
    pod_sha256_begin(&sum);
    const pod_status status = write_all(dataset, by_blocks, &sum, &none, error);
    pod_sha256_end(&sum, digest);
    return status;
}

/* ---- reading ---- */

typedef struct recipe_reader {
    pod_recipe recipe;
    pod_dataset *made[POD_MOST_RECIPE_STAGES];
    size_t count;
} recipe_reader;

/* Reads the numbers of a stage's inputs, which were made before. */
static void read_inputs(recipe_reader *self, const travelling *kind, pod_dataset *inputs[POD_MAX_COMPONENTS + 1])
{
    pod_recipe *recipe = &self->recipe;
    pod_input_recipe_count(recipe, &recipe->input_count, POD_MAX_COMPONENTS + 1);
    if (kind->inputs >= 0 ? recipe->input_count != (size_t)kind->inputs : recipe->input_count == 0)
        fail(recipe, "a stage has more or fewer inputs than it takes");
    for (size_t i = 0; recipe->status == POD_OK && i < recipe->input_count; i++) {
        size_t number = 0;
        pod_input_recipe_count(recipe, &number, self->count - (self->count > 0));
        if (self->count == 0)
            fail(recipe, "a stage has an input that is not there");
        inputs[i] = recipe->status == POD_OK ? self->made[number] : NULL;
    }
    recipe->inputs = inputs;
}

static void read_stage(recipe_reader *self)
{
    pod_recipe *recipe = &self->recipe;
    pod_dataset *inputs[POD_MAX_COMPONENTS + 1] = {0}, *made = NULL;
    const char *name = "", *label = "";
    pod_input_recipe_text(recipe, &name);
    pod_input_recipe_text(recipe, &label);
    const travelling *kind = find_stage(name);
    if (recipe->status == POD_OK && kind == NULL)
        recipe->status = pod_error_set(recipe->error, POD_ERROR_UNSUPPORTED,
                                       "the description of a pipeline: stage '%.64s' is not known here", name);
    if (self->count == POD_MOST_RECIPE_STAGES)
        fail(recipe, "it has more than 1000 stages");
    if (recipe->status != POD_OK)
        return;
    read_inputs(self, kind, inputs);
    if (recipe->status != POD_OK)
        return;
    const pod_status status = kind->visit(recipe, &made);
    recipe->status = recipe->status == POD_OK ? status : recipe->status;
    if (recipe->status == POD_OK && label[0] != '\0')
        recipe->status = pod_dataset_set_label(made, label, recipe->error);
    if (made != NULL)
        self->made[self->count++] = made;
}

static void read_stages(recipe_reader *self)
{
    pod_recipe *recipe = &self->recipe;
    const unsigned char *bytes = take(recipe, sizeof MAGIC - 1);
    if (bytes != NULL && memcmp(bytes, MAGIC, sizeof MAGIC - 1) != 0)
        fail(recipe, "it does not begin as one");
    while (recipe->status == POD_OK) {
        bytes = take(recipe, 1);
        if (bytes == NULL || *bytes == TAG_END)
            break;
        if (*bytes != TAG_STAGE)
            fail(recipe, "something else stands where a stage begins");
        else
            read_stage(self);
    }
    if (self->count == 0)
        fail(recipe, "it has no stage");
    if (recipe->left > 0)
        fail(recipe, "bytes stand behind its end");
}

pod_status pod_input_recipe_read(pod_context *context, const void *bytes, size_t size, pod_dataset **dataset,
                                 pod_error *error)
{
    *dataset = NULL;
    recipe_reader *self = pod_allocate_zeroed(context, 1, sizeof *self);
    if (self == NULL)
        return pod_error_memory(error, "a pipeline", sizeof *self);
    self->recipe = (pod_recipe){.context = context, .error = error, .at = bytes, .left = size};
    read_stages(self);
    const pod_status status = self->recipe.status;
    if (status == POD_OK)
        *dataset = pod_dataset_retain(self->made[self->count - 1]);
    for (size_t i = 0; i < self->count; i++)
        pod_dataset_release(self->made[i]);
    pod_free(context, self);
    return status;
}
