#ifndef POD_FORMATS_RECORD_H
#define POD_FORMATS_RECORD_H

/*
 * record - the framing of TFRecord and event files: u64 length, masked checksum of these 8 bytes, data,
 * masked checksum of the data, all little-endian.
 */

#include "formats/writer.h"
#include "moonpod/formats.h"

#define POD_RECORD_HEADER 12
#define POD_RECORD_FOOTER 4

/* Makes what stands before and behind a record. */
void pod_format_record_frame(const void *bytes, size_t size, unsigned char header[POD_RECORD_HEADER],
                             unsigned char footer[POD_RECORD_FOOTER]);

/* Writes one record. */
POD_CHECKED pod_status pod_format_record_write(pod_writer *writer, const void *bytes, size_t size, pod_error *error);

/* Sets when reading is to end: see pod_format_reader_set_stop(). */
void pod_format_record_reader_set_stop(pod_record_reader *reader, pod_stop stop);

/* Says that somebody may be writing the file: where it ends within a record, reading ends before it. */
void pod_format_record_reader_set_grows(pod_record_reader *reader);

/* Finds a compression by its public name ("gzip"; NULL: none). `allow_auto`: also "auto". */
POD_CHECKED pod_status pod_format_compression_from_name(const char *name, bool allow_auto, pod_compression *compression,
                                                        pod_error *error);

#endif
