/* write - programs as tests in C. */

#include "programs.h"

#include <math.h>
#include <string.h>

static void write_list(FILE *to, const char *name, const int64_t *list, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++)
        any = any || list[i] != 0;
    if (!any)
        return;
    fprintf(to, ", .%s = {", name);
    for (int i = 0; i < count; i++)
        fprintf(to, "%s%lld", i ? ", " : "", (long long)list[i]);
    fputs("}", to);
}

static void write_axes(FILE *to, const char *name, const pod_axes *axes)
{
    if (axes->count == 0)
        return;
    fprintf(to, ", .%s = {%d, {", name, axes->count);
    for (int32_t i = 0; i < axes->count; i++)
        fprintf(to, "%s%d", i ? ", " : "", axes->axes[i]);
    fputs("}}", to);
}

static void write_shape(FILE *to, const pod_shape *shape)
{
    fprintf(to, "{%d, {", shape->rank);
    for (int32_t i = 0; i < shape->rank; i++)
        fprintf(to, "%s%lld", i ? ", " : "", (long long)shape->dims[i]);
    fputs(shape->rank ? "}}" : "0}}", to);
}

static const char *type_name(pod_dtype dtype)
{
    static const char *const names[] = {
        [POD_DTYPE_NONE] = "POD_DTYPE_NONE",
#define X(enumerator, long_name, xla_name, bytes) [enumerator] = #enumerator,
        POD_DTYPE_LIST(X)
#undef X
    };
    return names[dtype];
}

static void write_window(FILE *to, const pod_window *w)
{
    if (w->rank == 0)
        return;
    fprintf(to, ", .window = {%d, {%lld, %lld, %lld}", w->rank, (long long)w->size[0], (long long)w->size[1],
            (long long)w->size[2]);
    const int64_t *lists[] = {w->stride, w->pad_low, w->pad_high, w->dilation};
    for (int i = 0; i < 4; i++)
        fprintf(to, ", {%lld, %lld, %lld}", (long long)lists[i][0], (long long)lists[i][1], (long long)lists[i][2]);
    fprintf(to, ", %lld}", (long long)w->groups);
}

static void write_attributes(FILE *to, const pod_attributes *a)
{
    fputs("&(pod_attributes){.dtype = ", to);
    fputs(type_name(a->dtype), to);
    if (a->shape.rank) {
        fputs(", .shape = ", to);
        write_shape(to, &a->shape);
    }
    write_axes(to, "axes", &a->axes);
    write_axes(to, "lhs_batch", &a->lhs_batch);
    write_axes(to, "rhs_batch", &a->rhs_batch);
    write_axes(to, "lhs_contract", &a->lhs_contract);
    write_axes(to, "rhs_contract", &a->rhs_contract);
    write_list(to, "low", a->low, POD_MAX_RANK);
    write_list(to, "high", a->high, POD_MAX_RANK);
    write_list(to, "step", a->step, POD_MAX_RANK);
    write_window(to, &a->window);
    if (a->axis)
        fprintf(to, ", .axis = %d", a->axis);
    if (a->count)
        fprintf(to, ", .count = %lld", (long long)a->count);
    if (a->comparison)
        fprintf(to, ", .comparison = %d", a->comparison);
    if (a->reduction)
        fprintf(to, ", .reduction = %d", a->reduction);
    if (a->flag)
        fputs(", .flag = true", to);
    if (a->seed)
        fprintf(to, ", .seed = %llu", (unsigned long long)a->seed);
    if (a->precision)
        fprintf(to, ", .precision = %d", a->precision);
    if (a->name)
        fprintf(to, ", .name = \"%s\"", a->name);
    if (a->values[0] != 0 || a->values[1] != 0 || a->values[2] != 0 || a->values[3] != 0)
        fprintf(to, ", .values = {%.17g, %.17g, %.17g, %.17g}", a->values[0], a->values[1], a->values[2], a->values[3]);
    fputs("}", to);
}

static void write_number(FILE *to, double x)
{
    if (isnan(x))
        fputs("NAN", to);
    else if (isinf(x))
        fputs(x > 0 ? "INFINITY" : "-INFINITY", to);
    else
        fprintf(to, x == rint(x) && fabs(x) < 1e9 ? "%.0f" : "%a", x);
}

