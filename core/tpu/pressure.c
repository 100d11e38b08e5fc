/*
 * pressure - see pressure.h. What XLA's pass HloRematerialization makes of a schedule that takes more than there is
 * (xla/hlo/transforms/simplifiers/hlo_rematerialization.cc), in our kernels.
 *
 * It walks the schedule. Where a kernel has too much beside it, it picks the kernel before it of which the most is
 * freed when all later readers get its results from a copy: the results, less those operands that would have to stay
 * for the copy. What nothing has read yet is moved and costs nothing, so it comes first. A copy stands before the first
 * later reader of its results or of its operands, which may be early: layers that share a mask are all computed again
 * where the first of them is.
 */

#include "tpu/pressure.h"

#include "tpu/heap.h"

#define NONE         UINT32_MAX
#define MOST_KERNELS 20000
#define MOST_LOOKS   50000000 /* at kernels and what they read */
#define ROOM         4        /* times the items, buffers and reads that there are at first */

/* A kernel, or a copy of one. */
typedef struct scheduled {
    uint32_t next;                   /* in the schedule */
    uint32_t made_first, made_count; /* buffers */
    uint32_t read_first, read_count; /* in `reads` */
    int64_t scratch;
    bool placed; /* stands before here */
    bool kept;   /* is not computed again */
    bool moved;  /* a copy without its original */
    bool gone;   /* the original of such a copy */
} scheduled;

typedef struct buffer {
    int64_t bytes;
    uint32_t readers, left; /* left: of those that do not stand before here */
    bool placed;
} buffer;

typedef struct relief {
    pod_tpu_lowering *lowering;
    scheduled *items;
    buffer *buffers;
    uint32_t *reads; /* buffers */
    uint32_t item_count, buffer_count, read_count;
    uint32_t item_room, buffer_room, read_room;
    uint32_t copies;
    int64_t now; /* bytes that are there */
    int64_t looks;
} relief;

/* ---- the schedule ------------------------------------------------------------------------------------------------ */

static bool may_be_computed_again(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    const pod_ir_node *node = &lowering->ir->nodes[kernel->node];
    return !kernel->turn && node->region_count == 0 && node->op != POD_OP_OPAQUE && node->op != POD_OP_CHECK &&
           node->op != POD_OP_PRINT;
}

/* Lists what a kernel reads: buffers, of arguments too. `buffer_of` by value: its buffer + 1; `makers` by buffer. */
static void list_reads(relief *r, const pod_tpu_kernel *kernel, scheduled *it, uint32_t *buffer_of)
{
    const pod_tpu_lowering *l = r->lowering;
    it->read_first = r->read_count;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref value = l->values[l->reads[kernel->read_first + i]].storage;
        if (buffer_of[value] == 0) { /* an argument */
            r->buffers[r->buffer_count++] = (buffer){.placed = true};
            buffer_of[value] = r->buffer_count;
        }
        buffer *b = &r->buffers[buffer_of[value] - 1];
        b->left = ++b->readers;
        r->reads[r->read_count++] = buffer_of[value] - 1;
    }
    it->read_count = kernel->read_count;
}

/* The same of what it makes. Who works in the buffer of another kernel, and that one, are not computed again. */
static void list_results(relief *r, const pod_tpu_kernel *kernel, scheduled *it, uint32_t *buffer_of, uint32_t *makers)
{
    const pod_tpu_lowering *l = r->lowering;
    it->made_first = r->buffer_count;
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = l->results[kernel->result_first + i];
        const pod_tpu_value *v = &l->values[value];
        it->kept = it->kept || v->free || v->storage != value;
        if (v->storage != value) {
            if (buffer_of[v->storage] != 0 && makers[buffer_of[v->storage] - 1] != 0)
                r->items[makers[buffer_of[v->storage] - 1] - 1].kept = true;
            continue;
        }
        r->buffers[r->buffer_count++] = (buffer){.bytes = v->free ? 0 : v->bytes.padded};
        buffer_of[value] = r->buffer_count;
        makers[r->buffer_count - 1] = r->item_count;
    }
    it->made_count = r->buffer_count - it->made_first;
}

