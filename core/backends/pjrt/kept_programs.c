/* kept_programs - see kept_programs.h. */

#include "kept_programs.h"

#include "base/context.h"
#include "base/cpu.h"
#include "base/sha256.h"
#include "formats/located.h"
#include "moonpod/formats.h"

#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a file begins with: the kind, and the sum of what follows. */
static const char magic[] = "moonpod pjrt 1\n";
enum { MAGIC_SIZE = sizeof magic - 1, HEAD_SIZE = MAGIC_SIZE + POD_SHA256_SIZE };

static const char ending[] = ".pjrt";

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Adds a text with its size, so that no two lists of texts are the same. */
static void add(pod_sha256 *hash, const void *bytes, size_t size)
{
    const uint64_t length = size;
    pod_sha256_add(hash, &length, sizeof length);
    pod_sha256_add(hash, bytes, size);
}

static void add_text(pod_sha256 *hash, const char *text)
{
    add(hash, text, strlen(text));
}

static void add_plugin(pod_sha256 *hash, const pod_pjrt_device *device)
{
    const pod_device_description *about = &device->base.description;
    struct stat file = {0};
    char text[128];
    add_text(hash, about->platform);
    add_text(hash, about->version);
    add_text(hash, about->kind);
    (void)stat(device->path, &file);
    snprintf(text, sizeof text, "%d.%d of %d, %lld bytes of %lld.%09ld", about->major, about->minor, about->there,
             (long long)file.st_size, (long long)file.st_mtim.tv_sec, (long)file.st_mtim.tv_nsec);
    add_text(hash, text);
}

/* Code for this CPU runs on one with the same features. */
static bool add_cpu(pod_sha256 *hash)
{
    uint32_t features[POD_CPU_FEATURE_WORDS];
    const bool are_known = pod_cpu_features(features);
    add(hash, features, sizeof features);
    return are_known;
}

