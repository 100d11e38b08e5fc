/* convolution_phases - what all ways to compute a convolution share: see convolution_phases.h. */

#include "kernels/convolution_phases.h"

#include <string.h>

pod_patches pod_kernel_convolution_patches(const pod_convolution_call *call)
{
    const pod_window_sizes *sizes = &call->sizes;
    pod_patches shape = {.channels = sizes->channels,
                         .depth = sizes->channels / sizes->groups,
                         .element = (int64_t)pod_dtype_size(call->dtype)};
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++) {
        shape.places[axis] = sizes->out[axis];
        shape.source[axis] = sizes->in[axis];
        shape.size[axis] = sizes->size[axis];
        shape.stride[axis] = sizes->stride[axis];
        shape.dilation[axis] = sizes->dilation[axis];
        shape.pad[axis] = sizes->pad[axis];
    }
    return shape;
}

void pod_kernel_convolution_finish(const pod_convolution_call *call, float *tile, int64_t stride, int64_t row,
                                   int64_t column, int64_t rows, int64_t columns)
{
    if (call->epilogue != NULL)
        call->epilogue(call->epilogue_context, tile, stride, row, column, rows, columns);
    if (call->result == NULL)
        return;
    for (int64_t i = 0; i < rows; i++)
        memcpy(call->result + (row + i) * call->result_stride + column, tile + i * stride,
               (size_t)columns * sizeof(float));
}