static bool list_schedule(relief *r)
{
    pod_tpu_lowering *l = r->lowering;
    uint32_t *buffer_of = pod_tpu_array(l, l->ir->value_count, sizeof *buffer_of);
    r->item_room = ROOM * (l->kernel_count + 1);
    r->buffer_room = ROOM * (l->ir->value_count + 1);
    r->read_room = ROOM * (l->read_count + 1);
    uint32_t *makers = pod_tpu_array(l, r->buffer_room, sizeof *makers); /* items + 1 */
    r->items = pod_tpu_array(l, r->item_room, sizeof *r->items);
    r->buffers = pod_tpu_array(l, r->buffer_room, sizeof *r->buffers);
    r->reads = pod_tpu_array(l, r->read_room, sizeof *r->reads);
    if (!pod_tpu_has_memory(l))
        return false;
    for (uint32_t step = 0; step < l->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &l->kernels[l->order[step]];
        scheduled *it = &r->items[r->item_count++];
        *it = (scheduled){.next = step + 1 < l->kernel_count ? step + 1 : NONE,
                          .scratch = kernel->scratch,
                          .kept = !may_be_computed_again(l, kernel)};
        list_reads(r, kernel, it, buffer_of);
        list_results(r, kernel, it, buffer_of, makers);
    }
    return true;
}

/* ---- computing again --------------------------------------------------------------------------------------------- */

static bool is_live(const buffer *b)
{
    return b->placed && b->left > 0;
}

static bool reads_buffer(const relief *r, const scheduled *it, uint32_t at)
{
    for (uint32_t i = 0; i < it->read_count; i++)
        if (r->reads[it->read_first + i] == at)
            return true;
    return false;
}

static bool makes_buffer(const scheduled *it, uint32_t at)
{
    return at >= it->made_first && at - it->made_first < it->made_count;
}

/* What is freed at `current` where an item is computed again later; 0 or less: nothing. */
static int64_t freed_by(relief *r, const scheduled *it, const scheduled *current)
{
    int64_t freed = 0;
    r->looks += it->read_count + it->made_count + 1;
    for (uint32_t i = 0; i < it->made_count; i++) {
        const buffer *b = &r->buffers[it->made_first + i];
        if (reads_buffer(r, current, it->made_first + i))
            return 0;
        freed += is_live(b) ? b->bytes : 0;
    }
    for (uint32_t i = 0; freed > 0 && i < it->read_count; i++) {
        const buffer *b = &r->buffers[r->reads[it->read_first + i]];
        freed -= is_live(b) ? 0 : b->bytes;
    }
    return freed;
}

/* Tells whether nothing that stands before here has read it. */
static bool is_unread(const relief *r, const scheduled *it)
{
    for (uint32_t i = 0; i < it->made_count; i++)
        if (r->buffers[it->made_first + i].left < r->buffers[it->made_first + i].readers)
            return false;
    return true;
}

static uint32_t pick(relief *r, uint32_t current)
{
    uint32_t best = NONE;
    int64_t most = 0;
    bool unread = false;
    for (uint32_t at = 0; at != current; at = r->items[at].next) {
        const scheduled *it = &r->items[at];
        const int64_t freed = it->kept || it->gone ? 0 : freed_by(r, it, &r->items[current]);
        if (freed <= 0)
            continue;
        const bool moves = is_unread(r, it);
        if (best == NONE || (moves && !unread) || (moves == unread && freed > most)) {
            best = at;
            most = freed;
            unread = moves;
        }
    }
    return best;
}

/* Lets later readers of an item's results read those of its copy, and says before which item that is to stand: it comes
 * behind *previous. */
static void redirect(relief *r, const scheduled *original, uint32_t copies, uint32_t current, uint32_t *previous)
{
    bool found = false;
    for (uint32_t last = current, at = r->items[current].next; at != NONE; last = at, at = r->items[at].next) {
        const scheduled *it = &r->items[at];
        r->looks += it->read_count + 1;
        for (uint32_t i = 0; i < it->read_count; i++) {
            uint32_t *read = &r->reads[it->read_first + i];
            const bool is_result = makes_buffer(original, *read);
            if (!found && (is_result || reads_buffer(r, original, *read))) {
                found = true;
                *previous = last;
            }
            if (is_result) {
                r->buffers[*read].left--;
                *read = copies + *read - original->made_first;
                r->buffers[*read].left = ++r->buffers[*read].readers;
            }
        }
    }
}

