/* memory_page - the memory viewer as SVG, and as a page that holds it with tables. */

#include <math.h>
#include <string.h>

#include "advisor/advisor.h"
#include "formats/writer.h"

/* The chart's places, in pixels. */
enum { WIDTH = 960, HEIGHT = 380, LEFT = 72, RIGHT = 944, TOP = 40, BOTTOM = 330, MOST_POINTS = 436, MOST_ROWS = 2000 };

/* Colours are written out: few readers of SVG know variables. */
static const char style[] = ".chart text{font:12px system-ui,sans-serif;fill:#59636e}"
                            ".chart .title{font-size:14px;font-weight:600;fill:#1f2328}"
                            ".chart .paper{fill:#ffffff}.chart .grid{stroke:#d9dee3;stroke-width:1}"
                            ".chart .padded{fill:#2f6fde;fill-opacity:.25;stroke:#2f6fde;stroke-width:1.5}"
                            ".chart .unpadded{fill:#d1443c;fill-opacity:.25;stroke:#d1443c;stroke-width:1.5}"
                            ".chart .limit{stroke:#9a6700;stroke-width:1.5;stroke-dasharray:6 4}"
                            ".chart text.limit-text{fill:#9a6700}"
                            ".chart .peak{fill:#1f2328}.chart .peak-line{stroke:#1f2328;stroke-dasharray:2 3}"
                            ".chart .hover{fill:#1f2328;fill-opacity:0}.chart .hover:hover{fill-opacity:.12}"
                            ".chart .span{fill:#1f2328;fill-opacity:.14}"
                            "@media(prefers-color-scheme:dark){.chart text{fill:#9198a1}"
                            ".chart .title,.chart .peak,.chart .hover,.chart .span{fill:#e6edf3}"
                            ".chart .peak-line{stroke:#e6edf3}.chart .paper{fill:#0d1117}.chart .grid{stroke:#30363d}"
                            ".chart .padded{fill:#5b9bff;stroke:#5b9bff}.chart .unpadded{fill:#ff7b72;stroke:#ff7b72}"
                            ".chart .limit{stroke:#d29922}.chart text.limit-text{fill:#d29922}}";

/* Appends text with what XML would read as its own written out; control characters become spaces. */
static void escape(pod_text *text, const char *more)
{
    for (; *more; more++) {
        const char *replacement = *more == '&'   ? "&amp;"
                                  : *more == '<' ? "&lt;"
                                  : *more == '>' ? "&gt;"
                                  : *more == '"' ? "&quot;"
                                                 : NULL;
        if (replacement)
            pod_text_append(text, replacement);
        else
            pod_text_append_bytes(text, (unsigned char)*more < ' ' ? " " : more, 1);
    }
}

/* ---- the chart ------------------------------------------------------------------------------------- */

typedef struct picture {
    const pod_memory_facts *facts;
    const pod_memory_point *points;
    size_t count, peak;
    int64_t top; /* bytes at the upper edge */
} picture;

/* Places are in tenths of a pixel. */
static int64_t x_of(const picture *chart, size_t point)
{
    return LEFT * 10 + (int64_t)((double)point * (RIGHT - LEFT) * 10 / (double)chart->count);
}

static int64_t y_of(const picture *chart, int64_t bytes)
{
    const double share = (double)bytes / (double)chart->top;
    return BOTTOM * 10 - (int64_t)(share * (BOTTOM - TOP) * 10 + 0.5);
}

/* The least of 1, 2, 4, 8 ... 512 times a power of 1024 that cuts `most` into at most five. */
static int64_t grid_step(int64_t most)
{
    int64_t step = 1;
    while (step < INT64_MAX / 4 && most / step >= 5)
        step *= 2;
    return step;
}

