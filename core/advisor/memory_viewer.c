/* memory_viewer - the viewer in a terminal: two curves over the program's order, and who lives at the peak. */

#include <assert.h>
#include <string.h>

#include "advisor/advisor.h"

#define LABEL_WIDTH   9 /* of sizes at the left of the chart */
#define MOST_COLUMNS  400
#define TABLE_ENTRIES 12

size_t pod_memory_curve(const pod_memory_facts *facts, size_t most, pod_memory_point *curve, size_t *peak)
{
    const pod_layout_bytes held = pod_memory_held(facts);
    const size_t steps = facts->step_count;
    const size_t points = steps == 0 ? 1 : steps < most ? steps : most;
    *peak = 0;
    for (size_t i = 0; i < points; i++) {
        curve[i] = (pod_memory_point){held, -1};
        const size_t end = steps == 0 ? 0 : (i + 1) * steps / points;
        for (size_t step = i * steps / points; step < end; step++) {
            const pod_layout_bytes live = facts->steps[step]->live;
            if (curve[i].step >= 0 && held.padded + live.padded <= curve[i].bytes.padded)
                continue;
            curve[i].step = (int32_t)step;
            curve[i].bytes.padded = held.padded + live.padded;
            curve[i].bytes.unpadded = held.unpadded + live.unpadded;
        }
        assert(steps == 0 || curve[i].step >= 0); /* each point has a step */
        if (curve[i].bytes.padded > curve[*peak].bytes.padded)
            *peak = i;
    }
    return points;
}

/* Eighths of a character, from below. */
static const char *const eighths[] = {" ",
                                      "\xe2\x96\x81",
                                      "\xe2\x96\x82",
                                      "\xe2\x96\x83",
                                      "\xe2\x96\x84",
                                      "\xe2\x96\x85",
                                      "\xe2\x96\x86",
                                      "\xe2\x96\x87",
                                      "\xe2\x96\x88"};
static const char padding_mark[] = "\xe2\x96\x91"; /* a light shade */
static const char limit_mark[] = "\xe2\x94\x80";
static const char peak_mark[] = "\xe2\x96\xbc";

static void repeat(pod_text *text, const char *what, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pod_text_append(text, what);
}

/* The character of a column between two heights: full where data lies below, eighths at its top. */
static const char *cell(const pod_layout_bytes *bytes, double low, double high, bool limit)
{
    const double unit = (high - low) / 8.0;
    if ((double)bytes->unpadded >= high)
        return eighths[8];
    const int filled = (int)(((double)bytes->unpadded - low) / unit + 0.5);
    const bool padded = (double)bytes->padded > low + unit * 4.0;
    if (filled > 0 && !(padded && filled < 4))
        return eighths[filled];
    if (padded)
        return padding_mark;
    return limit ? limit_mark : filled > 0 ? eighths[filled] : eighths[0];
}

static void print_chart(pod_text *text, const pod_memory_facts *facts, const pod_memory_point *curve, size_t count,
                        size_t peak, int32_t width, int32_t height)
{
    const int64_t limit = facts->memory.limit_bytes, most = curve[peak].bytes.padded;
    /* the limit is shown where it does not press the curve flat */
    const bool shows_limit = limit > 0 && limit < most * 2;
    const int64_t top = shows_limit && limit > most ? limit : most > 0 ? most : 1;
    const size_t columns = (size_t)width;
    const size_t peak_column = (peak * columns + columns / 2) / count;
    assert(peak < count && peak_column <= columns);
    repeat(text, " ", LABEL_WIDTH + 1 + peak_column);
    pod_text_format(text, "%s peak\n", peak_mark);
    for (int32_t line = height; line > 0; line--) {
        const double low = (double)top * (line - 1) / height, high = (double)top * line / height;
        const bool at_limit = shows_limit && (double)limit > low && (double)limit <= high;
        char size[POD_BYTES_TEXT_SIZE];
        const bool labelled = line == height || line % 4 == 0 || at_limit;
        pod_bytes_format(at_limit ? limit : (int64_t)high, size);
        pod_text_format(text, "%*s \xe2\x94\x82", LABEL_WIDTH - 1, labelled ? size : "");
        for (size_t column = 0; column < columns; column++)
            pod_text_append(text, cell(&curve[column * count / columns].bytes, low, high, at_limit));
        pod_text_append(text, at_limit ? " limit\n" : "\n");
    }
    pod_text_format(text, "%*s \xe2\x94\x94", LABEL_WIDTH - 1, "0");
    repeat(text, limit_mark, columns);
    pod_text_format(text, "\n%*s step 1 of %zu in the program's order\n", LABEL_WIDTH, "", facts->step_count);
    pod_text_format(text, "%*s %s unpadded   %s padding\n", LABEL_WIDTH, "", eighths[8], padding_mark);
}

/* Cuts the line that began at `start` to `width` bytes. */
static void cut_line(pod_text *text, size_t start, int32_t width)
{
    if (text->failed || text->length - start <= (size_t)width || width < 4)
        return;
    size_t end = start + (size_t)width - 3;
    assert(end < text->length);
    while (end > start && ((unsigned char)text->data[end] & 0xc0) == 0x80)
        end--; /* not within a character */
    text->length = end;
    text->data[end] = '\0';
    pod_text_append(text, "...");
}

