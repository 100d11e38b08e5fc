#ifndef POD_SERVICE_CUT_H
#define POD_SERVICE_CUT_H

/*
 * cut - which of a pipeline's last stages the consumer runs itself: by what was measured, never by a clock of its own.
 *
 * By a cut an element takes as long as the slowest of three: the workers together, the link, and the consumer, which
 * runs its stages before it does with the element what it does. The cut by which that is least is taken, if it is less
 * by a quarter: what the stages take elsewhere is reckoned, not measured.
 */

#include <stdbool.h>
#include <stddef.h>

/* The most stages that may be on either side, and the ways to cut. */
#define POD_MOST_MOVABLE 8
#define POD_MOST_CUTS    (POD_MOST_MOVABLE + 1)

/* What is to be gained by another cut. Chosen: rates of two seconds differ by less on a machine with other work. */
#define POD_CUT_GAIN 1.25

/* One way: what an element costs. */
typedef struct pod_cut {
    double there; /* seconds of a worker */
    double here;  /* seconds of the consumer */
    double bytes; /* on the way */
} pod_cut;

/* What was measured for some time, with one of the cuts. */
typedef struct pod_cut_measurement {
    double seconds, elements, workers;
    double waited; /* seconds that the consumer waited for elements */
    double held;   /* that workers waited for it to take some; of all together */
    double idle;   /* that they waited for it to ask for more, as they do while all that they made is on the way */
    double bytes;  /* that came */
} pod_cut_measurement;

/* Why an element takes as long as it does. */
typedef enum pod_cut_limit { POD_LIMIT_CONSUMER, POD_LIMIT_WORKERS, POD_LIMIT_LINK } pod_cut_limit;

typedef struct pod_cut_choice {
    size_t cut;
    pod_cut_limit limit; /* of the cut that it was measured with */
    double before, then; /* seconds an element, with that one and with the one that is chosen */
    double rate;         /* bytes a second that came */
} pod_cut_choice;

/* Chooses among `count` ways, of which `now` was measured. */
pod_cut_choice pod_service_cut_choose(const pod_cut *cuts, size_t count, size_t now,
                                      const pod_cut_measurement *measured);

/* Says why in one line: `stages` are the names of those that the consumer runs by that choice; "" where none. */
void pod_service_cut_explain(const pod_cut_choice *choice, const pod_cut *cuts, size_t now, const char *stages,
                             char *text, size_t size);

/* The same where another cut, by which those stages ran elsewhere, gave no more. Both in seconds an element. */
void pod_service_cut_explain_return(const char *stages, bool moved_here, double tried, double before, char *text,
                                    size_t size);

#endif