static void draw_grid(pod_text *text, const picture *chart)
{
    const int64_t step = grid_step(chart->top);
    for (int64_t bytes = 0; bytes <= chart->top; bytes += step) {
        const int64_t y = y_of(chart, bytes);
        pod_advise_text_filled(text,
                               "<line class=\"grid\" x1=\"#\" x2=\"#\" y1=\"@\" y2=\"@\"/>"
                               "<text x=\"#\" y=\"@\" text-anchor=\"end\">",
                               (int64_t[]){LEFT, RIGHT, y, y, LEFT - 8, y + 40});
        pod_advise_text_filled(text, bytes > 0 ? "$</text>\n" : "0</text>\n", &bytes);
        if (bytes > INT64_MAX - step)
            break;
    }
}

/* A curve as an area of steps. */
static void draw_curve(pod_text *text, const picture *chart, const char *class, bool padded)
{
    pod_text_format(text, "<path class=\"%s\" d=\"M%d.0 %d.0", class, LEFT, BOTTOM);
    for (size_t i = 0; i < chart->count; i++) {
        const pod_layout_bytes *bytes = &chart->points[i].bytes;
        const int64_t y = y_of(chart, padded ? bytes->padded : bytes->unpadded);
        pod_advise_text_filled(text, "V@H@", (int64_t[]){y, x_of(chart, i + 1)});
    }
    pod_text_format(text, "V%d.0Z\"/>\n", BOTTOM);
}

static void draw_limit(pod_text *text, const picture *chart)
{
    const int64_t limit = chart->facts->memory.limit_bytes;
    if (limit <= 0 || limit > chart->top)
        return;
    const int64_t y = y_of(chart, limit);
    pod_advise_text_filled(text,
                           "<line class=\"limit\" x1=\"#\" x2=\"#\" y1=\"@\" y2=\"@\"/>"
                           "<text class=\"limit-text\" x=\"#\" y=\"@\">limit $</text>\n",
                           (int64_t[]){LEFT, RIGHT, y, y, LEFT + 6, y + 140, limit});
}

static void draw_peak(pod_text *text, const picture *chart)
{
    const pod_memory_point *peak = &chart->points[chart->peak];
    const int64_t x = (x_of(chart, chart->peak) + x_of(chart, chart->peak + 1)) / 2;
    const int64_t y = y_of(chart, peak->bytes.padded);
    const char *anchor = x > (LEFT + (RIGHT - LEFT) * 3 / 4) * 10 ? "end"
                         : x < (LEFT + (RIGHT - LEFT) / 4) * 10   ? "start"
                                                                  : "middle";
    pod_advise_text_filled(text,
                           "<line class=\"peak-line\" x1=\"@\" x2=\"@\" y1=\"@\" y2=\"#\"/>"
                           "<circle class=\"peak\" r=\"4\" cx=\"@\" cy=\"@\"/><text class=\"title\" x=\"@\" y=\"@\"",
                           (int64_t[]){x, x, y, BOTTOM, x, y, x, y - 80});
    pod_text_format(text, " text-anchor=\"%s\">peak ", anchor);
    pod_advise_text_filled(text, "$</text>\n", &peak->bytes.padded);
}

/* Returns what is made at each step: the name of the buffer that begins there; NULL where none does. */
static const pod_tpu_buffer **makers(pod_context *context, const pod_memory_facts *facts)
{
    const pod_tpu_buffer **list = pod_allocate_zeroed(context, facts->step_count + 1, sizeof(const pod_tpu_buffer *));
    for (size_t i = 0; list && i < facts->buffer_count; i++) {
        const pod_tpu_buffer *buffer = facts->buffers[i];
        const size_t step = (size_t)buffer->first_step;
        if (buffer->use == POD_TPU_TEMPORARY && buffer->first_step >= 0 && step < facts->step_count &&
            (!list[step] || list[step]->bytes.padded < buffer->bytes.padded))
            list[step] = buffer;
    }
    return list;
}

