/* distribute_stage - the stage whose elements workers make, and which of its pipeline's stages run here. */

#include <string.h>

#include "input/input_costs.h"
#include "input/stage_stats.h"
#include "service/distribute.h"

/* Nanoseconds of which the costs of stages are judged: the first of a receiver, with which workers compile what they
 * run, are not. So many cuts are tried, one after the other. */
#define JUDGED     UINT64_C(1000000000)
#define NOT_JUDGED UINT64_C(500000000)
#define MOST_TRIES 4

/* What receivers count. */
typedef struct receiver_counts {
    pod_remote_stats stats;
    int64_t received;      /* bytes */
    uint64_t held, idle;   /* nanoseconds that workers waited for this end, and for something to do */
    uint64_t waited;       /* that this end waited for elements */
    int workers;           /* the most that there were at once */
    int sessions;          /* this and what follows of the one that runs: those that are open */
    int64_t blocks, bytes; /* that wait */
} receiver_counts;

/* What had been counted at a moment. */
typedef struct counts_then {
    uint64_t at, elements;
    receiver_counts counts;
    double here[POD_MOST_MOVABLE]; /* seconds of the stages that run here */
} counts_then;

typedef struct distribute_stage {
    pod_stage base;
    pod_receiver receiver;
    bool begun;
    pod_bytes recipe; /* of the receiver's pipeline, by other cuts than the first */
    char pipeline[POD_PIPELINE_NAME];
    size_t cut, wanted; /* that is now, that is to be */
    pod_local_stages local;
    const pod_dataset *remote[POD_MOST_REMOTE]; /* all stages that workers may run, as they count them by cut 0 */
    size_t remote_count;
    size_t lists[POD_MOST_CUTS]; /* how many of those they run by each cut */

    receiver_counts counts; /* of receivers that have ended */
    double here;            /* seconds of stages that ran here then */

    bool judges; /* `then` is from when judging began */
    counts_then then;
    int tries;
    size_t cut_before; /* that was measured with `seconds_before` an element; 0: nothing is tried */
    double seconds_before;
    char why[sizeof((pod_stage_stats *)0)->cut];
} distribute_stage;

static distribute_dataset *dataset_of(const distribute_stage *self)
{
    return (distribute_dataset *)self->base.dataset;
}

static pod_status distribute_open(pod_stage *stage, pod_error *error)
{
    distribute_stage *self = (distribute_stage *)stage;
    const distribute_dataset *dataset = dataset_of(self);
    (void)error;
    self->cut = self->wanted = dataset->first_cut;
    self->remote_count = pod_service_remote_list(stage->dataset->inputs[0], self->remote, POD_MOST_REMOTE);
    /* stages that move have one input and stand last, so a shorter list is the beginning of the longer one */
    for (size_t i = 0; i < dataset->cuts.count; i++) {
        const pod_dataset *listed[POD_MOST_REMOTE];
        self->lists[i] = pod_service_remote_list(dataset->cuts.remote[i], listed, POD_MOST_REMOTE);
    }
    return POD_OK;
}

/* ---- what was counted ---- */

static double seconds_here(const distribute_stage *self)
{
    double seconds = 0;
    for (size_t i = 0; i < self->local.count; i++)
        seconds += pod_input_stage_busy(self->local.stages[i]);
    return seconds;
}

/* Adds what its receiver has counted, and what waits there now, where it runs. */
static void add_counts(receiver_counts *to, pod_receiver *from)
{
    if (from->gate.opened == 0)
        return;
    uv_mutex_lock(&from->gate.mutex);
    pod_service_remote_add(&to->stats, &from->stats);
    to->received += from->received;
    to->held += from->held;
    to->idle += from->idle;
    to->waited += from->waited;
    to->workers = from->most_sessions > to->workers ? from->most_sessions : to->workers;
    to->sessions = from->sessions;
    to->blocks = (int64_t)from->blocks;
    to->bytes = from->bytes;
    uv_mutex_unlock(&from->gate.mutex);
}

