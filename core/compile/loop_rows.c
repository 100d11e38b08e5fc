/* loop_rows - steps of a loop that become one: see pod_compile_loop_join_rows(). */

#include "compile/loop_builder.h"

uint32_t pod_compile_loop_uses(const pod_loop *loop, uint32_t at)
{
    uint32_t uses = 0;
    for (uint32_t i = 0; i < loop->step_count; i++) {
        const pod_loop_step *step = &loop->steps[i];
        uses += (step->a == at ? 1u : 0) + (step->b == at ? 1u : 0) + (step->c == at ? 1u : 0);
        for (int j = 0; step->adam && j < 5; j++)
            uses += step->adam->operands[j] == at;
    }
    for (uint32_t i = 0; i < loop->store_count; i++)
        uses += loop->stores[i].source == at;
    for (uint32_t i = 0; i < loop->fold_count; i++)
        uses += loop->folds[i].source == at;
    return uses;
}

pod_loop_load *pod_compile_loop_load_of(const pod_loop *loop, uint32_t at)
{
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].result == at)
            return &loop->loads[i];
    return NULL;
}

/* ---- elements of rows ------------------------------------------------------------------------------- */

/* The loop, which step makes each register (POD_NO_REGISTER: none), and how often each is read. */
typedef struct joining {
    pod_loop *loop;
    const pod_kernels *kernels;
    uint32_t *maker, *uses;
} joining;

static bool is_element(const joining *j, const pod_loop_step *step, pod_block_op element)
{
    return step->kind == POD_STEP_BLOCK && step->function == j->kernels->element[element][POD_CLASS_F32];
}

static bool by_row_of(const joining *j, const pod_loop_step *step, pod_by_row *by_row)
{
    static const pod_block_op elements[POD_BY_ROW_COUNT] = {
        [POD_BY_ROW_ADD] = POD_BLOCK_OP_ADD,
        [POD_BY_ROW_SUBTRACT] = POD_BLOCK_OP_SUBTRACT,
        [POD_BY_ROW_MULTIPLY] = POD_BLOCK_OP_MULTIPLY,
        [POD_BY_ROW_DIVIDE] = POD_BLOCK_OP_DIVIDE,
    };
    for (int i = 0; i < POD_BY_ROW_COUNT; i++)
        if (is_element(j, step, elements[i])) {
            *by_row = (pod_by_row)i;
            return true;
        }
    return false;
}

/* Returns whether a step may read its operand, the other one being a block, by rows. A product that a fold took over
 * reads nothing: it will be gone. */
static bool reads_by_row(const joining *j, const pod_loop_step *step, uint32_t at)
{
    pod_by_row by_row;
    if (!by_row_of(j, step, &by_row) || step->a == step->b || j->uses[step->result] == 0)
        return false;
    return step->b == at || (step->a == at && (by_row == POD_BY_ROW_ADD || by_row == POD_BY_ROW_MULTIPLY));
}

static void make_by_row(const joining *j, pod_loop_step *step, uint32_t at, uint32_t rows)
{
    (void)by_row_of(j, step, &step->by_row);
    step->a = step->a == at ? step->b : step->a;
    step->b = rows;
    step->kind = POD_STEP_BY_ROW;
    step->function = NULL;
}

/* What is spread is read by rows wherever that can be. */
static void join_spread(joining *j, uint32_t index)
{
    const pod_loop_step *spread = &j->loop->steps[index];
    if (spread->class_ != POD_CLASS_F32)
        return;
    for (uint32_t i = index + 1; i < j->loop->step_count; i++)
        if (reads_by_row(j, &j->loop->steps[i], spread->result)) {
            make_by_row(j, &j->loop->steps[i], spread->result, spread->a);
            j->uses[spread->result]--;
            j->uses[spread->a]++;
        }
    if (j->uses[spread->result] == 0)
        j->uses[spread->a]--;
}

/* A load of rows gives single elements, where all that read it can. */
static void join_load(joining *j, pod_loop_load *load)
{
    uint32_t at = load->result, count = 0;
    if (load->access != POD_ACCESS_ROW || pod_kernel_class_of(load->dtype) != POD_CLASS_F32)
        return;
    for (uint32_t i = 0; i < j->loop->step_count; i++)
        count += reads_by_row(j, &j->loop->steps[i], at);
    if (count != j->uses[at])
        return;
    for (uint32_t i = 0; i < j->loop->step_count; i++)
        if (reads_by_row(j, &j->loop->steps[i], at))
            make_by_row(j, &j->loop->steps[i], at, at);
    load->access = POD_ACCESS_ROWS;
}

/* ---- folds ------------------------------------------------------------------------------------------ */

/* A sum of products, or of what has the other sign: the product is not kept, the sign changed afterwards. */
static void join_fold(joining *j, uint32_t index)
{
    pod_loop_step *fold = &j->loop->steps[index];
    uint32_t at = fold->a;
    if (fold->fold != POD_FOLD_SUM || fold->class_ != POD_CLASS_F32 || j->uses[at] != 1 ||
        j->maker[at] == POD_NO_REGISTER)
        return;
    pod_loop_step *made = &j->loop->steps[j->maker[at]];
    if (is_element(j, made, POD_BLOCK_OP_MULTIPLY)) {
        fold->a = made->a;
        fold->b = made->b;
        j->uses[at] = 0; /* what it is made of is read once more here, and once less there */
    } else if (is_element(j, made, POD_BLOCK_OP_NEGATE) && j->maker[at] + 1 == index) {
        pod_loop_step negate = *made;
        *made = *fold;
        made->a = negate.a;
        made->result = at;
        negate.kind = POD_STEP_ROWS;
        negate.a = at;
        negate.result = fold->result;
        *fold = negate;
        j->maker[negate.result] = index;
    }
}

/* ---- the whole -------------------------------------------------------------------------------------- */

/* Takes out steps whose result nothing reads any more. */
static void drop_unread(joining *j)
{
    pod_loop *loop = j->loop;
    uint32_t kept = 0, load = 0;
    for (uint32_t i = 0; i < loop->step_count; i++) {
        for (; load < loop->load_count && loop->loads[load].at <= i; load++)
            loop->loads[load].at = kept;
        bool unread = !loop->steps[i].adam && j->uses[loop->steps[i].result] == 0;
        if (!unread)
            loop->steps[kept++] = loop->steps[i];
    }
    for (; load < loop->load_count; load++)
        loop->loads[load].at = kept;
    loop->step_count = kept;
}

bool pod_compile_loop_join_rows(pod_loop *loop, const pod_kernels *kernels, pod_arena *scratch, uint32_t registers)
{
    joining j = {.loop = loop, .kernels = kernels};
    j.maker = pod_arena_array(scratch, registers, sizeof *j.maker);
    j.uses = pod_arena_array(scratch, registers, sizeof *j.uses);
    if (!j.maker || !j.uses)
        return registers == 0;
    for (uint32_t i = 0; i < registers; i++) {
        j.maker[i] = POD_NO_REGISTER;
        j.uses[i] = pod_compile_loop_uses(loop, i);
    }
    for (uint32_t i = 0; i < loop->step_count; i++)
        if (!loop->steps[i].adam)
            j.maker[loop->steps[i].result] = i;
    for (uint32_t i = 0; i < loop->step_count; i++) {
        if (loop->steps[i].kind == POD_STEP_SPREAD)
            join_spread(&j, i);
        else if (loop->steps[i].kind == POD_STEP_FOLD)
            join_fold(&j, i);
    }
    for (uint32_t i = 0; i < loop->load_count; i++)
        join_load(&j, &loop->loads[i]);
    drop_unread(&j);
    return true;
}
