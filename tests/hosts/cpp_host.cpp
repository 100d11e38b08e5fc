// moonpod.hpp at work, with exceptions and without: trains y = 3 x + 1 by a compiled step, and predicts.

#include <atomic>
#include <cmath>
#include <moonpod.hpp>

static int passed, failed;

static void check(bool holds, const char *what)
{
    passed += holds;
    failed += !holds;
    if (!holds)
        std::printf("failed: %s\n", what);
}

// One step of gradient descent on w and b, which are updated in place; x and y come from the infeed.
static pod::program compile(const pod::context &context)
{
    auto graph = pod::graph::make(context, "step").value();
    pod_graph *g = graph.get();
    const pod_shape scalar = pod::shape({}), rows = pod::shape({8});
    pod_node *weights[] = {pod_graph_parameter(g, POD_F32, &scalar, "w"), pod_graph_parameter(g, POD_F32, &scalar, "b")};
    pod_node *x = pod_graph_parameter(g, POD_F32, &rows, "x"), *y = pod_graph_parameter(g, POD_F32, &rows, "y");
    pod_node *w = pod_graph_broadcast_to(g, weights[0], &rows), *b = pod_graph_broadcast_to(g, weights[1], &rows);
    pod_node *wrong = pod_graph_subtract(g, pod_graph_add(g, pod_graph_multiply(g, w, x), b), y);
    pod_node *loss = pod_graph_reduce(g, "reduce_sum", pod_graph_multiply(g, wrong, wrong), nullptr, false);
    pod_node *gradients[2];
    pod_error error;
    if (pod_graph_gradient(g, loss, nullptr, weights, 2, gradients, &error) != POD_OK)
        pod::fail(error);
    pod_node *rate = pod_graph_scalar(g, POD_F32, 0.01, nullptr);
    for (size_t i = 0; i < 2; i++) {
        pod_graph_add_output(g, pod_graph_subtract(g, weights[i], pod_graph_multiply(g, rate, gradients[i])));
        pod_graph_set_alias(g, i, i);
    }
    pod_graph_add_output(g, loss);
    check(bool(graph.check()), "the graph is well");
    return pod::program::compile(context, graph).value();
}

static std::vector<pod::buffer> batch(const pod::context &context)
{
    auto x = pod::buffer::make(context, POD_F32, {8}).value(), y = pod::buffer::make(context, POD_F32, {8}).value();
    for (int i = 0; i < 8; i++) {
        x.data<float>()[i] = float(i) / 4 - 1;
        y.data<float>()[i] = 3 * x.data<float>()[i] + 1;
    }
    return {x, y};
}

static void train(const pod::context &context)
{
    pod::program program = compile(context);
    auto w = pod::buffer::make(context, POD_F32, {}).value(), b = pod::buffer::make(context, POD_F32, {}).value();
    int left = 500;
    pod::run_options options;
    options.steps = 1000;
    options.infeed_first = options.infeed_count = 2;
    options.infeed = [&](std::vector<pod::buffer> &slots) {
        slots = batch(context);
        return left-- > 0;
    };
    pod_run_report report;
    auto results = program.run({&w, &b, nullptr, nullptr}, 3, options, &report);
    check(bool(results) && report.steps == 500 && report.ended, "it ran to the end of the data");
    check(std::fabs(*w.data<float>() - 3) < 1e-3 && std::fabs(*b.data<float>() - 1) < 1e-3, "it learned");
    check(results && (*results)[2].data<float>()[0] < 1e-6f && !(*results)[0], "the loss is the last one");
    options.infeed = [](std::vector<pod::buffer> &slots) {
        slots.pop_back();
        return true;
    };
    results = program.run({&w, &b, nullptr, nullptr}, 3, options);
    check(!results && results.error().status == POD_ERROR_CALLBACK, "a buffer is missing");
#if POD_HPP_THROWS
    options.infeed = [](std::vector<pod::buffer> &) -> bool { throw 42; };
    int caught = 0;
    try {
        (void)program.run({&w, &b, nullptr, nullptr}, 3, options);
    } catch (int thrown) {
        caught = thrown;
    }
    check(caught == 42, "an exception of the infeed passes");
    left = 1;
    options.infeed = [&](std::vector<pod::buffer> &slots) {
        slots = batch(context);
        return left-- > 0;
    };
    check(bool(program.run({&w, &b, nullptr, nullptr}, 3, options)), "and the program runs again");
#endif
}

static void refuse(const pod::context &context)
{
    auto none = pod::exported::open(context, "/nonexistent/net.safetensors");
    check(!none && none.error().status == POD_ERROR_NOT_FOUND, "a file that is not there");
    auto cut = pod::exported::open(context, "cut", 3);
    check(!cut && cut.error().status == POD_ERROR_FORMAT, "three bytes in memory");
    auto large = pod::buffer::make(context, POD_F32, {int64_t(1) << 60});
    check(!large && !*large, "a buffer that is too large");
#if POD_HPP_THROWS
    bool thrown = false;
    try {
        (void)large.value();
    } catch (const pod::exception &failure) {
        thrown = failure.status() == large.error().status && failure.what()[0] != '\0';
    }
    check(thrown, "value() throws");
#endif
}

// The bytes that the library holds, by an allocator of its host.
static void *resize(void *held, void *block, size_t old_size, size_t new_size)
{
    static_cast<std::atomic<long> *>(held)->fetch_add(long(new_size) - long(block ? old_size : 0));
    if (new_size > 0)
        return std::realloc(block, new_size);
    std::free(block);
    return nullptr;
}

int main()
{
    std::atomic<long> held{0};
    {
        pod_context_options options{};
        options.allocator = {resize, &held};
        options.threads = 2;
        auto context = pod::context::make(options).value();
        auto buffer = pod::buffer::make(context, POD_S32, {4, 2}).value();
        pod::buffer other = buffer, moved = std::move(other);
        check(moved.get() == buffer.get() && !other && !pod_buffer_is_unique(buffer.get()), "copies share");
        moved = pod::buffer();
        check(pod_buffer_is_unique(buffer.get()), "and end their share");
        check(buffer.data<int32_t>() && !buffer.data<float>() && buffer.elements() == 8, "types are checked");
        buffer = pod::buffer();
        train(context);
        refuse(context);
        check(held > 0, "memory is the host's");
    }
    check(held == 0, "all of it is given back");
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