/* Bars that show a point's numbers when the pointer is over them. */
static void draw_tips(pod_text *text, const picture *chart, const pod_tpu_buffer *const *made)
{
    for (size_t i = 0; i < chart->count; i++) {
        const pod_memory_point *point = &chart->points[i];
        const int64_t x = x_of(chart, i);
        pod_advise_text_filled(text, "<rect class=\"hover\" x=\"@\" y=\"#\" height=\"#\" width=\"@\"><title>",
                               (int64_t[]){x, TOP, BOTTOM - TOP, x_of(chart, i + 1) - x});
        if (point->step >= 0)
            pod_text_format(text, "step %d\n", (int)point->step + 1);
        if (point->step >= 0 && made[point->step]) {
            escape(text, made[point->step]->name);
            if (made[point->step]->location) {
                pod_text_append(text, " at ");
                escape(text, made[point->step]->location);
            }
            pod_text_append(text, "\n");
        }
        pod_advise_text_filled(text, "padded $\nunpadded $</title></rect>\n",
                               (int64_t[]){point->bytes.padded, point->bytes.unpadded});
    }
}

static void draw(pod_text *text, const picture *chart, const pod_tpu_buffer *const *made)
{
    const pod_memory_facts *facts = chart->facts;
    pod_text_format(text,
                    "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" "
                    "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"
                    "<title>HBM in use over the program's order</title>\n<style>%s</style>\n"
                    "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n",
                    WIDTH, HEIGHT, WIDTH, HEIGHT, style, WIDTH, HEIGHT);
    draw_grid(text, chart);
    draw_curve(text, chart, "padded", true);
    draw_curve(text, chart, "unpadded", false);
    pod_text_format(text,
                    "<g id=\"spans\" data-left=\"%d\" data-right=\"%d\" data-top=\"%d\" "
                    "data-bottom=\"%d\" data-steps=\"%zu\"></g>\n",
                    LEFT, RIGHT, TOP, BOTTOM, facts->step_count);
    draw_limit(text, chart);
    draw_peak(text, chart);
    draw_tips(text, chart, made);
    pod_text_format(text,
                    "<text x=\"%d\" y=\"%d\">step 1</text>"
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">step %zu</text>\n",
                    LEFT, BOTTOM + 18, RIGHT, BOTTOM + 18, facts->step_count);
    pod_text_format(text,
                    "<rect class=\"padded\" x=\"%d\" y=\"%d\" width=\"14\" height=\"10\"/>"
                    "<text x=\"%d\" y=\"%d\">padded, as it lies in HBM</text>"
                    "<rect class=\"unpadded\" x=\"%d\" y=\"%d\" width=\"14\" height=\"10\"/>"
                    "<text x=\"%d\" y=\"%d\">unpadded</text>\n</svg>",
                    LEFT, BOTTOM + 32, LEFT + 20, BOTTOM + 41, LEFT + 200, BOTTOM + 32, LEFT + 220, BOTTOM + 41);
}

/* Fills in a chart and draws it. */
static pod_status draw_chart(pod_context *context, pod_text *text, const pod_memory_facts *facts, int32_t *peak_step,
                             pod_error *error)
{
    picture chart = {.facts = facts};
    pod_memory_point *points = pod_memory_curve(context, facts, MOST_POINTS, &chart.count, &chart.peak);
    const pod_tpu_buffer **made = makers(context, facts);
    pod_status status = POD_OK;
    if (points && made) {
        const int64_t most = points[chart.peak].bytes.padded, limit = facts->memory.limit_bytes;
        chart.points = points;
        chart.top = limit > most && limit < most * 2 ? limit : most;
        chart.top = chart.top < 64 ? 64 : chart.top;
        *peak_step = points[chart.peak].step;
        draw(text, &chart, made);
    } else {
        status = pod_error_memory(error, "a chart of memory", facts->step_count * sizeof *made);
    }
    pod_free(context, points);
    pod_free(context, made);
    return status;
}

