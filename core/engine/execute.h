#ifndef POD_ENGINE_EXECUTE_H
#define POD_ENGINE_EXECUTE_H

/*
 * execute - runs a function on all threads of a run. Every thread walks the phases of the function and
 * does its share of each; between phases there are barriers.
 */

#include "engine/run_worker.h"

/* Runs the phases of a function from `first` on; false when this thread's run has failed somewhere. There is `last` at
 * the barrier after the last of them, unless it is NULL. Small phases, but for the last, are completions. False, too,
 * where the run pauses between two phases: its `deadline` is over. */
bool pod_run_execute_from(pod_worker *worker, const pod_function *function, uint32_t first, const pod_completion *last);
bool pod_run_execute(pod_worker *worker, const pod_function *function);

/* Runs the small phases that a function begins with on this thread; returns their number. */
uint32_t pod_run_execute_small(pod_worker *worker, const pod_function *function);

/* The number of small phases that a function begins with. */
uint32_t pod_run_small_phases(const pod_function *function);

/* What runs rows begin .. end - 1 of an instruction. Returns false after pod_run_fail(). */
typedef bool (*pod_task)(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);

bool pod_run_kernel(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_copy(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_loop(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_combine(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_pack(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_product(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_convolution(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_cross_entropy(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_check(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_reduce(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);

/* What all threads enter together. */
typedef bool (*pod_serial_task)(pod_worker *worker, const pod_instruction *instruction);

bool pod_run_print(pod_worker *worker, const pod_instruction *instruction);
bool pod_run_cond(pod_worker *worker, const pod_instruction *instruction);
bool pod_run_while(pod_worker *worker, const pod_instruction *instruction);
bool pod_run_meet(pod_worker *worker, const pod_instruction *instruction);

/* Goes on with meetings that were begun; done by thread 0, between its pieces of phases. */
void pod_run_advance_meetings(const pod_worker *worker);

/* Gives up meetings that a run has begun, and does not end. */
void pod_run_give_up_meetings(pod_run *run);

#endif
