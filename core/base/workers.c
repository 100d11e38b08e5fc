#include "base/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <uv.h>

#include "base/process.h"

#define SPIN_NS    50000 /* about what a sleep and a wake-up cost */
#define STACK_SIZE ((size_t)1 << 20)

/* A number that grows, and threads that wait until it does: first spinning, then asleep. */
typedef struct turnstile {
    atomic_uint value;
    atomic_int sleepers; /* threads between their last look at value and their wake-up */
    uv_mutex_t mutex;    /* held while going to sleep and while waking */
    uv_cond_t changed;
} turnstile;

typedef struct worker {
    struct pod_workers *pool;
    struct worker *previous; /* the one with the next lower index */
    uv_thread_t thread;
    int index;     /* 1 and up: 0 is the caller's */
    unsigned seen; /* the last run it knows of */
} worker;

struct pod_workers {
    pod_context *context; /* owns this */
    atomic_uint threads_of; /* which process started workers, see base/process.h */
    uv_mutex_t turn;      /* held by the thread that runs: guards the plain fields below */
    worker *last;         /* the started worker with the highest index; NULL: none */
    int started;
    int planned_for; /* the number of threads that `spin` was found for */

    /* Of the current run: written by the caller before `start` grows. */
    pod_work run;
    void *argument;
    int threads;
    bool spin; /* as there are CPUs enough */

    turnstile start;    /* a run begins, or workers are retired */
    turnstile finish;   /* all workers have returned */
    turnstile meeting;  /* all have come to the barrier */
    turnstile others;   /* all but the caller's thread have come to a barrier that it leads */
    unsigned others_seen; /* by the caller's thread */
    atomic_int working; /* workers that have not returned */
    atomic_int arrived; /* threads that wait at the barrier */
};

/* The runs that a thread is in, the innermost first. */
typedef struct membership {
    const struct pod_workers *pool;
    struct membership *outer;
} membership;

static _Thread_local membership *innermost;

static bool is_inside(const struct pod_workers *pool)
{
    const membership *at = innermost;
    while (at && at->pool != pool)
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

static void work(void *argument)
{
    worker *self = argument;
    struct pod_workers *pool = self->pool;
    membership here = {pool, NULL};
    bool spin = false;

    innermost = &here;
    for (;;) {
        self->seen = turnstile_wait(&pool->start, self->seen, spin);
        /* The fields of the run stay as they are until this worker has said that it is done. */
        spin = pool->spin;
        const bool retired = self->index >= pool->threads;
        if (!retired)
            pool->run(pool->argument, self->index, pool->threads);
        if (atomic_fetch_sub(&pool->working, 1) == 1)
            turnstile_advance(&pool->finish);
        if (retired)
            return;
    }
}

/* Wakes every started worker, to run or to retire, and waits until all have answered. */
static void send_off(struct pod_workers *pool, void (*run_here)(struct pod_workers *pool))
{
    const unsigned finished = atomic_load(&pool->finish.value);
    const int workers = pool->started;
    atomic_store(&pool->working, workers);
    turnstile_advance(&pool->start);
    if (run_here)
        run_here(pool);
    if (workers > 0)
        turnstile_wait(&pool->finish, finished, pool->spin);
}

static void idle(void *argument, int thread, int threads)
{
    (void)argument;
    (void)thread;
    (void)threads;
}

/* Ends workers until `keep` are left. Those that stay pass the gate with nothing to do. */
static void retire(struct pod_workers *pool, int keep)
{
    if (pool->started <= keep)
        return;
    pool->run = idle;
    pool->argument = NULL;
    pool->threads = keep + 1;
    send_off(pool, NULL);
    while (pool->started > keep) {
        worker *last = pool->last;
        uv_thread_join(&last->thread);
        pool->last = last->previous;
        pool->started--;
        pod_free(pool->context, last);
    }
}

/* What an instruction raises goes to the thread that runs it, and ends the process where that blocks it. */
static const int faults[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};

/* Starts one more worker; false when that cannot be done. Signals that are sent stay with the host's threads. */
static bool start_one(struct pod_workers *pool)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE,
                                         .stack_size = STACK_SIZE};
    worker *next = pod_allocate_zeroed(pool->context, 1, sizeof *next);
    if (!next)
        return false;
    next->pool = pool;
    next->previous = pool->last;
    next->index = pool->started + 1;
    next->seen = atomic_load(&pool->start.value);

    sigset_t sent, before;
    sigfillset(&sent);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&sent, faults[i]);
    pthread_sigmask(SIG_SETMASK, &sent, &before);
    const int failure = uv_thread_create_ex(&next->thread, &options, work, next);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure != 0) {
        pod_free(pool->context, next);
        return false;
    }
    pod_process_mark(&pool->threads_of);
    pool->last = next;
    pool->started++;
    return true;
}