pod_status pod_memory_svg(pod_context *context, const pod_memory_facts *facts, char **result, pod_error *error)
{
    pod_text text;
    int32_t step;
    *result = NULL;
    pod_text_init(&text, context);
    const pod_status status = draw_chart(context, &text, facts, &step, error);
    if (status != POD_OK) {
        pod_text_clear(&text);
        return status;
    }
    pod_text_append(&text, "\n");
    return pod_advise_text_finish(&text, result, error);
}

/* ---- the page ------------------------------------------------------------------------------------- */

static const char page_style[] =
    ":root{color-scheme:light dark;--ink:#1f2328;--soft:#59636e;--line:#d9dee3;--paper:#fff;"
    "--mark:#f3f5f7;--bad:#c93c37;--good:#1a7f37;--unsure:#9a6700}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--line:#30363d;"
    "--paper:#0d1117;--mark:#161b22;--bad:#ff7b72;--good:#3fb950;--unsure:#d29922}}"
    "body{margin:2rem auto;max-width:76rem;padding:0 1rem;font:15px/1.5 system-ui,sans-serif;"
    "color:var(--ink);background:var(--paper)}"
    "h1{font-size:1.35rem;margin:0}h2{font-size:1.05rem;margin:2rem 0 .5rem}"
    "p{margin:.25rem 0 1rem;color:var(--soft)}.chart{width:100%;height:auto}"
    ".verdict{display:inline-block;padding:.35rem .7rem;border-radius:.4rem;font-weight:600;"
    "border:1px solid currentColor;margin:.25rem 0 1rem}"
    ".verdict.bad{color:var(--bad)}.verdict.good{color:var(--good)}.verdict.unsure{color:var(--unsure)}"
    ".kinds{display:flex;flex-wrap:wrap;gap:.5rem;margin-bottom:1rem}"
    ".kinds div{background:var(--mark);border-radius:.4rem;padding:.4rem .8rem;min-width:5rem}"
    ".kinds span{display:block;color:var(--soft);font-size:.8rem}"
    ".kinds b{font-variant-numeric:tabular-nums}"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.85rem}"
    "th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);"
    "vertical-align:top}td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}th{cursor:pointer;user-select:none;white-space:nowrap}"
    "th[aria-sort]::after{content:' \\2193'}tbody tr:hover{background:var(--mark)}"
    "code{font:0.82rem ui-monospace,monospace;white-space:nowrap}td:last-child{"
    "min-width:11rem;overflow-wrap:anywhere}td small{color:var(--soft);display:block}";

/* Sorts a table by the column that is clicked, and shows a row's life in the chart. */
static const char page_script[] =
    "for(const table of document.querySelectorAll('table')){const body=table.tBodies[0];"
    "table.querySelectorAll('th').forEach((head,at)=>head.onclick=()=>{"
    "table.querySelectorAll('th').forEach(h=>h.removeAttribute('aria-sort'));"
    "head.setAttribute('aria-sort','descending');"
    "const key=row=>{const cell=row.cells[at];return cell.dataset.value?+cell.dataset.value:"
    "cell.textContent};"
    "[...body.rows].sort((a,b)=>{const x=key(a),y=key(b);return typeof x=='number'&&"
    "typeof y=='number'?y-x:String(x).localeCompare(String(y))}).forEach(r=>body.append(r))});"
    "const spans=document.getElementById('spans'),d=spans.dataset;"
    "body.onmouseover=e=>{const row=e.target.closest('tr');spans.replaceChildren();"
    "if(!row||row.dataset.first===undefined)return;"
    "const wide=(d.right-d.left)/Math.max(1,d.steps),r=document.createElementNS("
    "'http://www.w3.org/2000/svg','rect');r.setAttribute('class','span');"
    "r.setAttribute('x',+d.left+row.dataset.first*wide);"
    "r.setAttribute('width',Math.max(2,(row.dataset.last-row.dataset.first+1)*wide));"
    "r.setAttribute('y',d.top);r.setAttribute('height',d.bottom-d.top);spans.append(r)};"
    "body.onmouseleave=()=>spans.replaceChildren()}";