/* Adds the row of a stage that workers run. */
static void collect_remote(const pod_dataset *dataset, const pod_remote_stage *counts, int workers,
                           pod_stats_list *list)
{
    pod_stage_stats *row = pod_input_stats_list_row(list, dataset);
    if (row == NULL)
        return;
    row->elements += counts->elements;
    row->seconds_busy += (double)counts->busy * 1e-9;
    row->seconds_waited += (double)counts->waited * 1e-9;
    row->threads = (int64_t)counts->threads;
    row->workers = workers;
}

/* What was counted up to now. */
static receiver_counts counts_of(distribute_stage *self)
{
    receiver_counts counts = self->counts;
    counts.sessions = 0;
    counts.blocks = counts.bytes = 0;
    if (self->begun)
        add_counts(&counts, &self->receiver);
    self->counts.workers = counts.workers;
    return counts;
}

static void distribute_collect(pod_stage *stage, pod_stats_list *list)
{
    distribute_stage *self = (distribute_stage *)stage;
    const receiver_counts now = counts_of(self);
    for (size_t i = 0; i < now.stats.count; i++)
        collect_remote(self->remote[i], &now.stats.stages[i], now.workers, list);
    pod_stage_stats *row = pod_input_stats_list_row(list, stage->dataset);
    if (row == NULL)
        return;
    row->elements += pod_input_stage_elements(stage);
    row->seconds_busy += self->here + seconds_here(self); /* else it only waits */
    row->seconds_waited += (double)now.waited * 1e-9;
    row->received_bytes += now.received;
    row->workers = now.workers;
    row->seconds_held += (double)now.held * 1e-9;
    row->seconds_idle += (double)now.idle * 1e-9;
    row->threads = now.sessions;
    row->queue_count = row->queue_size = now.blocks;
    row->queue_bytes = now.bytes;
    memcpy(row->cut, self->why, sizeof row->cut);
}

/* ---- receivers ---- */

static void end_receiver(distribute_stage *self)
{
    if (!self->begun)
        return;
    self->here += seconds_here(self);
    pod_service_local_stages_close(&self->local);
    add_counts(&self->counts, &self->receiver);
    pod_service_receiver_stop(&self->receiver);
    pod_bytes_free(self->base.pass->context, &self->recipe);
    self->begun = self->judges = false;
}

static pod_status receive(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    distribute_stage *self = (distribute_stage *)stage;
    return pod_service_receiver_next(&self->receiver, parts, limit, count, error);
}

/* Chooses the pipeline that workers run by the cut. */
static pod_status choose_pipeline(distribute_stage *self, pod_receiver_task *task, pod_error *error)
{
    pod_dataset *remote = dataset_of(self)->cuts.remote[self->cut];
    const pod_status status = pod_input_recipe_write(remote, false, &self->recipe, error);
    if (status != POD_OK)
        return status;
    pod_service_pipeline_name(self->recipe.data, self->recipe.size, self->pipeline);
    task->dataset = remote;
    task->recipe = self->recipe;
    task->pipeline = self->pipeline;
    return POD_OK;
}

/* Begins to receive, from split `first` on; `end`: of a pass where that was found out, else -1. */
static pod_status start(distribute_stage *self, int64_t first, int64_t end, pod_error *error)
{
    const distribute_dataset *dataset = dataset_of(self);
    pod_receiver_task task = dataset->task;
    self->begun = true;
    self->cut = self->wanted;
    task.context = self->base.pass->context;
    task.dataset = self->base.dataset;
    task.pass = pod_input_stage_pass_number(&self->base);
    task.stop = pod_input_stage_stop(&self->base);
    task.stage = &self->base;
    task.remote = self->remote;
    task.remote_count = self->lists[self->cut];
    task.first = first;
    task.end = task.end < 0 ? end : task.end;
    if (!task.in_order)
        atomic_store(&self->base.pass->shared->reordered, true);
    pod_process_mark(&self->base.pass->shared->threads_of);
    pod_status status = self->cut > 0 ? choose_pipeline(self, &task, error) : POD_OK;
    if (status == POD_OK)
        status = pod_service_local_stages_open(&dataset->cuts, self->cut, &self->base, receive, &self->local, error);
    if (status == POD_OK)
        status = pod_service_receiver_start(&self->receiver, &task, self->base.scope, pod_service_receiver_work, error);
    return status;
}

