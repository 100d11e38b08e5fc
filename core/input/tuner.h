#ifndef POD_INPUT_TUNER_H
#define POD_INPUT_TUNER_H

/*
 * tuner - how numbers that POD_AUTOTUNE leaves open are chosen: by what was measured, never by a clock of
 * its own. Arithmetic only; the stages measure.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes that several queues share. */
typedef struct pod_budget {
    int64_t most;
    atomic_int_fast64_t used;
} pod_budget;

void pod_input_budget_init(pod_budget *budget, int64_t most);

/* Takes bytes of the budget; false, and nothing is taken, when they are not there. From any thread. */
bool pod_input_budget_take(pod_budget *budget, int64_t bytes);
void pod_input_budget_give_back(pod_budget *budget, int64_t bytes);

/* How many threads a stage has. */
typedef struct pod_thread_tuner {
    int64_t threads, most;
    int64_t limit;      /* more than that did not help */
    int64_t limit_left; /* judgements until that is doubted */
    double rate_before; /* elements a second that one thread less could do; 0: unknown */
} pod_thread_tuner;

void pod_input_thread_tuner_init(pod_thread_tuner *tuner, int64_t threads, int64_t most);

/* Chooses the number of threads for the time to come, one more or less at most, and returns it. All in
 * seconds an element, measured with the number that was chosen last:
 *
 *     latency   that a thread works on it
 *     demand    that the consumer takes, beside waiting for this stage
 *     supply    that the stage before takes
 *
 * n threads could do n / latency elements a second; what is wanted is the smaller of 1 / demand and 1 /
 * supply. One more is kept only if it brought a twentieth; one less will do if that leaves a fifth in hand. */
int64_t pod_input_thread_tuner_judge(pod_thread_tuner *tuner, double latency, double demand, double supply);

/* How many elements a queue keeps. Only a queue that was full and then empty is too small: one that is
 * never full has a producer that is too slow at any size. */
typedef struct pod_queue_tuner {
    int64_t size, most;
    int64_t element_bytes; /* 0: elements hold nothing of their own; -1: not yet known */
    int64_t reserved;      /* bytes of the budget that this queue has */
    bool was_full;         /* set by the producer */
} pod_queue_tuner;

void pod_input_queue_tuner_init(pod_queue_tuner *tuner, int64_t size, int64_t most);

/* The consumer found nothing: doubles the size where that helps and the budget has room; beyond 16 elements
 * up to 8 MiB. Returns true when the queue became larger. */
bool pod_input_queue_tuner_empty(pod_queue_tuner *tuner, pod_budget *budget);

/* Gives back what the queue has of the budget. */
void pod_input_queue_tuner_close(pod_queue_tuner *tuner, pod_budget *budget);

/* How many elements a thread takes at once, so that taking and giving costs little beside the work: a
 * doubling or halving of `block`, at least 1 and at most `most`. `seconds`: that the last block took. */
int64_t pod_input_tuner_choose_block(int64_t block, int64_t most, double seconds);

#endif