static void kind(pod_text *text, const char *name, int64_t bytes)
{
    pod_text_format(text, "<div><span>%s</span>", name);
    pod_advise_text_filled(text, "<b>$</b></div>\n", &bytes);
}

static void print_row(pod_text *text, const pod_memory_facts *facts, const pod_tpu_buffer *buffer)
{
    char type[POD_ARRAY_TYPE_TEXT_SIZE], ratio[POD_BYTES_TEXT_SIZE], reason[POD_LAYOUT_REASON_SIZE];
    const bool moves = buffer->use == POD_TPU_TEMPORARY;
    const int last = facts->step_count > 0 ? (int)facts->step_count - 1 : 0;
    pod_text_format(text, "<tr data-first=\"%d\" data-last=\"%d\">", moves ? (int)buffer->first_step : 0,
                    moves ? (int)buffer->last_step : last);
    pod_advise_text_filled(
        text, "<td class=\"number\" data-value=\"#\">$</td><td class=\"number\" data-value=\"#\">$</td>",
        (int64_t[]){buffer->bytes.padded, buffer->bytes.padded, buffer->bytes.unpadded, buffer->bytes.unpadded});
    const double times =
        buffer->bytes.unpadded > 0 ? (double)buffer->bytes.padded * 1000.0 / (double)buffer->bytes.unpadded : 1000.0;
    pod_text_format(text, "<td class=\"number\" data-value=\"%lld\">%s</td><td><code title=\"", llround(times),
                    pod_expansion_format(&buffer->bytes, ratio));
    escape(text, pod_memory_reason(facts, buffer, reason));
    pod_text_append(text, "\">");
    escape(text, pod_array_type_format(&buffer->type, type));
    pod_text_append(text, "</code><small>");
    escape(text, buffer->name);
    pod_text_append(text, "</small></td><td>");
    pod_text_append(text, pod_advise_use_name(buffer->use));
    pod_text_append(text, "</td><td>");
    const char *argument = pod_memory_argument_name(facts, buffer);
    escape(text, argument ? argument : buffer->op);
    const bool argued = buffer->use == POD_TPU_ARGUMENT;
    if (buffer->scope && !argued) {
        pod_text_append(text, "<small>");
        escape(text, buffer->scope);
        pod_text_append(text, "</small>");
    }
    pod_text_append(text, "</td><td>");
    escape(text, buffer->location && !argued ? buffer->location : "");
    pod_text_append(text, "</td></tr>\n");
}

/* The buffers that take HBM at a step (-1: any), largest first, small ones in one line. */
static pod_status print_buffers(pod_context *context, pod_text *text, const pod_memory_facts *facts, int32_t step,
                                pod_error *error)
{
    size_t count, shown = 0, left = 0;
    int64_t bytes = 0;
    size_t *indices = pod_memory_indices(context, facts, step, POD_MEMORY_BY_SIZE, &count);
    if (!indices)
        return pod_error_memory(error, "a page of memory", facts->buffer_count * sizeof *indices);
    pod_text_append(text, "<div class=\"scroll\"><table><thead><tr><th class=\"number\" "
                          "aria-sort=\"descending\">size</th><th class=\"number\">unpadded</th>"
                          "<th class=\"number\">ratio</th><th>buffer</th><th>use</th><th>op</th>"
                          "<th>line</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < count; i++) {
        const pod_tpu_buffer *buffer = facts->buffers[indices[i]];
        if (buffer->bytes.padded <= POD_SMALL_BUFFER_BYTES || shown == MOST_ROWS) {
            bytes += buffer->bytes.padded;
            left++;
            continue;
        }
        print_row(text, facts, buffer);
        shown++;
    }
    pod_free(context, indices);
    pod_text_append(text, "</tbody></table></div>\n");
    if (left > 0)
        pod_advise_text_filled(text, "<p># smaller ones, together $</p>\n", (int64_t[]){(int64_t)left, bytes});
    return POD_OK;
}

