/* picture - memory that a decoder keeps from one picture to the next: see picture.h. */

#include "formats/picture.h"

pod_status pod_format_scratch_reserve(pod_image_decoder *decoder, pod_scratch *scratch, size_t size, pod_error *error)
{
    if (size <= scratch->room)
        return POD_OK;
    pod_free(decoder->context, scratch->bytes);
    scratch->room = 0;
    scratch->bytes = pod_allocate(decoder->context, size);
    if (scratch->bytes == NULL)
        return pod_error_memory(error, "a picture", size);
    scratch->room = size;
    return POD_OK;
}
