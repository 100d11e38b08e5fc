#include "kernels/openblas.h"

#include "kernels/dot.h"
#include "base/sizes.h"
#include "base/system/system.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };

typedef void (*sgemm_function)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                               const float *a, int a_stride, const float *b, int b_stride, float beta, float *c,
                               int c_stride);

/* The loaded library: written once, under `once`. */
static struct {
    uv_once_t once;
    sgemm_function sgemm;
    char text[256];
} library = {.once = UV_ONCE_INIT};

/* Held during a call: Debian's serial build shares its packing buffers between callers without a lock, so
 * that concurrent calls of some sizes (32x32x1024, a transposed) now and then give wrong sums. */
static atomic_flag in_call = ATOMIC_FLAG_INIT;

static _Atomic(const char *) preferred_isa;

/* Returns OpenBLAS' name for the kernels of a family; NULL: its own choice. */
static const char *coretype(const char *isa)
{
#if defined(__x86_64__)
    if (isa == NULL)
        return NULL;
    if (strcmp(isa, "portable") == 0)
        return "Prescott";
    return strcmp(isa, "avx2") == 0 ? "Haswell" : "SkylakeX";
#else
    (void)isa;
    return NULL;
#endif
}

/* Takes the library in `file` if it is there and fit; otherwise says why in `text`. */
static bool try_file(const char *file)
{
    uv_lib_t handle;
    if (uv_dlopen(file, &handle) != 0) {
        uv_dlclose(&handle);
        return false;
    }
    sgemm_function sgemm;
    int (*parallel)(void), (*threads)(void);
    char *(*config)(void), *(*corename)(void);
    if (uv_dlsym(&handle, "cblas_sgemm", (void **)&sgemm) != 0 ||
        uv_dlsym(&handle, "openblas_get_parallel", (void **)&parallel) != 0 ||
        uv_dlsym(&handle, "openblas_get_num_threads", (void **)&threads) != 0 ||
        uv_dlsym(&handle, "openblas_get_config", (void **)&config) != 0 ||
        uv_dlsym(&handle, "openblas_get_corename", (void **)&corename) != 0) {
        snprintf(library.text, sizeof library.text, "own kernels (%s is no OpenBLAS)", file);
        uv_dlclose(&handle);
        return false;
    }
    if (parallel() != 0 && threads() != 1) {
        snprintf(library.text, sizeof library.text,
                 "own kernels (%s has threads of its own: install a serial build, or set "
                 "OPENBLAS_NUM_THREADS=1)",
                 file);
        uv_dlclose(&handle);
        return false;
    }
    /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": the first two words. */
    const char *version = config();
    size_t length = strcspn(version, " ");
    if (version[length] == ' ')
        length += 1 + strcspn(version + length + 1, " ");
    snprintf(library.text, sizeof library.text, "%.*s (%s kernels)", (int)length, version, corename());
    library.sgemm = sgemm; /* the handle stays open for the life of the process */
    return true;
}

static void search(void)
{
    const char *file = getenv("MOONPOD_OPENBLAS");
    if (file != NULL) {
        if (file[0] == '\0')
            snprintf(library.text, sizeof library.text, "own kernels (MOONPOD_OPENBLAS is empty)");
        else if (!try_file(file) && library.text[0] == '\0')
            snprintf(library.text, sizeof library.text,
                     "own kernels (MOONPOD_OPENBLAS names %s, which cannot be loaded)", file);
        return;
    }
    for (size_t i = 0; pod_system_openblas[i] != NULL; i++)
        if (try_file(pod_system_openblas[i]))
            return;
    if (library.text[0] == '\0')
        snprintf(library.text, sizeof library.text, "own kernels (no OpenBLAS was found)");
}

static void load(void)
{
    static const char variable[] = "OPENBLAS_CORETYPE";
    const char *name = coretype(atomic_load(&preferred_isa));
    bool set = name != NULL && getenv(variable) == NULL && uv_os_setenv(variable, name) == 0;
    search();
    if (set)
        uv_os_unsetenv(variable);
}

bool pod_kernel_openblas_found(void)
{
    uv_once(&library.once, load);
    return library.sgemm != NULL;
}

const char *pod_kernel_f32_library(void)
{
    pod_kernel_openblas_found();
    return library.text;
}

void pod_kernel_openblas_prefer(const char *isa)
{
    atomic_store(&preferred_isa, isa);
}

/* A stride that is never used may be too small for BLAS' checks. */
static int leading(int64_t stride, int64_t least)
{
    return (int)(stride > least ? stride : least > 0 ? least : 1);
}

static int64_t tile_stride(const pod_dot_kernels *kernels, const pod_dot_call *call)
{
    return pod_round_up(pod_smaller(kernels->panel_columns, call->n), 16);
}

size_t pod_kernel_openblas_scratch_bytes(const pod_dot_kernels *kernels, const pod_dot_call *call)
{
    /* With or without an epilogue, so that a plan may be made before it is known. */
    return (size_t)(pod_smaller(kernels->row_granularity, call->m) * tile_stride(kernels, call)) * sizeof(float) + 64;
}

static void run_piece(const pod_dot_call *call, int64_t row, int64_t rows, int64_t column, int64_t columns, float *c,
                      int64_t c_stride)
{
    bool transpose_a = call->a_k_stride != 1;
    bool transpose_b = call->b_column_stride != 1;
    if (call->k == 0) {
        for (int64_t i = 0; i < rows; i++)
            memset(c + i * c_stride, 0, (size_t)columns * sizeof(float));
        return;
    }
    while (atomic_flag_test_and_set_explicit(&in_call, memory_order_acquire))
        pod_thread_yield();
    library.sgemm(ROW_MAJOR, transpose_a ? TRANSPOSED : PLAIN, transpose_b ? TRANSPOSED : PLAIN, (int)rows,
                  (int)columns, (int)call->k, 1.0f, (const float *)call->a + row * call->a_row_stride,
                  leading(transpose_a ? call->a_k_stride : call->a_row_stride, transpose_a ? rows : call->k),
                  (const float *)call->b + column * call->b_column_stride,
                  leading(transpose_b ? call->b_column_stride : call->b_k_stride, transpose_b ? call->k : columns),
                  0.0f, c, leading(c_stride, columns));
    atomic_flag_clear_explicit(&in_call, memory_order_release);
}

void pod_kernel_openblas_run(const pod_dot_kernels *kernels, const pod_dot_call *call, int64_t row_begin,
                             int64_t row_end, int64_t column_begin, int64_t column_end, void *scratch)
{
    float *tile = (float *)pod_round_up_bytes((uintptr_t)scratch, 64);
    int64_t stride = tile_stride(kernels, call);
    for (int64_t row = row_begin; row < row_end && !pod_kernel_dot_stops(call); row += kernels->row_granularity) {
        int64_t rows = pod_smaller(kernels->row_granularity, row_end - row);
        for (int64_t column = column_begin; column < column_end; column += kernels->panel_columns) {
            int64_t columns = pod_smaller(kernels->panel_columns, column_end - column);
            if (call->epilogue == NULL) {
                run_piece(call, row, rows, column, columns, call->result + row * call->result_stride + column,
                          call->result_stride);
            } else {
                run_piece(call, row, rows, column, columns, tile, stride);
                pod_kernel_dot_finish(call, tile, stride, row, column, rows, columns);
            }
        }
    }
}
