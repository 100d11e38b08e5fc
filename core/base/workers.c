#include "base/workers.h"

#include <assert.h>
#include <stdatomic.h>
#include <uv.h>

#include "base/process.h"
#include "base/thread.h"

#define SPIN_NS 50000 /* about what a sleep and a wake-up cost */

/* A number that grows, and threads that wait until it does: first spinning, then asleep. */
typedef struct turnstile {
    atomic_uint value;
    atomic_int sleepers; /* threads between their last look at value and their wake-up */
    uv_mutex_t mutex;    /* held while going to sleep and while waking */
    uv_cond_t changed;
} turnstile;

enum {
    START,   /* a run begins, or workers are retired */
    FINISH,  /* all workers have returned */
    BARRIER, /* all have come to the barrier */
    OTHERS,  /* all but the caller's thread have come to a barrier that it leads */
    GATES
};

typedef struct worker {
    struct pod_workers *workers;
    struct worker *previous; /* the one with the next lower index */
    uv_thread_t thread;
    int index;     /* 1 and up: 0 is the caller's */
    unsigned seen; /* the last run it knows of */
    int nice;      /* more than it began with */
    int kept_on;   /* the CPU that it stays on; -1: any */
} worker;

struct pod_workers {
    pod_context *context;   /* owns this */
    atomic_uint threads_of; /* which process started workers, see base/process.h */
    uv_mutex_t turn;        /* held by the thread that runs: guards the plain fields below */
    worker *last;           /* the started worker with the highest index; NULL: none */
    int started;
    int planned_for; /* the number of threads that `spin` was found for */

    /* Of the current run: written by the caller before `start` grows. */
    pod_work run;
    void *argument;
    int threads;
    bool spin;     /* as there are CPUs enough */
    pod_cpus cpus; /* of the caller */
    int first_cpu; /* where the caller stays meanwhile, with a worker on each of the others; -1: all go where they are
                    * put, as there are fewer threads or more */
    bool keeps_caller; /* there, and lets it go when the run returns */

    turnstile gates[GATES];
    unsigned others_seen; /* by the caller's thread */
    atomic_int working;   /* workers that have not returned */
    atomic_int arrived;   /* threads that wait at the barrier */
};

/* The runs that a thread is in, the innermost first. */
typedef struct membership {
    const struct pod_workers *workers;
    struct membership *outer;
} membership;

static _Thread_local membership *innermost;

static bool is_inside(const struct pod_workers *workers)
{
    const membership *at = innermost;
    while (at && at->workers != workers)
        at = at->outer;
    return at != NULL;
}

static int turnstile_init(turnstile *gate)
{
    atomic_init(&gate->value, 0);
    atomic_init(&gate->sleepers, 0);
    if (uv_mutex_init(&gate->mutex) != 0)
        return -1;
    if (uv_cond_init(&gate->changed) != 0) {
        uv_mutex_destroy(&gate->mutex);
        return -1;
    }
    return 0;
}

static void turnstile_destroy(turnstile *gate)
{
    uv_cond_destroy(&gate->changed);
    uv_mutex_destroy(&gate->mutex);
}

/* Either the thread that goes to sleep sees the new value, or this sees a sleeper: both operations
 * of both are sequentially consistent. The sleeper holds the mutex until it sleeps, so no wake-up
 * is lost. */
static void turnstile_advance(turnstile *gate)
{
    atomic_fetch_add(&gate->value, 1);
    if (atomic_load(&gate->sleepers) > 0) {
        uv_mutex_lock(&gate->mutex);
        uv_cond_broadcast(&gate->changed);
        uv_mutex_unlock(&gate->mutex);
    }
}

static bool spin_until_changed(turnstile *gate, unsigned old)
{
    const uint64_t end = uv_hrtime() + SPIN_NS;
    do {
        for (int i = 0; i < 16; i++) {
            if (atomic_load_explicit(&gate->value, memory_order_acquire) != old)
                return true;
            pod_cpu_pause();
        }
    } while (uv_hrtime() < end);
    return false;
}

