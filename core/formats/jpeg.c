/* jpeg - pictures of JPEG, by TurboJPEG. */

#include "base/bytes.h"
#include "formats/picture.h"

#ifndef POD_WITHOUT_TURBOJPEG

#include <string.h>
#include <turbojpeg.h>

static pod_status refuse(const pod_image_decoder *decoder, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "JPEG: %s", tjGetErrorStr2(decoder->jpeg));
}

void pod_format_jpeg_close(pod_image_decoder *decoder)
{
    if (decoder->jpeg != NULL)
        tjDestroy(decoder->jpeg);
}

pod_status pod_format_jpeg_describe(pod_image_decoder *decoder, pod_picture *picture, pod_error *error)
{
    int width = 0, height = 0, subsampling = 0, colours = 0;
    if (decoder->jpeg == NULL)
        decoder->jpeg = tjInitDecompress();
    if (decoder->jpeg == NULL)
        return pod_error_set(error, POD_ERROR_MEMORY, "there is no memory to decode JPEG");
    if (tjDecompressHeader3(decoder->jpeg, picture->bytes, picture->size, &width, &height, &subsampling, &colours) != 0)
        return refuse(decoder, error);
    /* A file of tables alone is none for libjpeg-turbo to complain of, and leaves the header as it was. */
    if (width <= 0 || height <= 0)
        return pod_error_set(error, POD_ERROR_FORMAT, "JPEG: there is no picture in the file, only tables");
    /* Each block of 8x8 pixels takes a bit at least. */
    const uint64_t blocks = ((uint64_t)width / 8) * ((uint64_t)height / 8);
    if (blocks > 8 * (uint64_t)picture->size)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "JPEG: the header claims %dx%d pixels, which %zu bytes cannot hold", height, width,
                             picture->size);
    picture->height = height;
    picture->width = width;
    picture->channels = colours == TJCS_GRAY ? 1 : 3;
    picture->has_inks = colours == TJCS_CMYK || colours == TJCS_YCCK;
    return POD_OK;
}

/* Returns whether a warning tells of nothing but bytes that belong to nothing, as some cameras leave them. */
static bool is_harmless(const pod_image_decoder *decoder)
{
    return tjGetErrorCode(decoder->jpeg) == TJERR_WARNING &&
           strstr(tjGetErrorStr2(decoder->jpeg), "extraneous bytes") != NULL;
}

/* ---- what TurboJPEG takes for itself ---- */

/* A bound: buffers of rows take 76 bytes a column at most, of the usual ways to sample, and tables the rest. */
enum { TABLES = 32768, ROWS = 256, A_BLOCK = 128, MARKER = 0xff, SCAN = 0xda };

/* Goes to the next marker as TurboJPEG does, past what is none, and tells it and the length of what belongs to it; 0
 * where there is none that is whole. */
static unsigned char next_marker(const pod_picture *picture, size_t *at, size_t *length)
{
    const unsigned char *bytes = picture->bytes;
    size_t i = *at;
    while (i + 1 < picture->size && (bytes[i] != MARKER || bytes[i + 1] == MARKER || bytes[i + 1] == 0))
        i++;
    *at = i + 1;
    if (i + 1 >= picture->size)
        return 0;
    *length = 0;
    if (bytes[i + 1] == 1 || (bytes[i + 1] >= 0xd0 && bytes[i + 1] <= 0xd7)) /* which stand alone */
        return bytes[i + 1];
    if (i + 4 > picture->size)
        return 0;
    *length = pod_big_u16(bytes + i + 2);
    return *length >= 2 && *length <= picture->size - (i + 2) ? bytes[i + 1] : 0;
}

/* The coefficients of a frame: `frame` is where its content begins. */
static uint64_t coefficient_bytes(const pod_picture *picture, const unsigned char *frame)
{
    const unsigned count = frame[5];
    unsigned across = 1, down = 1;
    uint64_t blocks = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned factors = frame[7 + 3 * i];
        across = factors >> 4 > across ? factors >> 4 : across;
        down = (factors & 15) > down ? factors & 15 : down;
        blocks += (uint64_t)(factors >> 4) * (factors & 15);
    }
    return A_BLOCK * blocks * (((uint64_t)picture->width + 8 * across - 1) / (8 * across)) *
           (((uint64_t)picture->height + 8 * down - 1) / (8 * down));
}

/* All coefficients are held where not each row comes at once: the first scan tells, or a progressive frame. */
static uint64_t scan_bytes(const pod_picture *picture)
{
    const unsigned char *frame = NULL;
    size_t length = 0;
    for (size_t at = 2;; at += 1 + length) {
        const unsigned char marker = next_marker(picture, &at, &length);
        if (marker == 0)
            return frame != NULL ? coefficient_bytes(picture, frame) : 0;
        const unsigned char *content = picture->bytes + at + 3;
        const bool is_frame = marker == 0xc0 || (marker > 0xc0 && marker <= 0xcf && marker % 4 != 0);
        if (is_frame && length >= 8 && length >= 8 + 3 * (size_t)content[5])
            frame = content;
        if (frame == content && marker % 4 == 2)
            return coefficient_bytes(picture, frame);
        if (marker == SCAN)
            return frame != NULL && (length == 2 || content[0] < frame[5]) ? coefficient_bytes(picture, frame) : 0;
    }
}

