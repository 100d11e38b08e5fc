#ifndef POD_PJRT_DEVICE_PROGRAMS_H
#define POD_PJRT_DEVICE_PROGRAMS_H

/* device_programs - programs as a plugin compiles them: of one step, and of several in a loop. */

#include "client.h"

#include "exchange/portable.h"

/* The most steps of one loop: while it runs, what the next one reads is sent. */
enum { POD_PJRT_LOOP_STEPS = 8 };

/* What program->executable is. */
typedef struct pod_pjrt_compiled {
    pod_graph *graph; /* of ops that StableHLO has */
    pod_exchange_checks checks;
    int8_t *cut;                         /* of each parameter: 0 where each device has a part of the rows, or -1 */
    void *step;                          /* of the plugin; NULL: not compiled yet */
    void *loop;                          /* the same; it has one parameter more, see pod_exchange_repeat() */
    uint32_t infeed_first, infeed_count; /* of the loop */
} pod_pjrt_compiled;

/* Of pod_pjrt_backend: prepares a program, and ends what it has. */
POD_CHECKED pod_status pod_pjrt_prepare_program(const pod_compile_options *options, const pod_graph *graph,
                                                pod_program *program, pod_error *error);
void pod_pjrt_end_program(pod_program *program);

/* Compiles what runs with these options need, where it is not there yet: a loop, or one step. */
POD_CHECKED pod_status pod_pjrt_compile_program(pod_program *program, const pod_run_options *options, bool loops,
                                                pod_error *error);

#endif