/* The receiver has given all splits that it had in hand: goes on by the cut that is wanted. */
static pod_status go_on(distribute_stage *self, pod_error *error)
{
    const int64_t next = self->receiver.next, end = self->receiver.end;
    end_receiver(self);
    return start(self, next, end, error);
}

void pod_service_distribute_move(pod_stage *stage, size_t cut)
{
    distribute_stage *self = (distribute_stage *)stage;
    if (cut >= dataset_of(self)->cuts.count || cut == self->cut)
        return;
    self->wanted = cut;
    if (self->begun)
        pod_service_receiver_drain(&self->receiver);
}

/* ---- choosing a cut ---- */

static void count_now(distribute_stage *self, counts_then *now)
{
    *now =
        (counts_then){.at = uv_hrtime(), .elements = pod_input_stage_elements(&self->base), .counts = counts_of(self)};
    for (size_t i = 0; i < self->local.count; i++)
        now->here[i] = pod_input_stage_busy(self->local.stages[i]);
}

/* Seconds an element of a stage at a worker; its wall time where it has several threads. */
static double seconds_there(const distribute_stage *self, const counts_then *now, size_t index, double elements)
{
    const pod_remote_stage *stage = &now->counts.stats.stages[index];
    const double busy = (double)(stage->busy - self->then.counts.stats.stages[index].busy) * 1e-9;
    return busy / (stage->threads > 1 ? (double)stage->threads : 1) / elements;
}

/* The same of stage `moved`, which may run here. */
static double seconds_of(const distribute_stage *self, const counts_then *now, size_t moved, double elements)
{
    if (moved < self->cut)
        return (now->here[moved] - self->then.here[moved]) / elements;
    for (size_t i = 0; i < self->remote_count; i++)
        if (self->remote[i] == dataset_of(self)->cuts.moved[moved])
            return seconds_there(self, now, i, elements);
    return 0;
}

/* What an element costs by each cut. Returns how many of these, from 0 on, are known: at least that which is now, or
 * none. */
static size_t reckon(const distribute_stage *self, const counts_then *now, double elements, pod_cut *cuts)
{
    const pod_cuts *ways = &dataset_of(self)->cuts;
    const double came = (double)(now->counts.received - self->then.counts.received) / elements;
    const double known = (double)pod_dataset_element_bytes(ways->remote[self->cut]);
    double all = 0, here = 0;
    for (size_t i = 0; i < self->lists[self->cut]; i++)
        all += seconds_there(self, now, i, elements);
    for (size_t i = 0; i < self->cut; i++)
        all += seconds_of(self, now, i, elements);
    for (size_t i = 0; i < ways->count; i++) {
        const double bytes = (double)pod_dataset_element_bytes(ways->remote[i]);
        if (known <= 0 || bytes < 0)
            return i > self->cut ? i : 0;
        cuts[i] = (pod_cut){all - here, here, came * bytes / known};
        if (i + 1 < ways->count)
            here += seconds_of(self, now, i, elements);
    }
    return ways->count;
}

/* Goes back where another cut gave no more than the one before. */
static bool look_back(distribute_stage *self, double seconds)
{
    char names[128];
    const bool moved_here = self->cut > self->cut_before;
    if (self->seconds_before == 0 || seconds * POD_THREAD_GAIN < self->seconds_before) {
        self->seconds_before = 0;
        return false;
    }
    pod_service_cuts_name(&dataset_of(self)->cuts, moved_here ? self->cut : self->cut_before, names, sizeof names);
    pod_service_cut_explain_return(names, moved_here, seconds, self->seconds_before, self->why, sizeof self->why);
    self->tries = MOST_TRIES;
    self->seconds_before = 0;
    pod_service_distribute_move(&self->base, self->cut_before);
    return true;
}

