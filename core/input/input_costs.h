#ifndef POD_INPUT_INPUT_COSTS_H
#define POD_INPUT_INPUT_COSTS_H

/*
 * input_costs - times and shares by which pipelines tune themselves. `./dev bench input` prints what the pipelines
 * reach with them; tests/core/test_tuner.c has latencies made up, at which they must settle.
 */

/* What one thread more must bring to stay, and what must be left for one to go. Chosen: less than the rates of `./dev
 * bench input` differ from round to round would let threads come and go. */
#define POD_THREAD_GAIN  1.05
#define POD_THREAD_SLACK 1.2

/* A block of elements that a thread takes at once should take that long: a lock and a wake-up cost a few millionths,
 * so about a twentieth of it. */
#define POD_BLOCK_SECONDS 100e-6

/* Elements that functions of the host make one by one are handed on together for that long. Chosen: half of what a
 * block takes. */
#define POD_TOGETHER_NANOSECONDS 50000

/* The most of them: what is held for the last of them can be foreseen then. Chosen: a function of Lua that halves a
 * number reaches some forty in that time, and 16 at most cost 2.5 % of its rate before a compiled function, 32 nothing
 * that shows. */
#define POD_MOST_TOGETHER 32

#endif