/* Waits until the value is not `old`, and returns it. */
static unsigned turnstile_wait(turnstile *gate, unsigned old, bool spin)
{
    if (!spin || !spin_until_changed(gate, old)) {
        uv_mutex_lock(&gate->mutex);
        atomic_fetch_add(&gate->sleepers, 1);
        while (atomic_load(&gate->value) == old)
            uv_cond_wait(&gate->changed, &gate->mutex);
        atomic_fetch_sub(&gate->sleepers, 1);
        uv_mutex_unlock(&gate->mutex);
    }
    return atomic_load_explicit(&gate->value, memory_order_acquire);
}

/* Does a thread's part of a run, with what the context says of subnormal numbers. */
static void run_part(pod_context *context, pod_work run, void *argument, int thread, int threads)
{
    if (!pod_context_flushes_subnormals(context)) {
        run(argument, thread, threads);
        return;
    }
    const uint64_t before = pod_cpu_flush_subnormals();
    run(argument, thread, threads);
    pod_cpu_end_flushing(before);
}

/* Takes the place below the host's threads that the context has for it. */
static void take_nice(worker *self, int first)
{
    const int wanted = pod_context_nice(self->workers->context);
    if (wanted == self->nice)
        return;
    self->nice = wanted; /* asked for once, also where it is refused */
    if (!pod_thread_set_nice(first + wanted))
        pod_log(self->workers->context, POD_LOG_WARNING, "the system refuses a thread a nice of %d", first + wanted);
}

/* The number of the CPU that comes `after` places behind that numbered `first`, in a circle of all of `cpus`. */
static int next_cpu(const pod_cpus *cpus, int first, int after)
{
    assert(cpus->count > 0 && first >= 0);
    int cpu = first;
    for (after %= cpus->count; after > 0; after -= (int)(cpus->bits[cpu / 64] >> cpu % 64 & 1))
        cpu = (cpu + 1) % POD_CPUS_LIMIT;
    return cpu;
}

static void take_cpu(worker *self)
{
    const struct pod_workers *workers = self->workers;
    const int wanted = workers->first_cpu < 0 ? -1 : next_cpu(&workers->cpus, workers->first_cpu, self->index);
    if (wanted != self->kept_on)
        pod_thread_keep_on(&workers->cpus, wanted);
    self->kept_on = wanted;
}

static void work(void *argument)
{
    worker *self = argument;
    struct pod_workers *workers = self->workers;
    const int first = pod_thread_nice();
    membership here = {workers, NULL};
    bool spin = false;

    innermost = &here;
    for (;;) {
        self->seen = turnstile_wait(&workers->gates[START], self->seen, spin);
        /* The fields of the run stay as they are until this worker has said that it is done. */
        spin = workers->spin;
        const bool retired = self->index >= workers->threads;
        take_nice(self, first);
        take_cpu(self);
        if (!retired)
            run_part(workers->context, workers->run, workers->argument, self->index, workers->threads);
        if (atomic_fetch_sub(&workers->working, 1) == 1)
            turnstile_advance(&workers->gates[FINISH]);
        if (retired)
            return;
    }
}

/* Wakes every started worker, to run or to retire, and waits until all have answered. */
static void send_off(struct pod_workers *workers, void (*run_here)(struct pod_workers *workers))
{
    const unsigned finished = atomic_load(&workers->gates[FINISH].value);
    const int started = workers->started;
    assert(started >= 0 && workers->threads >= 1);
    atomic_store(&workers->working, started);
    turnstile_advance(&workers->gates[START]);
    if (run_here)
        run_here(workers);
    if (started > 0)
        turnstile_wait(&workers->gates[FINISH], finished, workers->spin);
}

static void idle(void *argument, int thread, int threads)
{
    (void)argument;
    (void)thread;
    (void)threads;
}