static void judge(distribute_stage *self, const counts_then *now)
{
    const distribute_dataset *dataset = dataset_of(self);
    const double elements = (double)(now->elements - self->then.elements);
    const pod_cut_measurement measured = {.seconds = (double)(now->at - self->then.at) * 1e-9,
                                          .elements = elements,
                                          .workers = now->counts.workers,
                                          .waited = (double)(now->counts.waited - self->then.counts.waited) * 1e-9,
                                          .held = (double)(now->counts.held - self->then.counts.held) * 1e-9,
                                          .idle = (double)(now->counts.idle - self->then.counts.idle) * 1e-9,
                                          .bytes = (double)(now->counts.received - self->then.counts.received)};
    pod_cut cuts[POD_MOST_CUTS];
    char names[128];
    if (elements < 1 || look_back(self, measured.seconds / elements))
        return;
    const size_t count = reckon(self, now, elements, cuts);
    if (count <= self->cut)
        return;
    const pod_cut_choice choice = pod_service_cut_choose(cuts, count, self->cut, &measured);
    pod_service_cuts_name(&dataset->cuts, choice.cut, names, sizeof names);
    if (self->tries == MOST_TRIES || (choice.cut == self->cut && self->tries > 0))
        return;
    pod_service_cut_explain(&choice, cuts, self->cut, names, self->why, sizeof self->why);
    if (choice.cut == self->cut)
        return;
    self->cut_before = self->cut;
    self->seconds_before = measured.seconds / elements;
    self->tries++;
    pod_log(self->base.pass->context, POD_LOG_INFO, "distribute: %s", self->why);
    pod_service_distribute_move(&self->base, choice.cut);
}

/* Looks, from time to time, whether stages should run elsewhere. */
static void tune(distribute_stage *self)
{
    if (!dataset_of(self)->tunes || self->base.pass->options.no_autotune || self->tries > MOST_TRIES ||
        self->wanted != self->cut)
        return;
    const uint64_t time = uv_hrtime();
    if (!self->judges) {
        self->judges = true;
        self->then.at = time;
        self->then.elements = UINT64_MAX;
    }
    const bool begins = self->then.elements == UINT64_MAX;
    if (time - self->then.at < (begins ? NOT_JUDGED : JUDGED))
        return;
    counts_then now;
    count_now(self, &now);
    if (!begins)
        judge(self, &now);
    self->then = now;
}

/* ---- the stage ---- */

static pod_status distribute_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    distribute_stage *self = (distribute_stage *)stage;
    pod_status status = self->begun ? POD_OK : start(self, 0, -1, error);
    while (status == POD_OK) {
        status = self->local.last != NULL ? pod_input_stage_next(self->local.last, parts, limit, count, error)
                                          : receive(stage, parts, limit, count, error);
        if (status != POD_END || !self->receiver.drained)
            break;
        status = go_on(self, error);
    }
    if (status == POD_OK)
        tune(self);
    return status;
}

static void distribute_drop(pod_stage *stage)
{
    end_receiver((distribute_stage *)stage);
}

/* Its input is walked elsewhere. */
static pod_status distribute_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    (void)stage;
    (void)what;
    (void)error;
    return POD_OK;
}

static int64_t distribute_file_count(const pod_dataset *dataset)
{
    (void)dataset; /* workers read them */
    return -1;
}

static void distribute_free(pod_dataset *dataset)
{
    distribute_dataset *self = (distribute_dataset *)dataset;
    pod_service_local_close(self->task.local);
    pod_service_cuts_free(&self->cuts);
    pod_bytes_free(dataset->context, &self->task.recipe);
}

const pod_stage_class pod_service_distribute_class = {
    .name = "distribute",
    .dataset_size = sizeof(distribute_dataset),
    .iterator_size = sizeof(distribute_stage),
    .opens_inputs_itself = true,
    .file_count = distribute_file_count,
    .free = distribute_free,
    .open = distribute_open,
    .next = distribute_next,
    .drop = distribute_drop,
    .rewind = distribute_rewind,
    .collect = distribute_collect,
};