/* Computes an item again before it is read next, behind `current`; false where there is no room for that. */
static bool compute_again(relief *r, uint32_t at, uint32_t current)
{
    const scheduled original = r->items[at];
    const bool moves = is_unread(r, &original);
    const uint32_t copies = r->buffer_count;
    uint32_t previous = current;
    if (r->item_count == r->item_room || r->buffer_room - r->buffer_count < original.made_count ||
        r->read_room - r->read_count < original.read_count)
        return false;
    for (uint32_t i = 0; i < original.made_count; i++) {
        const buffer *b = &r->buffers[original.made_first + i];
        r->now -= is_live(b) ? b->bytes : 0;
        r->buffers[r->buffer_count++] = (buffer){.bytes = b->bytes};
    }
    redirect(r, &original, copies, current, &previous);
    scheduled *copy = &r->items[r->item_count];
    *copy = original;
    copy->made_first = copies;
    copy->read_first = r->read_count;
    copy->placed = false;
    copy->kept = moves && original.moved;
    copy->moved = moves;
    copy->next = r->items[previous].next;
    for (uint32_t i = 0; i < original.read_count; i++) {
        const uint32_t read = r->reads[original.read_first + i];
        buffer *b = &r->buffers[read];
        r->now += b->placed && !is_live(b) ? b->bytes : 0;
        b->left++;
        b->readers++;
        r->reads[r->read_count++] = read;
    }
    r->items[at].kept = true;
    r->items[at].gone = moves;
    r->items[previous].next = r->item_count++;
    r->copies += !moves;
    return true;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static void begin(relief *r, const scheduled *it)
{
    for (uint32_t i = 0; i < it->made_count; i++) {
        buffer *b = &r->buffers[it->made_first + i];
        b->placed = true;
        r->now += b->bytes;
    }
}

static void end(relief *r, scheduled *it)
{
    it->placed = true;
    for (uint32_t i = 0; i < it->read_count; i++) {
        buffer *b = &r->buffers[r->reads[it->read_first + i]];
        r->now -= --b->left == 0 ? b->bytes : 0;
    }
    for (uint32_t i = 0; i < it->made_count; i++) {
        const buffer *b = &r->buffers[it->made_first + i];
        r->now -= b->left == 0 ? b->bytes : 0;
    }
}

/* What the schedule as it is now takes in a heap: packed, as one that is large, or filled in its order (heap.c). */
static bool find_heap(relief *r, int64_t *top)
{
    pod_tpu_lowering *l = r->lowering;
    int32_t *last = pod_tpu_array(l, r->buffer_count, sizeof *last);
    pod_tpu_block *blocks = pod_tpu_array(l, (size_t)r->buffer_count + r->item_count, sizeof *blocks);
    int32_t step = 0;
    uint32_t count = 0;
    int64_t packed;
    if (!pod_tpu_has_memory(l))
        return false;
    for (uint32_t at = 0; at != NONE; at = r->items[at].next, step++)
        for (uint32_t i = 0; !r->items[at].gone && i < r->items[at].read_count; i++)
            last[r->reads[r->items[at].read_first + i]] = step;
    step = 0;
    for (uint32_t at = 0; at != NONE; at = r->items[at].next, step++) {
        const scheduled *it = &r->items[at];
        for (uint32_t i = 0; !it->gone && i < it->made_count; i++) {
            const uint32_t made = it->made_first + i;
            if (r->buffers[made].bytes > 0)
                blocks[count++] = (pod_tpu_block){
                    .bytes = r->buffers[made].bytes, .first = step, .last = last[made] > step ? last[made] : step};
        }
        if (!it->gone && it->scratch > 0)
            blocks[count++] = (pod_tpu_block){.bytes = it->scratch, .first = step, .last = step};
    }
    if (!pod_tpu_fill(l, blocks, count, l->window_bytes, top))
        return false;
    if (count > POD_TPU_MOST_BLOCKS)
        return true;
    if (!pod_tpu_pack(l, blocks, count, l->window_bytes, &packed))
        return false;
    *top = packed < *top ? packed : *top;
    return true;
}

/* Frees what is too much at an item, as far as that is possible; false where it would take too long to find out. */
static bool relieve(relief *r, uint32_t current, int64_t room)
{
    while (pod_tpu_sum(r->now, r->items[current].scratch) > room) {
        const uint32_t best = pick(r, current);
        if (best == NONE)
            return true;
        if (r->looks > MOST_LOOKS || !compute_again(r, best, current))
            return false;
    }
    return true;
}

bool pod_tpu_relieve(pod_tpu_lowering *lowering, int64_t room, pod_tpu_relief *relieved)
{
    relief r = {.lowering = lowering};
    *relieved = (pod_tpu_relief){.known = false};
    if (lowering->kernel_count == 0 || lowering->kernel_count > MOST_KERNELS ||
        lowering->ir->value_count > NONE / (2 * ROOM) || lowering->read_count > NONE / (2 * ROOM))
        return true;
    if (!list_schedule(&r))
        return pod_tpu_no_memory(lowering);
    for (uint32_t at = 0; at != NONE; at = r.items[at].next) {
        begin(&r, &r.items[at]);
        if (!relieve(&r, at, room))
            return true;
        end(&r, &r.items[at]);
    }
    *relieved = (pod_tpu_relief){.known = true, .copies = r.copies};
    return find_heap(&r, &relieved->bytes);
}