/* Ends workers until `keep` are left. Those that stay pass the gate with nothing to do. */
static void retire(struct pod_workers *workers, int keep)
{
    if (workers->started <= keep)
        return;
    workers->run = idle;
    workers->argument = NULL;
    workers->threads = keep + 1;
    send_off(workers, NULL);
    while (workers->started > keep) {
        worker *last = workers->last;
        uv_thread_join(&last->thread);
        pod_threads_give_back(workers->context, 1);
        workers->last = last->previous;
        workers->started--;
        pod_free(workers->context, last);
    }
}

/* Starts one more worker; false when that cannot be done. */
static bool start_one(struct pod_workers *workers)
{
    worker *next = pod_allocate_zeroed(workers->context, 1, sizeof *next);
    if (!next)
        return false;
    next->workers = workers;
    next->previous = workers->last;
    next->index = workers->started + 1;
    next->kept_on = -1;
    next->seen = atomic_load(&workers->gates[START].value);
    const bool has_place = pod_threads_take(workers->context, 1) == 1;
    if (!has_place || pod_thread_start(&next->thread, POD_THREAD_STACK, work, next) != 0) {
        pod_threads_give_back(workers->context, has_place);
        pod_free(workers->context, next);
        return false;
    }
    pod_process_mark(&workers->threads_of);
    workers->last = next;
    workers->started++;
    return true;
}

/* Makes as many workers as the context wants, besides the caller; or as many as possible. */
static void prepare(struct pod_workers *workers, bool brief)
{
    const int wanted = pod_context_threads(workers->context);
    retire(workers, wanted - 1);
    while (workers->started < wanted - 1) {
        if (start_one(workers))
            continue;
        pod_log(workers->context, POD_LOG_WARNING,
                "%d threads are wanted, but the system gives no more than %d: going on with those", wanted,
                workers->started + 1);
        break;
    }
    workers->threads = workers->started + 1;
    const bool as_before = workers->planned_for == workers->threads;
    if (!as_before)
        workers->spin = workers->threads <= pod_cpu_count();
    workers->planned_for = workers->threads;
    workers->keeps_caller = false;
    if (brief && as_before && workers->first_cpu >= 0 && workers->first_cpu == pod_cpus_current())
        return; /* nobody is in anybody's way */
    workers->first_cpu = -1;
    if (workers->threads > 1) {
        pod_cpus_find(&workers->cpus);
        if (workers->cpus.count == workers->threads)
            workers->first_cpu = pod_cpus_current();
        workers->keeps_caller = workers->first_cpu >= 0;
    }
}

static void run_as_caller(struct pod_workers *workers)
{
    membership here = {workers, innermost};
    innermost = &here;
    if (workers->keeps_caller)
        pod_thread_keep_on(&workers->cpus, workers->first_cpu);
    run_part(workers->context, workers->run, workers->argument, 0, workers->threads);
    if (workers->keeps_caller)
        pod_thread_keep_on(&workers->cpus, -1);
    innermost = here.outer;
}

/* Takes the turn, and a share of the context: so the work cannot end it on one of its own threads. */
static pod_status begin_run(pod_context *context, pod_error *error)
{
    struct pod_workers *workers = pod_context_workers(context);
    if (is_inside(workers))
        return pod_error_set(error, POD_ERROR_STATE,
                             "this thread is already running work of the context; a run inside a "
                             "run is not possible");
    const pod_status status = pod_process_check(&workers->threads_of, "a context", error);
    if (status != POD_OK)
        return status;
    pod_context_retain(context);
    uv_mutex_lock(&workers->turn);
    return POD_OK;
}

static void end_run(pod_context *context)
{
    uv_mutex_unlock(&pod_context_workers(context)->turn);
    pod_context_release(context);
}

