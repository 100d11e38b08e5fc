/* tuner - how numbers that POD_AUTOTUNE leaves open are chosen. */

#include "input/tuner.h"
#include "input/input_costs.h"

void pod_input_budget_init(pod_budget *budget, int64_t most)
{
    budget->most = most;
    atomic_init(&budget->used, 0);
}

bool pod_input_budget_take(pod_budget *budget, int64_t bytes)
{
    int_fast64_t used = atomic_load_explicit(&budget->used, memory_order_relaxed);
    do {
        if (bytes > budget->most - used)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&budget->used, &used, used + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

void pod_input_budget_give_back(pod_budget *budget, int64_t bytes)
{
    atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
}

/* ---- threads ---- */

#define LIMIT_LASTS 64

void pod_input_thread_tuner_init(pod_thread_tuner *tuner, int64_t threads, int64_t most)
{
    *tuner = (pod_thread_tuner){.threads = threads < most ? threads : most, .most = most, .limit = most};
}

/* Takes the last thread back if it brought nothing. */
static bool take_back(pod_thread_tuner *tuner, double rate)
{
    const double before = tuner->rate_before;
    tuner->rate_before = 0;
    if (before == 0 || rate >= before * POD_THREAD_GAIN)
        return false;
    tuner->threads--;
    tuner->limit = tuner->threads;
    tuner->limit_left = LIMIT_LASTS;
    return true;
}

int64_t pod_input_thread_tuner_judge(pod_thread_tuner *tuner, double latency, double demand, double supply)
{
    const double slower = demand > supply ? demand : supply;
    if (!(latency > 0))
        return tuner->threads;
    const double rate = (double)tuner->threads / latency;
    if (tuner->limit_left > 0 && --tuner->limit_left == 0)
        tuner->limit = tuner->most;
    if (take_back(tuner, rate))
        return tuner->threads;
    /* rate and wanted = 1 / slower are compared without dividing by a demand of 0 */
    if (rate * slower < 1) {
        if (tuner->threads < tuner->limit) {
            tuner->rate_before = rate;
            tuner->threads++;
        }
    } else if (tuner->threads > 1 && (double)(tuner->threads - 1) / latency * slower > POD_THREAD_SLACK) {
        tuner->threads--;
    }
    return tuner->threads;
}

/* ---- queues ---- */

/* Batches need few places, records many: more than so many elements have no more than so many bytes. */
#define MANY_ELEMENTS 16
#define MANY_BYTES    ((int64_t)8 << 20)

void pod_input_queue_tuner_init(pod_queue_tuner *tuner, int64_t size, int64_t most)
{
    *tuner = (pod_queue_tuner){.size = size, .most = most, .element_bytes = -1};
}

bool pod_input_queue_tuner_empty(pod_queue_tuner *tuner, pod_budget *budget)
{
    const int64_t size = tuner->size > tuner->most / 2 ? tuner->most : 2 * tuner->size;
    if (!tuner->was_full || tuner->element_bytes < 0 || size == tuner->size)
        return false;
    tuner->was_full = false;
    if (size > MANY_ELEMENTS && tuner->element_bytes > MANY_BYTES / size)
        return false;
    const int64_t bytes = size * tuner->element_bytes - tuner->reserved;
    if (bytes > 0 && !pod_input_budget_take(budget, bytes))
        return false;
    tuner->reserved += bytes > 0 ? bytes : 0;
    tuner->size = size;
    return true;
}

void pod_input_queue_tuner_close(pod_queue_tuner *tuner, pod_budget *budget)
{
    pod_input_budget_give_back(budget, tuner->reserved);
    tuner->reserved = 0;
}

/* ---- blocks ---- */

int64_t pod_input_tuner_choose_block(int64_t block, int64_t most, double seconds)
{
    if (seconds < POD_BLOCK_SECONDS && block < most)
        return block > most / 2 ? most : 2 * block;
    if (seconds > 4 * POD_BLOCK_SECONDS && block > 1)
        return block / 2;
    return block;
}
