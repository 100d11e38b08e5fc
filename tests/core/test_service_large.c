/* Large elements of the data service: those that are under way to an iterator that is closed are freed, who does not
 * answer then is not waited for, and what is too large is refused by name. */

#include "data_cases.h"

#include <malloc.h>
#include <string.h>

#include "service/block.h"
#include "service_rig.h"
#include "test_path.h"

enum { WIDTH = 1 << 17, LARGE = 1 << 19 };

#if defined(__SANITIZE_THREAD__)
enum { CLOSES = 10 }; /* it is slow, and does not look at what is lost */
#else
enum { CLOSES = 100 };
#endif

static pod_context *context;
static pod_error error;

/* Elements of two components of 1 MB each, without end. */
static pod_dataset *pairs_of_rows(void)
{
    pod_dataset *rows[2], *pairs;
    for (int i = 0; i < 2; i++)
        rows[i] = repeat(batch(range_of(context, WIDTH), WIDTH, true), -1);
    ASSERT_OK(pod_dataset_zip(rows, 2, &pairs, &error));
    pod_dataset_release(rows[0]);
    pod_dataset_release(rows[1]);
    return pairs;
}

/* Opens an iterator, takes an element and closes it, so often. */
static void close_early(int times)
{
    pod_service_dispatcher *dispatcher;
    pod_service_worker *worker;
    pod_dataset *pairs = pairs_of_rows(), *remote;
    ASSERT_OK(pod_service_dispatcher_open(context, &(pod_dispatcher_options){0}, &dispatcher, &error));
    const char *address = pod_service_dispatcher_address(dispatcher);
    ASSERT_OK(pod_service_worker_open(context, &(pod_worker_options){.dispatcher = address}, &worker, &error));
    ASSERT_OK(pod_dataset_distribute(pairs, &(pod_distribute_options){.service = address}, &remote, &error));
    for (int i = 0; i < times; i++) {
        pod_buffer *element[2];
        pod_dataset_iterator *iterator = open_iterator(remote);
        ASSERT_OK(pod_dataset_iterator_next(iterator, element, &error));
        pod_buffer_release(element[0]);
        pod_buffer_release(element[1]);
        pod_dataset_iterator_close(iterator);
    }
    pod_dataset_release(remote);
    pod_dataset_release(pairs);
    pod_service_worker_close(worker);
    pod_service_dispatcher_close(dispatcher);
}

/* Blocks that are mapped for themselves: the large ones. None where a sanitizer allocates, which looks itself. */
static size_t large_blocks(void)
{
#ifdef __GLIBC__
    return mallinfo2().hblks;
#else
    return 0;
#endif
}

TEST(what_was_under_way_to_an_iterator_that_is_closed_is_freed)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
    close_early(1);
    const size_t before = large_blocks();
    close_early(CLOSES);
    printf("# %zu large blocks before, %zu after\n", before, large_blocks());
    ASSERT_EQ(before, large_blocks());
}

/* A worker that is asked for elements has the consumer be refused, and says nothing any more. */
static void say_nothing_more(service_rig *rig, int socket, pod_envelope *from)
{
    if (from->header.kind == POD_SAYS_READ)
        rig_say(rig, RIG_DISPATCHER, &rig->joined, (pod_header){.kind = POD_SAYS_REFUSED});
    else if (from->header.kind != POD_SAYS_CLOSE)
        rig_answer(rig, socket, from);
}

TEST(a_worker_that_does_not_answer_is_not_waited_for)
{
    char path[64];
    test_path(path, sizeof path, "close");
    service_rig rig = {.split_size = 1, .workers = 1, .answer = say_nothing_more};
    rig.dataset = range_of(context, 100);
    ASSERT(rig_run(&rig, path));
    ASSERT_EQ(POD_ERROR_VALUE, rig.status);
    ASSERT_CONTAINS("the dispatcher refuses it", rig.error.message);
    pod_dataset_release(rig.dataset);
}

/* As many rows of one buffer as a block may have, which together are larger than a frame may be. */
TEST(more_than_a_frame_may_have_is_refused)
{
    enum { ROW = (33 << 20) / 8, ROWS = POD_MOST_IN_BLOCK };
    pod_dataset *rows = batch(range_of(context, ROW), ROW, true);
    pod_dataset_iterator *iterator = open_iterator(rows);
    pod_part parts[ROWS];
    pod_buffer *row;
    zmq_msg_t frame;
    size_t cost = 0;
    ASSERT_OK(pod_dataset_iterator_next(iterator, &row, &error));
    for (int i = 0; i < ROWS; i++)
        parts[i] = (pod_part){row, POD_WHOLE};
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "component 1 of an element takes 8858370048 bytes",
                 pod_service_block_write(context, rows, parts, ROWS, 0, false, &frame, &cost, &error));
    ASSERT_EQ(0, cost);
    pod_buffer_release(row);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(rows);
}

TEST_MAIN(context = test_context(NULL);
          if (pod_service_load(context, NULL) != POD_OK) puts("skipped: this build has no data service"); else {
              RUN(what_was_under_way_to_an_iterator_that_is_closed_is_freed);
              RUN(a_worker_that_does_not_answer_is_not_waited_for);
              RUN(more_than_a_frame_may_have_is_refused);
          } pod_context_release(context))