static pod_status run_threads(pod_context *context, pod_work run, void *argument, bool brief, pod_error *error)
{
    struct pod_workers *workers = pod_context_workers(context);
    const pod_status status = begin_run(context, error);
    if (status != POD_OK)
        return status;
    prepare(workers, brief);
    workers->run = run;
    workers->argument = argument;
    send_off(workers, run_as_caller);
    end_run(context);
    return POD_OK;
}

pod_status pod_workers_run(pod_context *context, pod_work run, void *argument, pod_error *error)
{
    return run_threads(context, run, argument, false, error);
}

pod_status pod_workers_run_brief(pod_context *context, pod_work run, void *argument, pod_error *error)
{
    return run_threads(context, run, argument, true, error);
}

pod_status pod_workers_run_alone(pod_context *context, pod_work run, void *argument, pod_error *error)
{
    const pod_status status = begin_run(context, error);
    if (status != POD_OK)
        return status;
    membership here = {pod_context_workers(context), innermost};
    innermost = &here;
    run_part(context, run, argument, 0, 1);
    innermost = here.outer;
    end_run(context);
    return POD_OK;
}

void pod_workers_barrier(pod_context *context)
{
    struct pod_workers *workers = pod_context_workers(context);
    if (workers->threads == 1)
        return;
    const unsigned now = atomic_load(&workers->gates[BARRIER].value);
    if (atomic_fetch_add(&workers->arrived, 1) + 1 == workers->threads) {
        atomic_store(&workers->arrived, 0);
        turnstile_advance(&workers->gates[BARRIER]);
    } else {
        turnstile_wait(&workers->gates[BARRIER], now, workers->spin);
    }
}

void pod_workers_barrier_around(pod_context *context, int thread, void (*between)(void *argument), void *argument)
{
    struct pod_workers *workers = pod_context_workers(context);
    if (workers->threads == 1) {
        between(argument);
        return;
    }
    if (thread != 0) {
        const unsigned now = atomic_load(&workers->gates[BARRIER].value);
        if (atomic_fetch_add(&workers->arrived, 1) + 2 == workers->threads)
            turnstile_advance(&workers->gates[OTHERS]);
        turnstile_wait(&workers->gates[BARRIER], now, workers->spin);
        return;
    }
    workers->others_seen = turnstile_wait(&workers->gates[OTHERS], workers->others_seen, workers->spin);
    between(argument);
    atomic_store(&workers->arrived, 0);
    turnstile_advance(&workers->gates[BARRIER]);
}

/* Destroys the turn and the first `count` gates. */
static void destroy_turnstiles(struct pod_workers *workers, int count)
{
    while (count > 0)
        turnstile_destroy(&workers->gates[--count]);
    uv_mutex_destroy(&workers->turn);
}

struct pod_workers *pod_workers_new(pod_context *context)
{
    struct pod_workers *workers = pod_allocate_zeroed(context, 1, sizeof *workers);
    if (!workers)
        return NULL;
    workers->context = context;
    workers->threads = 1;
    if (uv_mutex_init(&workers->turn) == 0) {
        int made = 0;
        while (made < GATES && turnstile_init(&workers->gates[made]) == 0)
            made++;
        if (made == GATES)
            return workers;
        destroy_turnstiles(workers, made);
    }
    pod_free(context, workers);
    return NULL;
}

/* In a child of the process that started them nobody can be told to end or be waited for, and destroying what they
 * wait at would wait for them. */
static void forget_workers(struct pod_workers *workers)
{
    while (workers->last) {
        worker *last = workers->last;
        workers->last = last->previous;
        pod_free(workers->context, last);
    }
    pod_free(workers->context, workers);
}

void pod_workers_free(pod_context *context, struct pod_workers *workers)
{
    if (!workers)
        return;
    if (pod_process_is_child(&workers->threads_of)) {
        forget_workers(workers);
        return;
    }
    retire(workers, 0);
    destroy_turnstiles(workers, GATES);
    pod_free(context, workers);
}
