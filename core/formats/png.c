/*
 * png - pictures of PNG (W3C: Portable Network Graphics, second edition).
 *
 * Written here rather than taken from a library for pipelines of small pictures: with libdeflate, and nothing
 * allocated a picture, one of 28x28 takes less than half of libspng's time.
 */

#include "base/bytes.h"
#include "formats/picture.h"

#ifndef POD_WITHOUT_LIBDEFLATE
#include <libdeflate.h>
#endif
#include <stdlib.h>
#include <string.h>

#include "formats/png_rows.h"
#ifdef POD_WITHOUT_LIBDEFLATE
#include "formats/zlib_or_none.h"
#define libdeflate_crc32(before, bytes, size)  crc32_z(before, bytes, size)
#define libdeflate_free_decompressor(inflater) ((void)(inflater))
#define inflate_pixels(decoder, data, size, offset, expected, error)                                                   \
    pod_error_set(error, POD_ERROR_UNSUPPORTED,                                                                        \
                  "PNG: this build of Moonpod has no libdeflate; build it with libdeflate for pictures")
#endif

#define SIGNATURE_BYTES 8
#define HEADER_BYTES    13
/* Length, kind and checksum of a chunk. */
#define CHUNK_BYTES 12
/* How much more than its own size deflated data can become. */
#define MOST_INFLATION 1032

typedef struct chunk {
    const unsigned char *kind, *data;
    uint32_t size;
    size_t offset; /* of the chunk in the picture */
} chunk;

static pod_status refuse(size_t offset, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "PNG, offset %zu: %s", offset, what);
}

static bool is_kind(const chunk *piece, const char *kind)
{
    return memcmp(piece->kind, kind, 4) == 0;
}

/* Takes the chunk at `*offset` and moves on. Those that are needed are checked against their checksum. */
static pod_status next_chunk(const pod_picture *picture, size_t *offset, chunk *piece, pod_error *error)
{
    const size_t left = picture->size - *offset;
    const unsigned char *bytes = picture->bytes + *offset;
    *piece = (chunk){.offset = *offset};
    if (left < CHUNK_BYTES)
        return refuse(*offset, "the picture is cut off", error);
    *piece = (chunk){bytes + 4, bytes + 8, pod_big_u32(bytes), *offset};
    if (piece->size > left - CHUNK_BYTES)
        return refuse(*offset, "a chunk is longer than the picture", error);
    const bool is_needed = (piece->kind[0] & 0x20) == 0 || is_kind(piece, "tRNS");
    if (is_needed &&
        libdeflate_crc32(0, piece->kind, 4 + (size_t)piece->size) != pod_big_u32(piece->data + piece->size))
        return refuse(*offset, "the checksum of a chunk differs", error);
    *offset += CHUNK_BYTES + (size_t)piece->size;
    return POD_OK;
}

static bool is_depth_allowed(unsigned colour, unsigned depth)
{
    /* By colour: the depths, which are powers of 2, as bits. */
    static const unsigned depths[] = {[POD_PNG_GREY] = 1 | 2 | 4 | 8 | 16,
                                      [POD_PNG_RGB] = 8 | 16,
                                      [POD_PNG_PALETTE] = 1 | 2 | 4 | 8,
                                      [POD_PNG_GREY_ALPHA] = 8 | 16,
                                      [POD_PNG_RGBA] = 8 | 16};
    return colour <= POD_PNG_RGBA && (depth & (depth - 1)) == 0 && (depths[colour] & depth) != 0;
}

static pod_status read_header(const pod_picture *picture, size_t *offset, pod_png *png, pod_error *error)
{
    chunk piece;
    *offset = SIGNATURE_BYTES;
    memset(png, 0, offsetof(pod_png, palette)); /* colours are counted */
    if (picture->size < SIGNATURE_BYTES || memcmp(picture->bytes, "\x89PNG\r\n\x1a\n", SIGNATURE_BYTES) != 0)
        return refuse(0, "the signature is damaged", error);
    const pod_status status = next_chunk(picture, offset, &piece, error);
    if (status != POD_OK)
        return status;
    if (!is_kind(&piece, "IHDR") || piece.size != HEADER_BYTES)
        return refuse(piece.offset, "the header is missing", error);
    const uint32_t width = pod_big_u32(piece.data), height = pod_big_u32(piece.data + 4);
    png->depth = piece.data[8];
    png->colour = piece.data[9];
    png->interlaced = piece.data[12] != 0;
    if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
        return refuse(piece.offset, "the picture has no pixels, or sizes that are too large", error);
    if (!is_depth_allowed(png->colour, png->depth) || piece.data[10] != 0 || piece.data[11] != 0 || piece.data[12] > 1)
        return refuse(piece.offset,
                      "the header has a colour type, depth or method that PNG does not "
                      "have",
                      error);
    png->width = width;
    png->height = height;
    png->channels = pod_format_png_channels(png->colour);
    return POD_OK;
}

static pod_status read_palette(const chunk *piece, pod_png *png, pod_error *error)
{
    if (piece->size % 3 != 0 || piece->size == 0 || piece->size > 3 * 256)
        return refuse(piece->offset, "the palette has a wrong size", error);
    png->palette_size = piece->size / 3;
    for (uint32_t i = 0; i < png->palette_size; i++) {
        memcpy(png->palette[i], piece->data + 3 * (size_t)i, 3);
        png->palette[i][3] = 255;
    }
    return POD_OK;
}

