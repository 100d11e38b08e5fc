#ifndef MOONPOD_HPP
#define MOONPOD_HPP

/*
 * moonpod.hpp - contexts, buffers, graphs and programs that free themselves, for C++17. Header-only: what a function
 * does, its shapes and its errors, is said where moonpod.h declares the one of C.
 *
 *     auto context = pod::context::make({}).value();
 *     auto x = pod::buffer::make(context, POD_F32, {64, 784}).value();
 *     std::fill_n(x.data<float>(), x.elements(), 1.0f);
 *     auto program = pod::program::compile(context, graph).value();
 *     std::vector<pod::buffer> results = program.run({&x}).value();
 *
 * What can fail returns a pod::result: of a value, or of a pod_error. value() throws a pod::exception for the latter;
 * with -fno-exceptions it ends the process with the message, so look first: `if (auto made = ...) use(*made);`.
 *
 * A callback (pod::run_options::infeed, print) may throw: the exception passes the C library as a failure, and is
 * thrown again by run(). Callbacks of the plain C interface must not let one through. A longjmp over a call of the
 * library, out of a callback, loses what the call holds: return POD_ERROR_CALLBACK, and jump behind the call.
 *
 * Copies of contexts and buffers share; graphs, programs and exported programs move only. Threads: as in C.
 */

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "moonpod.h"

#if defined(__cpp_exceptions)
#include <exception>
#define POD_HPP_THROWS 1
#else
#define POD_HPP_THROWS 0
#endif

namespace pod {

#if POD_HPP_THROWS
/* A failure of the library. */
class exception : public std::exception {
public:
    explicit exception(const pod_error &error) noexcept : error_(error) {}
    const char *what() const noexcept override { return error_.message; }
    pod_status status() const noexcept { return error_.status; }

private:
    pod_error error_;
};
#endif

[[noreturn]] inline void fail(const pod_error &error)
{
#if POD_HPP_THROWS
    throw exception(error);
#else
    std::fprintf(stderr, "moonpod: %s\n", error.message);
    std::abort();
#endif
}

/* A value, or why there is none. T is default constructible: empty. */
template <typename T> class result {
public:
    result(T value) : value_(std::move(value)) { error_.status = POD_OK; }
    result(const pod_error &error) : error_(error) {}

    explicit operator bool() const noexcept { return error_.status >= 0; }
    const pod_error &error() const noexcept { return error_; }
    T &operator*() noexcept { return value_; }
    T *operator->() noexcept { return &value_; }

    /* Gives the value away, or throws. */
    T value()
    {
        if (!*this)
            fail(error_);
        return std::move(value_);
    }

private:
    T value_{};
    pod_error error_{};
};

namespace detail {

/* Owns one share of a thing of C, or nothing. */
template <typename T, void (*End)(T *)> class handle {
public:
    handle() noexcept = default;
    explicit handle(T *thing) noexcept : thing_(thing) {}
    handle(handle &&other) noexcept : thing_(std::exchange(other.thing_, nullptr)) {}
    handle &operator=(handle &&other) noexcept
    {
        std::swap(thing_, other.thing_);
        return *this;
    }
    handle(const handle &) = delete;
    handle &operator=(const handle &) = delete;
    ~handle() { End(thing_); }

    T *get() const noexcept { return thing_; }
    explicit operator bool() const noexcept { return thing_ != nullptr; }

    /* Gives the share away: the caller ends it. */
    T *release() noexcept { return std::exchange(thing_, nullptr); }

private:
    T *thing_ = nullptr;
};

/* ... that others may share. */
template <typename T, T *(*Share)(T *), void (*End)(T *)> class shared : public handle<T, End> {
public:
    using handle<T, End>::handle;
    shared() noexcept = default;
    shared(shared &&) noexcept = default;
    shared &operator=(shared &&) noexcept = default;
    shared(const shared &other) noexcept : handle<T, End>(other.get() ? Share(other.get()) : nullptr) {}
    shared &operator=(const shared &other) noexcept { return *this = shared(other); }
};

/* The handle that `make(&thing, &error)` fills. */
template <typename Handle, typename Thing, typename Make> result<Handle> made(Make make)
{
    Thing *thing = nullptr;
    pod_error error;
    error.status = POD_OK;
    if (make(&thing, &error) < 0)
        return error;
    return Handle(thing);
}

} // namespace detail

class context : public detail::shared<pod_context, pod_context_retain, pod_context_release> {
public:
    using shared::shared;

