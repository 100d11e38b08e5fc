#ifndef POD_TPU_CERTAINTY_H
#define POD_TPU_CERTAINTY_H

/* certainty - how far a plan can be trusted: what the compiler answered for kept programs of its kinds. */

#include "tpu/lowering.h"

/* How many programs of one kind are kept for a chip, and by how much their plans were off at most, beyond what lies
 * near the cores, as a share of what the plans said. */
typedef struct pod_tpu_known {
    int32_t count;
    double miss;
} pod_tpu_known;

#define POD_TPU_FEWEST_KEPT 4 /* programs of a kind, below which their misses say little: there is no verdict */

/* The bytes near the cores of one device of a chip: what is decided about them moves as much to HBM or away. */
int64_t pod_tpu_near_bytes(const pod_chip *chip);

/* The most bytes that a plan may need so that what it allows for fits, too. */
int64_t pod_tpu_room(const pod_tpu_memory *memory, const pod_tpu_certainty *certainty);

/* Fills what is known of programs of this kind on this chip; no doubt. */
void pod_tpu_judge(const pod_tpu_lowering *lowering, pod_tpu_certainty *certainty);

typedef enum pod_tpu_doubt_kind {
    POD_TPU_NO_DOUBT,
    POD_TPU_PLANNED_BADLY, /* all is planned, if not as the compiler does it */
    POD_TPU_LEFT_OUT       /* something is not planned at all */
} pod_tpu_doubt_kind;

/* No program needed more than this many times what a plan that leaves nothing out said before a rule knew it. The worst
 * of the first two blind sets needed 6.4 times that, of the third 3.7. */
#define POD_TPU_WORST_PLAN 8

/* Writes why the plan does not tell whether the program fits, whatever it needs, into text. `partitions` and
 * `undivided` as in pod_tpu_options, `need` as in pod_tpu_memory. */
#define POD_TPU_DOUBT_SIZE 320
pod_tpu_doubt_kind pod_tpu_doubt(const pod_tpu_lowering *lowering, const pod_tpu_certainty *certainty,
                                 int32_t partitions, const char *undivided, int64_t need,
                                 char text[POD_TPU_DOUBT_SIZE]);

/* Tells whether an op exchanges values between devices otherwise than by summing them. */
bool pod_tpu_is_exchange(const pod_ir_node *node);

/* Writes " at step.mlir:33" where that is known of a node. Returns `text`. */
#define POD_TPU_PLACE_SIZE 96
const char *pod_tpu_place(const pod_ir_node *node, char text[POD_TPU_PLACE_SIZE]);

#endif
