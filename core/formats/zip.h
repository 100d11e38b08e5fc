#ifndef POD_FORMATS_ZIP_H
#define POD_FORMATS_ZIP_H

/* zip - zip archives: the numbers of the format, and their members. */

#include "formats/reader.h"
#include "moonpod/formats.h"

enum {
    POD_ZIP_LOCAL_SIGNATURE = 0x04034b50,
    POD_ZIP_CENTRAL_SIGNATURE = 0x02014b50,
    POD_ZIP_END_SIGNATURE = 0x06054b50,
    POD_ZIP_END64_SIGNATURE = 0x06064b50,
    POD_ZIP_LOCATOR64_SIGNATURE = 0x07064b50,
    POD_ZIP_LOCAL_SIZE = 30,
    POD_ZIP_CENTRAL_SIZE = 46,
    POD_ZIP_END_SIZE = 22,
    POD_ZIP_END64_SIZE = 56,
    POD_ZIP_LOCATOR64_SIZE = 20,
    POD_ZIP_STORED = 0,
    POD_ZIP_DEFLATED = 8,
    POD_ZIP_MOST_COMMENT = 65535
};

/* A member as the directory tells of it. */
typedef struct pod_zip_member {
    const char *name; /* not terminated; borrowed of the archive */
    size_t name_size;
    uint32_t method, crc, flags;
    uint64_t packed, size, offset; /* bytes in the file and of data; of the local header */
} pod_zip_member;

/* An archive while its members are gone through. */
typedef struct pod_zip {
    pod_context *context; /* borrowed, as is the path */
    const char *path;
    unsigned char *bytes; /* the directory */
    const unsigned char *at, *end;
    uint64_t left; /* members to come */
} pod_zip;

/* Opens an archive: finds its directory, and refuses members that overlap or that have more bytes together than may be
 * unpacked at once. Ends with pod_format_zip_close(), but where it fails. */
POD_CHECKED pod_status pod_format_zip_open(pod_context *context, const char *path, pod_zip *zip, pod_error *error);

/* Gives the next member; POD_END behind the last. */
POD_CHECKED pod_status pod_format_zip_next(pod_zip *zip, pod_zip_member *entry, pod_error *error);

/* Opens a member's data; the caller's to close. */
POD_CHECKED pod_status pod_format_zip_open_member(pod_context *context, const char *path, const pod_zip_member *entry,
                                                  pod_reader **reader, pod_error *error);

/* Checks that what was read of a member, all of it, is what the directory tells. */
POD_CHECKED pod_status pod_format_zip_check_member(const pod_zip *zip, const pod_zip_member *entry,
                                                   const pod_reader *reader, pod_error *error);
void pod_format_zip_close(pod_zip *zip);

#endif
