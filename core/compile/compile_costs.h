#ifndef POD_COMPILE_COMPILE_COSTS_H
#define POD_COMPILE_COMPILE_COSTS_H

/*
 * compile_costs - what instructions are reckoned to cost, and the bounds by which they are put together.
 *
 * Nanoseconds of one thread at about 4 GHz, rough: they decide who shares a phase and how it is cut.
 * What they are held against: `build/release/moonpod tests/bench/workloads.lua w3 bf16 1 3 times` (and w1, w2, w4)
 * prints the time of every instruction of a step, `./dev bench costs` how many phases and instructions the steps
 * have. "Chosen" stands where a number was not taken from a measurement, with what it trades.
 */

/* ---- what a piece of work costs ---- */

/* An element of a load, store or fold of a loop; a step counts twice. Chosen: a vector of 16 from the first cache
 * takes about that; elements from memory take more. */
#define POD_COST_LOOP_ELEMENT 0.05
#define POD_COST_LOOP_ROW     2.0 /* to begin a row; chosen */

/* An element of partial sums that is added up, and a row of them. Chosen: like two elements of a loop. */
#define POD_COST_PARTIAL_SUM 0.1
#define POD_COST_PARTIAL_ROW 1.0

/* An element that is packed or transposed for a product: tests/bench_dot prints 0.1 to 0.3 where b fits a cache, ten
 * times as much where it does not. */
#define POD_COST_PACKED 0.2

/* An element that a loop packs of what it has just stored, which is in the cache. Chosen: half of that. */
#define POD_COST_PACKED_AT_ONCE 0.1

/* A floating-point operation of a convolution: 50 GFLOP/s. Chosen: half of what tests/bench_convolution prints for
 * AVX-512 in f32 (80 to 100); few channels are slower, bf16 and tiles faster, and cut finer than they need be. */
#define POD_COST_CONVOLUTION_FLOP 0.02

/* The same of one with a channel and a filter a group: 20 GFLOP/s. Chosen: what MobileNetV2's take in AVX-512. */
#define POD_COST_DEPTHWISE_FLOP 0.05

/* Fewer images of a convolution are left to the kernel's own units. Chosen: images are shared out among threads whole,
 * and four keep as many busy. */
#define POD_FEWEST_IMAGES 4

/* An element of a kernel gradient that is added to the sum of another part. Chosen: read and written from memory. */
#define POD_COST_KERNEL_SUM 0.5

/* A byte that is copied, and one that kernels copy line by line (concatenation, padding). Chosen: what memory gives
 * one thread; tests/bench_convolution prints that rate. */
#define POD_COST_COPIED_BYTE (1.0 / 16)
#define POD_COST_LINE_BYTE   0.06

/* A byte of other kernels, which go element by element. Chosen: more than any takes, so that they are shared out. */
#define POD_COST_KERNEL_BYTE 1.0

/* An operation of theirs, where there are more of them than bytes: 0.25 to 0.3 in products of f64 and of integers whose
 * operands fit a cache. */
#define POD_COST_KERNEL_FLOP 0.3

/* Floating-point operations a nanosecond of a composite on one thread. Chosen; tests/bench_attention prints what
 * attention reaches. */
#define POD_COMPOSITE_FLOPS_A_NANOSECOND 40.0

/* A row of softmax cross-entropy, and each of its classes. Chosen: an exponential and what is around it. */
#define POD_COST_CROSS_ENTROPY_ROW   10.0
#define POD_COST_CROSS_ENTROPY_CLASS 2.0

/* ---- phases and groups: schedule.c ---- */

/* Below this a group may as well run on one thread: a barrier of threads costs about as much. Chosen, where w1 has
 * the shortest phases (`./dev bench w1`): lower, and short groups wait for a second thread; higher, and it has
 * nothing to do. */
#define POD_TINY_NANOSECONDS 2000.0

/* An instruction that takes less than this may go on behind what runs on one thread anyway: other threads would not
 * save the time of another barrier. Chosen: four barriers, as what is reckoned is often twice what it takes. */
#define POD_ALONE_NANOSECONDS 8000.0

/* Threads that a group should have units for, if its instructions have as many. Chosen: more than most machines give
 * a program; more units cost more looks at where the next one is. */
#define POD_WANTED_UNITS 16

/* With fewer units than that a group may do what takes less than this a unit: more threads would wait for each other
 * as long as they save. Chosen for the steps of unrolled loops, which are one group by it (`./dev bench costs` counts
 * phases). */
#define POD_FEWEST_UNITS      4
#define POD_SHORT_NANOSECONDS 16000.0

/* Bytes that the rows of a chunk may touch, so that they stay in the cache from one instruction of a group to the
 * next. Chosen: well within a second cache of 1 to 2 MiB. */
#define POD_CHUNK_BYTES (768 * 1024)

/* Longest time between two looks at the interrupt flag: 5 ms; chosen, what nobody feels. */
#define POD_CHUNK_NANOSECONDS 5e6

/* Least time of what a thread takes of a phase at once. Chosen: taking it costs less than 1 % of that. */
#define POD_PIECE_NANOSECONDS 30000.0

/* ---- subgroups: subgroups.c ---- */

/* Bytes that a chunk of a subgroup may touch, beside the scratch of its instructions. Chosen: half of a group's. */
#define POD_SUBGROUP_BYTES (384 * 1024)

/* Temporaries of so many bytes are made when they are needed, not as soon as they can be, and gradients of losses lie
 * over logits. */
#define POD_LATE_BYTES ((uint64_t)16 << 20)

/* Weights whose packed form is so large are packed in each step: that takes no longer there, where an update that does
 * not write it as well is as much faster (GPT-2 of `./dev bench zoo`). Packed forms in f32 that are kept have so many
 * bytes in all: BERT's were a quarter of its memory, and without them its first step is shorter and later ones are as
 * long. In 16 bits they are half as large, and steps of BERT take 5 % longer without them. */
#define POD_KEPT_BYTES ((uint64_t)64 << 20)

/* What is made of held arguments is kept where a run does at most so many floating-point operations a byte of it:
 * products of up to 512 rows in f32. Chosen: packing then took a tenth of the time or more (ResNet-50 at one picture:
 * 30 %, at 32 2 %); less is not worth the memory, which is that of all weights. */
#define POD_HELD_FLOPS 256

/* A value whose rows are in threads' blocks has at least as many pieces: with fewer there is little to gain, and many
 * threads would need more memory than the value. */
#define POD_FEWEST_PIECES 4

#endif