static void write_elements(FILE *to, const pod_array *array)
{
    fputs("(const double[]){", to);
    const int64_t count = pod_shape_elements(&array->shape);
    for (int64_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", to);
        write_number(to, array_get(array, i));
    }
    fputs(count ? "}" : "0}", to);
}

static void write_graph(FILE *to, const pod_graph *g, int level);

static void write_node(FILE *to, const pod_node *node, int level)
{
    const pod_attributes *a = node->attributes;
    for (uint32_t i = 0; i < node->region_count; i++) {
        fprintf(to, "    pod_graph *r%d_%u_%u = new_graph(context);\n    {\n    pod_graph *g = r%d_%u_%u;\n", level,
                node->id, i, level, node->id, i);
        write_graph(to, node->regions[i], level + 1);
        fputs("    }\n", to);
    }
    fprintf(to, "    pod_node *n%u = ", node->id);
    if (node->op == POD_OP_PARAMETER) {
        fprintf(to, "pod_graph_parameter(g, %s, &(pod_shape)", type_name(pod_node_dtype(node, 0)));
        write_shape(to, pod_node_shape(node, 0));
        fputs(", \"p\");\n", to);
        return;
    }
    if (node->op == POD_OP_CONSTANT) {
        pod_array value = {pod_node_dtype(node, 0), *pod_node_shape(node, 0),
                           node->constant ? pod_buffer_data(node->constant) : (void *)a->data};
        pod_array one = {value.dtype, {0}, value.data};
        fprintf(to, "constant(g, %s, &(pod_shape)", type_name(value.dtype));
        write_shape(to, &value.shape);
        fprintf(to, ", %s, ", a->flag ? "true" : "false");
        write_elements(to, a->flag ? &one : &value);
        fputs(");\n", to);
        return;
    }
    if (node->op == POD_OP_RESULT) {
        fprintf(to, "pod_graph_result(g, n%u, %d);\n", node->inputs[0]->id, a->axis);
        return;
    }
    fprintf(to, "pod_graph_apply(g, pod_op_from_name(\"%s\"), (pod_node *[]){", pod_op_name(node->op));
    for (uint32_t i = 0; i < node->input_count; i++)
        fprintf(to, "%sn%u", i ? ", " : "", node->inputs[i]->id);
    fprintf(to, "%s}, %u, ", node->input_count ? "" : "NULL", node->input_count);
    write_attributes(to, a);
    if (node->region_count == 0) {
        fputs(", NULL, 0);\n", to);
        return;
    }
    fputs(", (pod_graph *[]){", to);
    for (uint32_t i = 0; i < node->region_count; i++)
        fprintf(to, "%sr%d_%u_%u", i ? ", " : "", level, node->id, i);
    fprintf(to, "}, %u);\n", node->region_count);
}

static void write_graph(FILE *to, const pod_graph *g, int level)
{
    for (uint32_t i = 0; i < g->node_count; i++)
        write_node(to, g->nodes[i], level);
    for (uint32_t i = 0; i < g->output_count; i++) {
        fprintf(to, "    pod_graph_add_output(g, n%u);\n", g->outputs[i]->id);
        if (g->aliases[i] >= 0)
            fprintf(to, "    pod_graph_set_alias(g, %u, %lld);\n", i, (long long)g->aliases[i]);
    }
}

void program_write(const program *p, FILE *to)
{
    char *text = pod_graph_print(p->graph);
    if (text)
        fprintf(to, "/*\n%s*/\n", text);
    pod_text_free(p->graph->context, text);
    fprintf(to, "FOUND(program_%llu, %lld)\n{\n", (unsigned long long)p->seed, (long long)p->steps);
    write_graph(to, p->graph, 0);
    for (uint32_t i = 0; i < p->graph->parameter_count; i++) {
        const pod_array *argument = &p->arguments[i];
        if (pod_shape_elements(&argument->shape) > 3000) {
            fprintf(to, "    /* argument %u has %lld elements: run the program by its number */\n", i,
                    (long long)pod_shape_elements(&argument->shape));
            continue;
        }
        fprintf(to, "    argument(f, %s, &(pod_shape)", type_name(argument->dtype));
        write_shape(to, &argument->shape);
        fputs(", ", to);
        write_elements(to, argument);
        fputs(");\n", to);
    }
    fputs("}\n", to);
}
