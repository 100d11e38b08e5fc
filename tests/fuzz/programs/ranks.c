/*
 * ranks - programs whose replicas several ranks have, threads of this process here: each runs those of its own on their
 * parts alone.
 */

#include "programs.h"

#include <string.h>

#include "evaluate.h"
#include "moonpod/replicate.h"
#include "thread_wire.h"

typedef struct ranked {
    int32_t count;
    pod_context *contexts[MOST_RANKS];
    program programs[MOST_RANKS];
    pod_program *compiled[MOST_RANKS];
    outcome got[MOST_RANKS];
} ranked;

/* The part of a rank of an array whose first axis is that of replicas. */
static pod_array own_part(const pod_array *all, int32_t rank, int32_t count)
{
    pod_shape shape = all->shape;
    shape.dims[0] /= count;
    pod_array part = array_new(all->dtype, &shape);
    const size_t bytes = (size_t)pod_shape_elements(&shape) * pod_dtype_size(all->dtype);
    memcpy(part.data, (const char *)all->data + (size_t)rank * bytes, bytes);
    return part;
}

/* All parts of arrays that the ranks have, in order. */
static pod_array joined(const ranked *r, const pod_array *(*of)(const outcome *, uint32_t), uint32_t index)
{
    const pod_array *first = of(&r->got[0], index);
    pod_shape shape = first->shape;
    if (first->dtype == POD_DTYPE_NONE)
        return *first; /* a variable: in its argument */
    const size_t bytes = (size_t)pod_shape_elements(&shape) * pod_dtype_size(first->dtype);
    shape.dims[0] *= r->count;
    pod_array all = array_new(first->dtype, &shape);
    for (int32_t i = 0; i < r->count; i++)
        memcpy((char *)all.data + (size_t)i * bytes, of(&r->got[i], index)->data, bytes);
    return all;
}

static const pod_array *output_of(const outcome *o, uint32_t index)
{
    return &o->outputs[index];
}

static const pod_array *argument_of(const outcome *o, uint32_t index)
{
    return &o->arguments[index];
}

static void join(const ranked *r, outcome *all)
{
    *all = (outcome){.output_count = r->got[0].output_count, .parameter_count = r->got[0].parameter_count};
    for (int32_t i = 0; i < r->count && all->status == POD_OK; i++) {
        all->status = r->got[i].status;
        memcpy(all->message, r->got[i].message, sizeof all->message);
    }
    for (uint32_t i = 0; i < all->parameter_count && all->status == POD_OK; i++)
        all->arguments[i] = joined(r, argument_of, i);
    for (uint32_t i = 0; i < all->output_count && all->status == POD_OK; i++)
        all->outputs[i] = joined(r, output_of, i);
}

static void run_own(void *argument, int32_t rank, pod_ranks *ranks)
{
    ranked *r = argument;
    (void)ranks;
    program_run_compiled(r->contexts[rank], r->compiled[rank], &r->programs[rank], &r->got[rank]);
}

static void run_all(ranked *r)
{
    if (setjmp(test_state.leave) != 0)
        abort(); /* what carries the ranks' messages has failed, and has said how */
    run_ranks(r->contexts, r->count, run_own, r);
}

static const char *make_own(ranked *r, int32_t rank, const char *family, const pod_graph *one,
                            const pod_replicate_options *options, const program *all)
{
    static char message[2 * POD_ERROR_MESSAGE_SIZE];
    pod_error error;
    program *own = &r->programs[rank];
    const pod_context_options one_thread = {.threads = 1, .isa = family};
    *own = (program){.seed = all->seed, .steps = all->steps};
    if (pod_context_new(&one_thread, &r->contexts[rank], &error) != POD_OK ||
        pod_graph_replicate_on_rank(one, options, &(pod_rank_share){r->count, rank, true}, NULL, &own->graph, &error) !=
            POD_OK ||
        pod_graph_verify(own->graph, &error) != POD_OK ||
        pod_program_compile(r->contexts[rank], own->graph, NULL, &r->compiled[rank], &error) != POD_OK) {
        snprintf(message, sizeof message, "rank %d of %d: %s", rank, r->count, error.message);
        return message;
    }
    for (uint32_t i = 0; i < own->graph->parameter_count; i++)
        own->arguments[i] = own_part(&all->arguments[i], rank, r->count);
    return NULL;
}

const char *ranks_run(const pod_context *like, const pod_graph *one, const pod_replicate_options *options,
                      const program *all, int32_t count, outcome *got)
{
    ranked r = {.count = count};
    const char *wrong = NULL;
    for (int32_t i = 0; i < count && !wrong; i++)
        wrong = make_own(&r, i, pod_context_isa(like), one, options, all);
    if (!wrong) {
        run_all(&r);
        join(&r, got);
    }
    for (int32_t i = 0; i < count; i++) {
        if (!wrong)
            outcome_free(&r.got[i]);
        pod_program_free(r.compiled[i]);
        program_free(&r.programs[i]);
        pod_context_release(r.contexts[i]);
    }
    return wrong;
}
