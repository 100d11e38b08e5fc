/* What the gate of the Jupyter kernel does with messages of the kernel's own. */

#include "../core/test.h"

#include <unistd.h>
#include <zmq.h>

#include "threads.h"

typedef struct gate_setup {
    void *context, *inside, *channel, *outside;
} gate_setup;

static void *open_pair(void *context)
{
    void *pair = zmq_socket(context, ZMQ_PAIR);
    zmq_setsockopt(pair, ZMQ_LINGER, &(int){500}, sizeof(int));
    return pair;
}

static void setup_begin(gate_setup *setup)
{
    setup->context = zmq_ctx_new();
    setup->inside = open_pair(setup->context);
    setup->channel = open_pair(setup->context);
    setup->outside = zmq_socket(setup->context, ZMQ_ROUTER);
    ASSERT_EQ(0, zmq_bind(setup->inside, "inproc://channel"));
    ASSERT_EQ(0, zmq_connect(setup->channel, "inproc://channel"));
}

static void setup_end(gate_setup *setup)
{
    if (setup->channel != NULL)
        zmq_close(setup->channel);
    zmq_close(setup->inside);
    zmq_close(setup->outside);
    zmq_ctx_term(setup->context);
}

static void send_mark(const gate_setup *setup)
{
    ASSERT_EQ(0, zmq_send(setup->channel, "", 0, ZMQ_SNDMORE));
    ASSERT_EQ(0, zmq_send(setup->channel, "", 0, 0));
}

TEST(a_mark_comes_back_behind_what_was_there)
{
    gate_setup setup;
    char bytes[8];
    setup_begin(&setup);
    ASSERT_EQ(1, zmq_send(setup.inside, "a", 1, 0));
    send_mark(&setup);
    ASSERT_EQ(1, zmq_send(setup.inside, "b", 1, 0));
    ASSERT(threads_forward(setup.inside, setup.outside));
    ASSERT_EQ(1, zmq_send(setup.inside, "c", 1, 0));
    for (const char *expected = "ab..c"; *expected != '\0'; expected++) {
        const bool mark = *expected == '.';
        ASSERT_EQ(mark ? 0 : 1, zmq_recv(setup.channel, bytes, sizeof bytes, 0));
        ASSERT(mark || bytes[0] == *expected);
    }
    setup_end(&setup);
}

TEST(a_mark_of_a_channel_that_is_closed_is_not_waited_for)
{
    gate_setup setup;
    setup_begin(&setup);
    send_mark(&setup);
    ASSERT_EQ(0, zmq_send(setup.channel, "", 0, 0));
    zmq_close(setup.channel);
    setup.channel = NULL;
    usleep(50000); /* the gate comes late */
    alarm(60);     /* ends what would wait for ever */
    ASSERT(threads_forward(setup.inside, setup.outside));
    ASSERT(!threads_forward(setup.inside, setup.outside));
    alarm(0);
    setup_end(&setup);
}

TEST_MAIN(RUN(a_mark_comes_back_behind_what_was_there); RUN(a_mark_of_a_channel_that_is_closed_is_not_waited_for);)
