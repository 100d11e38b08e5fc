#ifndef POD_ENGINE_ENGINE_COSTS_H
#define POD_ENGINE_ENGINE_COSTS_H

/* engine_costs - times that running is planned by: see compile/compile_costs.h for where estimates are from. */

/* Below this, a phase takes less time on one thread than one more barrier. In estimated
 * nanoseconds, which are about twice too many for loops as short as these: `build/release/moonpod
 * tests/bench/workloads.lua w1 bf16 1 3 times` prints what they take, and how long threads wait. */
#define POD_SMALL_NANOSECONDS 10000.0

/* A run that takes less by estimate is done on the caller's thread alone: waking the others takes about as long as half
 * of it would. `./dev bench short_runs` prints what runs of several sizes take either way. */
#define POD_SHORT_RUN_NANOSECONDS 60000.0

/* In a run that takes less by estimate the caller is not kept on its CPU: that takes calls of the system, 1 % of so
 * much. One row through 784-1024-1024-10 took 54 microseconds with them, 45 without. */
#define POD_BRIEF_RUN_NANOSECONDS 1000000.0

/* A thread's share of a phase is taken in at most so many pieces: what one is slower by than the others, they take over
 * but for one piece. Chosen: more pieces are more borders, at which rows that lie in a cache change hands. */
#define POD_MOST_PIECES 8

/* The last of them is halved as long as that leaves so much of the least piece, and so much time by estimate: threads
 * end at about the same time. A quarter of a pass of rows reads a product's right operand once more for 32 rows.
 * Shorter ones cost steps of a few milliseconds more than they save where a CPU is shared: `./dev bench shares w1`. */
#define POD_LAST_PIECE             0.25
#define POD_LAST_PIECE_NANOSECONDS 150000.0

/* Least pieces of a share that is halved: half of one that is a pass of rows, with what follows it, would read the
 * right operand again. BERT's and GPT-2's predictions of one row took 69 and 174 ms so, and take 54 and 140. */
#define POD_LEAST_HALVED 1.05

/* A step that is interrupted has this long to end by itself. Chosen: ctrl-c should feel answered, and a step of most
 * models ends whole. */
#define POD_PATIENCE_NANOSECONDS 50000000u

#endif
