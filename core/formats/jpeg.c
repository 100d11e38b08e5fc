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

static pod_status decompress(pod_image_decoder *decoder, const pod_picture *picture, unsigned char *pixels, int form,
                             pod_error *error)
{
    const int width = (int)picture->width, height = (int)picture->height;
    int failed = tjDecompress2(decoder->jpeg, picture->bytes, picture->size, pixels, width, 0, height, form,
                               TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS);
    if (failed != 0 && is_harmless(decoder))
        failed = tjDecompress2(decoder->jpeg, picture->bytes, picture->size, pixels, width, 0, height, form,
                               TJFLAG_LIMITSCANS) != 0 &&
                 !is_harmless(decoder);
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

#else

static pod_status refuse(pod_error *error)
{
    return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                         "JPEG: this build of Moonpod has no TurboJPEG; build it with libturbojpeg for pictures");
}

void pod_format_jpeg_close(pod_image_decoder *decoder)
{
    (void)decoder;
}

pod_status pod_format_jpeg_describe(pod_image_decoder *decoder, pod_picture *picture, pod_error *error)
{
    (void)decoder;
    (void)picture;
    return refuse(error);
}

pod_status pod_format_jpeg_decode(pod_image_decoder *decoder, const pod_picture *picture, void *pixels,
                                  pod_error *error)
{
    (void)decoder;
    (void)picture;
    (void)pixels;
    return refuse(error);
}

#endif