/* What is transparent: the alpha of palette entries, or one colour. */
static pod_status read_transparency(const chunk *piece, pod_png *png, pod_error *error)
{
    const uint32_t expected = png->colour == POD_PNG_GREY ? 2 : 6;
    if (png->colour == POD_PNG_PALETTE
            ? piece->size > png->palette_size
            : (png->colour != POD_PNG_GREY && png->colour != POD_PNG_RGB) || piece->size != expected)
        return refuse(piece->offset, "the transparency has a wrong size", error);
    png->has_transparency = true;
    for (uint32_t i = 0; png->colour == POD_PNG_PALETTE && i < piece->size; i++)
        png->palette[i][3] = piece->data[i];
    for (uint32_t i = 0; png->colour != POD_PNG_PALETTE && i < expected / 2; i++)
        png->transparent[i] = pod_big_u16(piece->data + 2 * i);
    return POD_OK;
}

/* Reads chunks up to the first of pixels, which is left at `*offset`. */
static pod_status read_chunks(const pod_picture *picture, size_t *offset, pod_png *png, pod_error *error)
{
    for (;;) {
        chunk piece;
        const size_t begin = *offset;
        pod_status status = next_chunk(picture, offset, &piece, error);
        if (status != POD_OK)
            return status;
        if (is_kind(&piece, "IDAT")) {
            *offset = begin;
            break;
        }
        if (is_kind(&piece, "PLTE"))
            status = read_palette(&piece, png, error);
        else if (is_kind(&piece, "tRNS"))
            status = read_transparency(&piece, png, error);
        else if ((piece.kind[0] & 0x20) == 0)
            status =
                refuse(piece.offset,
                       is_kind(&piece, "IEND") ? "the picture has no pixels" : "an unknown chunk is needed", error);
        if (status != POD_OK)
            return status;
    }
    if (png->colour == POD_PNG_PALETTE && png->palette_size == 0)
        return refuse(*offset, "the palette is missing", error);
    return POD_OK;
}

/* Finds what `limit` bytes of data, in consecutive chunks, lie where: in the picture, or gathered. */
static pod_status gather_data(pod_image_decoder *decoder, const pod_picture *picture, size_t offset,
                              const unsigned char **data, size_t *size, pod_error *error)
{
    chunk first, piece;
    pod_status status = next_chunk(picture, &offset, &first, error);
    if (status != POD_OK)
        return status;
    *data = first.data;
    *size = first.size;
    if (picture->size - offset >= CHUNK_BYTES && memcmp(picture->bytes + offset + 4, "IDAT", 4) != 0)
        return POD_OK;
    status = pod_format_scratch_reserve(decoder, &decoder->packed, picture->size, error);
    if (status != POD_OK)
        return status;
    memcpy(decoder->packed.bytes, first.data, first.size);
    while ((status = next_chunk(picture, &offset, &piece, error)) == POD_OK && is_kind(&piece, "IDAT")) {
        memcpy(decoder->packed.bytes + *size, piece.data, piece.size);
        *size += piece.size;
    }
    *data = decoder->packed.bytes;
    return status;
}

#ifndef POD_WITHOUT_LIBDEFLATE

static pod_status inflate_pixels(pod_image_decoder *decoder, const unsigned char *data, size_t size, size_t offset,
                                 size_t expected, pod_error *error)
{
    size_t got = 0;
    if (decoder->inflater == NULL)
        decoder->inflater = libdeflate_alloc_decompressor();
    if (decoder->inflater == NULL)
        return pod_error_set(error, POD_ERROR_MEMORY, "there is no memory to decode PNG");
    switch (libdeflate_zlib_decompress(decoder->inflater, data, size, decoder->rows.bytes, expected, &got)) {
    case LIBDEFLATE_SUCCESS:
        return got == expected ? POD_OK : refuse(offset, "there are fewer pixels than the header says", error);
    case LIBDEFLATE_INSUFFICIENT_SPACE:
        return refuse(offset, "there are more pixels than the header says", error);
    default:
        return refuse(offset, "the compressed pixels are damaged or cut off", error);
    }
}

#endif

void pod_format_png_close(pod_image_decoder *decoder)
{
    if (decoder->inflater != NULL)
        libdeflate_free_decompressor(decoder->inflater);
}

pod_status pod_format_png_describe(pod_picture *picture, pod_error *error)
{
    pod_png png;
    size_t offset;
    pod_status status = read_header(picture, &offset, &png, error);
    if (status == POD_OK && png.colour == POD_PNG_PALETTE)
        status = read_chunks(picture, &offset, &png, error);
    if (status != POD_OK)
        return status;
    picture->height = png.height;
    picture->width = png.width;
    picture->channels = png.colour != POD_PNG_PALETTE ? png.channels : png.has_transparency ? 4 : 3;
    return POD_OK;
}

pod_status pod_format_png_decode(pod_image_decoder *decoder, const pod_picture *picture, void *pixels, pod_error *error)
{
    pod_png png;
    const unsigned char *data;
    size_t offset, size = 0;
    pod_status status = read_header(picture, &offset, &png, error);
    if (status == POD_OK)
        status = read_chunks(picture, &offset, &png, error);
    if (status == POD_OK)
        status = gather_data(decoder, picture, offset, &data, &size, error);
    if (status != POD_OK)
        return status;
    const size_t bytes = pod_format_png_data_bytes(&png);
    if (bytes / MOST_INFLATION > size)
        return refuse(offset, "the header claims more pixels than the data can hold", error);
    status = pod_format_scratch_reserve(decoder, &decoder->rows, bytes, error);
    if (status == POD_OK)
        status = inflate_pixels(decoder, data, size, offset, bytes, error);
    if (status == POD_OK &&
        !pod_format_png_read_rows(&png, decoder->rows.bytes, picture->wanted, picture->wide, pixels))
        status = refuse(offset, "a row has a filter, or a colour of the palette, that does not exist", error);
    return status;
}