static void print_rows(pod_text *text, const pod_memory_facts *facts, const pod_memory_entry *entries, size_t count,
                       int32_t width)
{
    char size[POD_BYTES_TEXT_SIZE], unpadded[POD_BYTES_TEXT_SIZE], ratio[POD_BYTES_TEXT_SIZE];
    char type[POD_ARRAY_TYPE_TEXT_SIZE];
    int64_t small_bytes = 0, rest_bytes = 0;
    size_t small_count = 0, rest_count = 0, shown = 0;
    pod_text_append(text, "      size  unpadded  ratio  buffer\n");
    for (size_t i = 0; i < count; i++) {
        const pod_tpu_buffer *buffer = entries[i].buffer;
        if (buffer->bytes.padded <= POD_SMALL_BUFFER_BYTES) {
            small_bytes += buffer->bytes.padded;
            small_count++;
            continue;
        }
        if (shown == TABLE_ENTRIES) {
            rest_bytes += buffer->bytes.padded;
            rest_count++;
            continue;
        }
        shown++;
        const size_t start = text->length;
        const char *argument = pod_memory_argument_name(facts, buffer);
        pod_text_format(text, "  %8s  %8s %6s  %s %s", pod_bytes_format(buffer->bytes.padded, size),
                        pod_bytes_format(buffer->bytes.unpadded, unpadded), pod_expansion_format(&buffer->bytes, ratio),
                        pod_array_type_format(&buffer->type, type), argument ? argument : buffer->name);
        if (buffer->scope && !argument)
            pod_text_format(text, " in %s", buffer->scope);
        if (buffer->location && !argument)
            pod_text_format(text, " at %s", buffer->location);
        cut_line(text, start, width);
        pod_text_append(text, "\n");
    }
    if (rest_count > 0)
        pod_text_format(text, "  %8s  %zu others\n", pod_bytes_format(rest_bytes, size), rest_count);
    if (small_count > 0)
        pod_text_format(text, "  %8s  %zu small, each of 16K or less\n", pod_bytes_format(small_bytes, size),
                        small_count);
}

static pod_status print_peak(pod_context *context, pod_text *text, const pod_memory_facts *facts, int32_t step,
                             int32_t width, pod_error *error)
{
    static const pod_memory_order orders[] = {POD_MEMORY_BY_SIZE, POD_MEMORY_BY_PADDING};
    for (size_t i = 0; i < 2; i++) {
        size_t count;
        pod_memory_entry *entries = pod_memory_entries(context, facts, step, orders[i], &count);
        if (!entries)
            return pod_error_memory(error, "a memory viewer", facts->buffer_count * sizeof *entries);
        while (orders[i] == POD_MEMORY_BY_PADDING && count > 0 && entries[count - 1].bytes <= 0)
            count--; /* only buffers that are padded at all are listed by padding */
        if (count > 0) {
            pod_text_append(text, i == 0 ? "\nat the peak, by size\n" : "\nat the peak, by padding\n");
            print_rows(text, facts, entries, count, width);
        }
        pod_free(context, entries);
    }
    return POD_OK;
}

static const pod_tpu_buffer *made_at(const pod_memory_facts *facts, int32_t step)
{
    for (size_t i = 0; i < facts->buffer_count; i++)
        if (facts->buffers[i]->use == POD_TPU_TEMPORARY && facts->buffers[i]->first_step == step)
            return facts->buffers[i];
    return NULL;
}

pod_status pod_memory_viewer(pod_context *context, const pod_memory_facts *facts, const pod_memory_options *options,
                             char **result, pod_error *error)
{
    *result = NULL;
    const pod_memory_options given = pod_memory_defaults(options);
    int32_t columns = given.width - LABEL_WIDTH - 8;
    columns = columns < 10 ? 10 : columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
    pod_memory_point curve[MOST_COLUMNS];
    size_t peak;
    const size_t count = pod_memory_curve(facts, (size_t)columns, curve, &peak);
    pod_text text;
    pod_text_init(&text, context);
    pod_text_format(&text, "HBM of %s on %s\n\n", facts->name, facts->chip->product);
    print_chart(&text, facts, curve, count, peak, columns, given.height);
    pod_advise_text_filled(
        &text, "\n  peak $, unpadded $; held through all of it: $",
        (int64_t[]){curve[peak].bytes.padded, curve[peak].bytes.unpadded, pod_memory_held(facts).padded});
    const int32_t step = curve[peak].step;
    if (step >= 0) {
        const pod_tpu_buffer *buffer = made_at(facts, step);
        pod_text_format(&text, "; at step %d", (int)step + 1);
        if (buffer)
            pod_text_format(&text, ", %s", buffer->name);
        if (buffer && buffer->location)
            pod_text_format(&text, " at %s", buffer->location);
    }
    pod_text_append(&text, "\n  ");
    pod_advise_text_verdict(&text, facts);
    pod_text_append(&text, "\n");
    const pod_status status = print_peak(context, &text, facts, step >= 0 ? step : 0, given.width, error);
    if (status != POD_OK) {
        pod_text_clear(&text);
        return status;
    }
    return pod_advise_text_finish(&text, result, error);
}