static void print_head(pod_text *text, const pod_memory_facts *facts)
{
    static const char *const classes[] = {"good", "bad", "unsure"};
    const pod_tpu_memory *memory = &facts->memory;
    pod_text_append(text, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                          "<meta name=\"viewport\" content=\"width=device-width\"><title>HBM of ");
    escape(text, facts->name);
    pod_text_format(text, "</title><style>%s</style></head><body>\n<h1>HBM of ", page_style);
    escape(text, facts->name);
    pod_text_format(text, "</h1>\n<p>one device of %s</p>\n<div class=\"verdict %s\">", facts->chip->product,
                    classes[facts->verdict]);
    pod_text verdict;
    pod_text_init(&verdict, text->context);
    pod_advise_text_verdict(&verdict, facts);
    escape(text, verdict.failed || !verdict.data ? "" : verdict.data);
    text->failed = text->failed || verdict.failed;
    pod_text_clear(&verdict);
    pod_text_append(text, "</div>\n<div class=\"kinds\">\n");
    kind(text, "arguments", memory->argument_bytes);
    kind(text, "outputs", memory->output_bytes);
    kind(text, "aliased", memory->alias_bytes);
    kind(text, "temporaries", memory->temp_bytes);
    kind(text, "of these padding", memory->peak.padded - memory->peak.unpadded);
    kind(text, "fragmentation", memory->fragmentation_bytes);
    if (memory->on_chip_bytes > 0)
        kind(text, "on the chip", memory->on_chip_bytes);
    kind(text, "need", memory->need_bytes);
    kind(text, "limit", memory->limit_bytes);
    pod_text_append(text, "</div>\n");
}

pod_status pod_memory_html(pod_context *context, const pod_memory_facts *facts, char **result, pod_error *error)
{
    pod_text text;
    int32_t step = -1;
    *result = NULL;
    pod_text_init(&text, context);
    print_head(&text, facts);
    pod_status status = draw_chart(context, &text, facts, &step, error);
    if (status == POD_OK) {
        pod_text_append(&text, "\n<h2>At the peak</h2>\n<p>A row shows its life in the chart; a click "
                               "on a column sorts by it.</p>\n");
        status = print_buffers(context, &text, facts, step >= 0 ? step : 0, error);
    }
    if (status == POD_OK) {
        pod_text_append(&text, "<h2>All buffers</h2>\n");
        status = print_buffers(context, &text, facts, -1, error);
    }
    if (status != POD_OK) {
        pod_text_clear(&text);
        return status;
    }
    pod_text_format(&text, "<script>%s</script>\n</body></html>\n", page_script);
    return pod_advise_text_finish(&text, result, error);
}

/* ---- files ---------------------------------------------------------------------------------------- */

/* Writes a text and frees it. */
static pod_status save(pod_context *context, char *text, const char *path, pod_error *error)
{
    pod_writer *writer;
    pod_status status = pod_format_writer_open(context, path, POD_COMPRESSION_NONE, &writer, error);
    if (status == POD_OK) {
        status = pod_format_writer_write(writer, text, strlen(text), error);
        if (status == POD_OK)
            status = pod_format_writer_commit(writer, error);
        else
            pod_format_writer_abandon(writer);
    }
    pod_free(context, text);
    return status;
}

pod_status pod_memory_save_svg(pod_context *context, const pod_memory_facts *facts, const char *path, pod_error *error)
{
    char *text;
    const pod_status status = pod_memory_svg(context, facts, &text, error);
    return status == POD_OK ? save(context, text, path, error) : status;
}

pod_status pod_memory_save_html(pod_context *context, const pod_memory_facts *facts, const char *path, pod_error *error)
{
    char *text;
    const pod_status status = pod_memory_html(context, facts, &text, error);
    return status == POD_OK ? save(context, text, path, error) : status;
}