/* Whether the folder is there, and nobody else may write to it. */
static bool is_own(const char *folder)
{
    struct stat about;
    return lstat(folder, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void pod_pjrt_make_kept_folder(const pod_pjrt_device *device)
{
    struct stat about;
    pod_error error;
    if (device->kept == NULL)
        return;
    if (pod_make_folder(device->base.context, device->kept, &error) != POD_OK)
        pod_log(device->base.context, POD_LOG_DEBUG, "programs of devices are not kept: %s", error.message);
    else if (lstat(device->kept, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid())
        (void)chmod(device->kept, S_IRWXU);
}

pod_pjrt_kept pod_pjrt_find_kept(const pod_pjrt_device *device, const pod_pjrt_module *module)
{
    static const char digits[] = "0123456789abcdef";
    pod_pjrt_kept kept = {.path = ""};
    unsigned char digest[POD_SHA256_SIZE];
    char name[2 * POD_SHA256_SIZE + 1] = "";
    pod_sha256 hash;
    if (device->kept == NULL || !is_own(device->kept))
        return kept;
    pod_sha256_begin(&hash);
    add_text(&hash, magic);
    add_plugin(&hash, device);
    add(&hash, module->options, module->option_size);
    add(&hash, module->text, module->text_size);
    if (strcmp(device->base.description.platform, "cpu") == 0 && !add_cpu(&hash))
        return kept;
    pod_sha256_end(&hash, digest);
    for (size_t i = 0; i < POD_SHA256_SIZE; i++) {
        name[2 * i] = digits[digest[i] >> 4];
        name[2 * i + 1] = digits[digest[i] & 15];
    }
    const int size = snprintf(kept.path, sizeof kept.path, "%s/%s%s", device->kept, name, ending);
    if (size < 0 || (size_t)size >= sizeof kept.path)
        kept.path[0] = '\0';
    return kept;
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* Whether a file is whole. */
static bool is_whole(const pod_bytes *file)
{
    unsigned char digest[POD_SHA256_SIZE];
    pod_sha256 hash;
    const char *bytes = file->data;
    if (file->size < HEAD_SIZE || memcmp(bytes, magic, MAGIC_SIZE) != 0)
        return false;
    pod_sha256_begin(&hash);
    pod_sha256_add(&hash, bytes + HEAD_SIZE, file->size - HEAD_SIZE);
    pod_sha256_end(&hash, digest);
    return memcmp(bytes + MAGIC_SIZE, digest, sizeof digest) == 0;
}

void *pod_pjrt_load_kept(const pod_pjrt_device *device, const pod_pjrt_kept *kept)
{
    pod_context *context = device->base.context;
    pod_bytes file;
    void *executable = NULL;
    if (kept->path[0] == '\0' || access(kept->path, R_OK) != 0 ||
        pod_file_read(context, kept->path, &file, NULL) != POD_OK)
        return NULL;
    if (is_whole(&file))
        executable =
            pod_pjrt_load_bytes(device, &(pod_bytes){(const char *)file.data + HEAD_SIZE, file.size - HEAD_SIZE});
    pod_bytes_free(context, &file);
    if (executable != NULL)
        (void)utimensat(AT_FDCWD, kept->path, NULL, 0); /* used now */
    return executable;
}

/* ---- keeping ----------------------------------------------------------------------------------------------------- */

/* What is in the folder. */
typedef struct contents {
    const char *folder;
    int64_t bytes;
    struct timespec oldest;
    char name[256]; /* of the file that was not used for longest */
} contents;

static void count_file(void *at, const char *name)
{
    contents *all = at;
    const size_t size = strlen(name), end = sizeof ending - 1;
    char path[1024];
    struct stat about;
    if (size < end || size >= sizeof all->name || strcmp(name + size - end, ending) != 0 ||
        snprintf(path, sizeof path, "%s/%s", all->folder, name) >= (int)sizeof path || lstat(path, &about) != 0)
        return;
    all->bytes += about.st_size;
    if (all->name[0] == '\0' || about.st_mtim.tv_sec < all->oldest.tv_sec ||
        (about.st_mtim.tv_sec == all->oldest.tv_sec && about.st_mtim.tv_nsec < all->oldest.tv_nsec)) {
        memcpy(all->name, name, size + 1);
        all->oldest = about.st_mtim;
    }
}

static void make_room(const pod_pjrt_device *device)
{
    pod_context *context = device->base.context;
    char path[1024];
    for (;;) {
        contents all = {.folder = device->kept};
        pod_format_each_name_located(context, device->kept, count_file, &all);
        if (all.bytes <= device->kept_bytes || all.name[0] == '\0' ||
            snprintf(path, sizeof path, "%s/%s", device->kept, all.name) >= (int)sizeof path ||
            pod_remove_file(context, path, NULL) != POD_OK)
            return;
    }
}

void pod_pjrt_keep(const pod_pjrt_device *device, const pod_pjrt_kept *kept, const pod_bytes *program)
{
    pod_context *context = device->base.context;
    pod_error error;
    pod_sha256 hash;
    if (kept->path[0] == '\0' || program->size == 0 || (int64_t)program->size > device->kept_bytes)
        return;
    char *file = pod_allocate(context, HEAD_SIZE + program->size);
    if (file == NULL)
        return;
    memcpy(file, magic, MAGIC_SIZE);
    pod_sha256_begin(&hash);
    pod_sha256_add(&hash, program->data, program->size);
    pod_sha256_end(&hash, (unsigned char *)file + MAGIC_SIZE);
    memcpy(file + HEAD_SIZE, program->data, program->size);
    if (pod_file_write(context, kept->path, file, HEAD_SIZE + program->size, &error) != POD_OK)
        pod_log(context, POD_LOG_DEBUG, "a program of a device is not kept: %s", error.message);
    pod_free(context, file);
    make_room(device);
}