    /* Options: see pod_context_options; {} has the defaults. */
    static result<context> make(const pod_context_options &options)
    {
        return detail::made<context, pod_context>(
            [&](pod_context **made, pod_error *error) { return pod_context_new(&options, made, error); });
    }

    int threads() const { return pod_context_threads(get()); }
    const char *isa() const { return pod_context_isa(get()); }
    pod_memory_stats memory() const { return pod_context_memory(get()); }
    void interrupt() const { pod_context_interrupt(get()); }
    void yield() const { pod_context_yield(get()); }
};

/* The type of elements that C++ has. */
template <typename T> constexpr pod_dtype dtype_of()
{
    if constexpr (std::is_same_v<T, float>)
        return POD_F32;
    else if constexpr (std::is_same_v<T, double>)
        return POD_F64;
    else if constexpr (std::is_same_v<T, bool>)
        return POD_BOOL;
    else {
        static_assert(std::is_integral_v<T>, "Moonpod has no such type; use data() for the 16-bit floats");
        constexpr pod_dtype with_sign[] = {POD_S8, POD_S16, POD_S32, POD_S64};
        constexpr pod_dtype without[] = {POD_U8, POD_U16, POD_U32, POD_U64};
        constexpr int size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return std::is_signed_v<T> ? with_sign[size] : without[size];
    }
}

inline pod_shape shape(std::initializer_list<int64_t> sizes)
{
    pod_shape made{};
    for (const int64_t size : sizes)
        if (made.rank < POD_MAX_RANK)
            made.dims[made.rank++] = size;
    return made;
}

class buffer : public detail::shared<pod_buffer, pod_buffer_retain, pod_buffer_release> {
public:
    using shared::shared;

    static result<buffer> make(const context &of, pod_dtype dtype, const pod_shape &shape)
    {
        return detail::made<buffer, pod_buffer>([&](pod_buffer **made, pod_error *error) {
            return pod_buffer_new(of.get(), dtype, &shape, made, error);
        });
    }
    static result<buffer> make(const context &of, pod_dtype dtype, std::initializer_list<int64_t> sizes)
    {
        return make(of, dtype, pod::shape(sizes));
    }

    pod_dtype dtype() const { return pod_buffer_dtype(get()); }
    const pod_shape &shape() const { return *pod_buffer_shape(get()); }
    int64_t elements() const { return pod_shape_elements(&shape()); }
    size_t bytes() const { return pod_buffer_bytes(get()); }
    void *data() const { return pod_buffer_data(get()); }

    /* The elements; NULL where they are of another type. */
    template <typename T> T *data() const { return dtype_of<T>() == dtype() ? static_cast<T *>(data()) : nullptr; }
};

class graph : public detail::handle<pod_graph, pod_graph_free> {
public:
    using handle::handle;

    /* Nodes are added by the functions of builders.h: pod_graph_add(graph.get(), x, y). */
    static result<graph> make(const context &of, const char *name)
    {
        return detail::made<graph, pod_graph>(
            [&](pod_graph **made, pod_error *error) { return pod_graph_new(of.get(), name, made, error); });
    }

    /* The first thing that was wrong with a node, if any. */
    result<bool> check() const
    {
        pod_error error;
        if (pod_graph_check(get(), &error) < 0)
            return error;
        return true;
    }
};

/* What a run takes besides its arguments. */
struct run_options {
    int64_t steps = 1;
    /* Fills the slots of the parameters from infeed_first on; returns false where the data ends. */
    std::function<bool(std::vector<buffer> &slots)> infeed;
    size_t infeed_first = 0, infeed_count = 0;
    std::function<void(const char *label, const pod_buffer *value)> print;
};

class program : public detail::handle<pod_program, pod_program_free> {
public:
    using handle::handle;

    static result<program> compile(const context &of, const graph &from, const pod_compile_options *options = nullptr)
    {
        return detail::made<program, pod_program>([&](pod_program **made, pod_error *error) {
            return pod_program_compile(of.get(), from.get(), options, made, error);
        });
    }