/* Makes as many workers as the context wants, besides the caller; or as many as possible. */
static void prepare(struct pod_workers *pool)
{
    const int wanted = pod_context_threads(pool->context);
    retire(pool, wanted - 1);
    while (pool->started < wanted - 1) {
        if (start_one(pool))
            continue;
        pod_log(pool->context, POD_LOG_WARNING,
                "%d threads are wanted, but the system gives no more than %d: going on with those",
                wanted, pool->started + 1);
        break;
    }
    pool->threads = pool->started + 1;
    if (pool->planned_for != pool->threads) {
        pool->planned_for = pool->threads;
        pool->spin = pool->threads <= pod_cpu_count();
    }
}

static void run_as_caller(struct pod_workers *pool)
{
    membership here = {pool, innermost};
    innermost = &here;
    pool->run(pool->argument, 0, pool->threads);
    innermost = here.outer;
}

pod_status pod_workers_run(pod_context *context, pod_work run, void *argument, pod_error *error)
{
    struct pod_workers *pool = pod_context_workers(context);

    if (is_inside(pool))
        return pod_error_set(error, POD_ERROR_STATE,
                             "this thread is already running work of the context; a run inside a "
                             "run is not possible");
    const pod_status status = pod_process_check(&pool->threads_of, "a context", error);
    if (status != POD_OK)
        return status;
    /* So that the work cannot end the context on one of its own threads. */
    pod_context_retain(context);
    uv_mutex_lock(&pool->turn);
    prepare(pool);
    pool->run = run;
    pool->argument = argument;
    send_off(pool, run_as_caller);
    uv_mutex_unlock(&pool->turn);
    pod_context_release(context);
    return POD_OK;
}

void pod_workers_barrier(pod_context *context)
{
    struct pod_workers *pool = pod_context_workers(context);
    if (pool->threads == 1)
        return;
    const unsigned now = atomic_load(&pool->meeting.value);
    if (atomic_fetch_add(&pool->arrived, 1) + 1 == pool->threads) {
        atomic_store(&pool->arrived, 0);
        turnstile_advance(&pool->meeting);
    } else {
        turnstile_wait(&pool->meeting, now, pool->spin);
    }
}

void pod_workers_barrier_around(pod_context *context, int thread, void (*between)(void *argument),
                                void *argument)
{
    struct pod_workers *pool = pod_context_workers(context);
    if (pool->threads == 1) {
        between(argument);
        return;
    }
    if (thread != 0) {
        const unsigned now = atomic_load(&pool->meeting.value);
        if (atomic_fetch_add(&pool->arrived, 1) + 2 == pool->threads)
            turnstile_advance(&pool->others);
        turnstile_wait(&pool->meeting, now, pool->spin);
        return;
    }
    pool->others_seen = turnstile_wait(&pool->others, pool->others_seen, pool->spin);
    between(argument);
    atomic_store(&pool->arrived, 0);
    turnstile_advance(&pool->meeting);
}

struct pod_workers *pod_workers_new(pod_context *context)
{
    struct pod_workers *pool = pod_allocate_zeroed(context, 1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->context = context;
    pool->threads = 1;
    if (uv_mutex_init(&pool->turn) != 0)
        goto fail_turn;
    if (turnstile_init(&pool->start) != 0)
        goto fail_start;
    if (turnstile_init(&pool->finish) != 0)
        goto fail_finish;
    if (turnstile_init(&pool->meeting) != 0)
        goto fail_meeting;
    if (turnstile_init(&pool->others) != 0)
        goto fail_others;
    return pool;

fail_others:
    turnstile_destroy(&pool->meeting);
fail_meeting:
    turnstile_destroy(&pool->finish);
fail_finish:
    turnstile_destroy(&pool->start);
fail_start:
    uv_mutex_destroy(&pool->turn);
fail_turn:
    pod_free(context, pool);
    return NULL;
}

/* In a child of the process that started them nobody can be told to end or be waited for, and destroying what they
 * wait at would wait for them. */
static void forget_workers(struct pod_workers *pool)
{
    while (pool->last) {
        worker *last = pool->last;
        pool->last = last->previous;
        pod_free(pool->context, last);
    }
    pod_free(pool->context, pool);
}

void pod_workers_free(pod_context *context, struct pod_workers *pool)
{
    if (!pool)
        return;
    if (pod_process_is_child(&pool->threads_of)) {
        forget_workers(pool);
        return;
    }
    retire(pool, 0);
    turnstile_destroy(&pool->others);
    turnstile_destroy(&pool->meeting);
    turnstile_destroy(&pool->finish);
    turnstile_destroy(&pool->start);
    uv_mutex_destroy(&pool->turn);
    pod_free(context, pool);
}