/* Takes as much from the context, so that it counts, and is refused where there is no more. It is not written to. */
static pod_status take_scratch(pod_image_decoder *decoder, const pod_picture *picture, void **scratch, pod_error *error)
{
    const uint64_t bytes = TABLES + ROWS * (uint64_t)picture->width + scan_bytes(picture);
    *scratch = bytes <= SIZE_MAX ? pod_allocate(decoder->context, (size_t)bytes) : NULL;
    return *scratch != NULL ? POD_OK : pod_error_memory(error, "to decode a JPEG", (size_t)bytes);
}

static pod_status decompress(pod_image_decoder *decoder, const pod_picture *picture, unsigned char *pixels, int form,
                             pod_error *error)
{
    const int width = (int)picture->width, height = (int)picture->height;
    void *scratch;
    const pod_status status = take_scratch(decoder, picture, &scratch, error);
    if (status != POD_OK)
        return status;
    int failed = tjDecompress2(decoder->jpeg, picture->bytes, picture->size, pixels, width, 0, height, form,
                               TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS);
    if (failed != 0 && is_harmless(decoder))
        failed = tjDecompress2(decoder->jpeg, picture->bytes, picture->size, pixels, width, 0, height, form,
                               TJFLAG_LIMITSCANS) != 0 &&
                 !is_harmless(decoder);
    pod_free(decoder->context, scratch);
    return failed != 0 ? refuse(decoder, error) : POD_OK;
}

/* Returns whether a segment of Adobe's says that inks are stored inverted. */
static bool has_adobe_segment(const pod_picture *picture)
{
    const unsigned char *bytes = picture->bytes;
    for (size_t at = 2; at + 9 <= picture->size && bytes[at] == 0xff && bytes[at + 1] != 0xda;) {
        const size_t length = pod_big_u16(bytes + at + 2);
        if (bytes[at + 1] == 0xee && length >= 7 && memcmp(bytes + at + 4, "Adobe", 5) == 0)
            return true;
        at += 2 + length;
    }
    return false;
}

/* What the inks leave of white. */
static void convert_cmyk(const unsigned char *inks, bool inverted, size_t count, int32_t channels,
                         unsigned char *pixels)
{
    const unsigned turn = inverted ? 0 : 255; /* x ^ 255 is 255 - x */
    for (size_t i = 0; i < count; i++, inks += 4, pixels += channels) {
        const unsigned light = inks[3] ^ turn;
        const unsigned red = (inks[0] ^ turn) * light / 255, green = (inks[1] ^ turn) * light / 255;
        const unsigned blue = (inks[2] ^ turn) * light / 255;
        if (channels == 1) {
            pixels[0] = (unsigned char)((299 * red + 587 * green + 114 * blue + 500) / 1000);
            continue;
        }
        pixels[0] = (unsigned char)red;
        pixels[1] = (unsigned char)green;
        pixels[2] = (unsigned char)blue;
        if (channels == 4)
            pixels[3] = 255;
    }
}

static pod_status decode_bytes(pod_image_decoder *decoder, const pod_picture *picture, unsigned char *pixels,
                               pod_error *error)
{
    static const int forms[] = {[1] = TJPF_GRAY, [3] = TJPF_RGB, [4] = TJPF_RGBA};
    if (!picture->has_inks)
        return decompress(decoder, picture, pixels, forms[picture->wanted], error);
    const size_t count = (size_t)picture->height * (size_t)picture->width;
    pod_status status = pod_format_scratch_reserve(decoder, &decoder->rows, 4 * count, error);
    if (status == POD_OK)
        status = decompress(decoder, picture, decoder->rows.bytes, TJPF_CMYK, error);
    if (status == POD_OK)
        convert_cmyk(decoder->rows.bytes, has_adobe_segment(picture), count, picture->wanted, pixels);
    return status;
}

pod_status pod_format_jpeg_decode(pod_image_decoder *decoder, const pod_picture *picture, void *pixels,
                                  pod_error *error)
{
    unsigned char *bytes = pixels;
    const pod_status status = decode_bytes(decoder, picture, bytes, error);
    if (status != POD_OK || !picture->wide)
        return status;
    /* The bytes lie in the first half: from the end on, each makes room for its neighbour. */
    uint16_t *words = pixels;
    size_t left = (size_t)picture->height * (size_t)picture->width * (size_t)picture->wanted;
    while (left-- > 0) {
        const uint16_t value = (uint16_t)(bytes[left] * 257u);
        memcpy(&words[left], &value, sizeof value);
    }
    return POD_OK;
}

#endif