    /* Runs with the buffers of all parameters (nullptr for those of the infeed) and `outputs` outputs. Returns a buffer
     * for each output: empty for one that is a variable's new value. */
    result<std::vector<buffer>> run(const std::vector<const buffer *> &arguments, size_t outputs,
                                    const run_options &options = {}, pod_run_report *report = nullptr)
    {
        std::vector<pod_buffer *> given(arguments.size() + 1), results(outputs + 1);
        for (size_t i = 0; i < arguments.size(); i++)
            given[i] = arguments[i] ? arguments[i]->get() : nullptr;
        callbacks called{&options};
        const pod_infeed infeed = {next, &called, nullptr};
        pod_run_options plain{};
        plain.steps = options.steps;
        plain.infeed = options.infeed ? &infeed : nullptr;
        plain.infeed_first = options.infeed_first;
        plain.infeed_count = options.infeed_count;
        plain.print = options.print ? print : nullptr;
        plain.print_context = &called;
        pod_error error;
        const pod_status status = pod_program_run(get(), given.data(), results.data(), &plain, report, &error);
        std::vector<buffer> made;
        made.reserve(outputs);
        for (size_t i = 0; i < outputs; i++)
            made.emplace_back(results[i]);
#if POD_HPP_THROWS
        if (called.thrown)
            std::rethrow_exception(called.thrown);
#endif
        if (status < 0)
            return error;
        return made;
    }

    pod_program_stats stats() const { return pod_program_get_stats(get()); }

private:
    struct callbacks {
        const run_options *options;
#if POD_HPP_THROWS
        std::exception_ptr thrown = nullptr;
#endif
    };

    static pod_status give(const run_options &options, pod_buffer **slots, size_t count, pod_error *error)
    {
        std::vector<buffer> filled(count);
        if (!options.infeed(filled))
            return POD_END;
        if (filled.size() != count) {
            error->status = POD_ERROR_CALLBACK;
            std::snprintf(error->message, sizeof error->message, "the infeed gave %zu buffers for %zu parameters",
                          filled.size(), count);
            return POD_ERROR_CALLBACK;
        }
        for (size_t i = 0; i < count; i++)
            slots[i] = filled[i].release();
        return POD_OK;
    }

    /* Exceptions wait for the end of the run: the library has no frames for them. */
    template <typename Call> static pod_status guarded(callbacks *called, pod_error *error, Call call)
    {
#if POD_HPP_THROWS
        try {
            if (!called->thrown)
                return call();
        } catch (...) {
            called->thrown = std::current_exception();
        }
        if (error) {
            error->status = POD_ERROR_CALLBACK;
            std::strcpy(error->message, "the callback threw an exception");
        }
        return POD_ERROR_CALLBACK;
#else
        (void)called;
        (void)error;
        return call();
#endif
    }

    static pod_status next(void *context, pod_buffer **slots, size_t count, pod_error *error)
    {
        auto *called = static_cast<callbacks *>(context);
        return guarded(called, error, [&] { return give(*called->options, slots, count, error); });
    }

    static void print(void *context, const char *label, const pod_buffer *value)
    {
        auto *called = static_cast<callbacks *>(context);
        (void)guarded(called, nullptr, [&] {
            called->options->print(label, value);
            return POD_OK;
        });
    }
};

/* A program that Lua wrote with its weights: exported.h. */
class exported : public detail::handle<pod_exported, pod_exported_close> {
public:
    using handle::handle;

    static result<exported> open(const context &of, const char *path)
    {
        return detail::made<exported, pod_exported>(
            [&](pod_exported **made, pod_error *error) { return pod_exported_open(of.get(), path, made, error); });
    }

    static result<exported> open(const context &of, const void *bytes, size_t size)
    {
        return detail::made<exported, pod_exported>([&](pod_exported **made, pod_error *error) {
            return pod_exported_open_memory(of.get(), bytes, size, made, error);
        });
    }

    pod_exported_description describe() const { return pod_exported_describe(get()); }

    result<bool> run(int64_t rows, const std::vector<const void *> &inputs, const std::vector<void *> &outputs)
    {
        pod_error error;
        if (pod_exported_run(get(), rows, inputs.data(), outputs.data(), &error) < 0)
            return error;
        return true;
    }
};

} // namespace pod

#endif
