/* keys - pairs of keys in a folder: NAME.public and NAME.secret for each role, Z85 as ZeroMQ writes it. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "service/endpoint.h"

static const char *const roles[POD_ROLES] = {"dispatcher", "worker", "consumer"};

/* Returns FOLDER/ROLE.KIND, to be freed with pod_free(). */
static pod_status path_of(pod_context *context, const char *folder, int role, const char *kind, char **path,
                          pod_error *error)
{
    pod_text text;
    pod_text_init(&text, context);
    pod_text_format(&text, "%s/%s.%s", folder, roles[role], kind);
    *path = pod_text_take(&text);
    return *path != NULL ? POD_OK : pod_error_memory(error, "a path", strlen(folder));
}

static pod_status read_key(pod_context *context, const char *folder, int role, const char *kind, char key[POD_KEY_SIZE],
                           pod_error *error)
{
    char *path;
    pod_bytes bytes = {0};
    pod_status status = path_of(context, folder, role, kind, &path, error);
    if (status != POD_OK)
        return status;
    status = pod_file_read(context, path, &bytes, error);
    if (status == POD_OK && (bytes.size < POD_KEY_SIZE - 1 || memchr(bytes.data, '\0', POD_KEY_SIZE - 1) != NULL))
        status = pod_error_set(error, POD_ERROR_FORMAT, "%s is no key of the data service", path);
    if (status == POD_OK) {
        memcpy(key, bytes.data, POD_KEY_SIZE - 1);
        key[POD_KEY_SIZE - 1] = '\0';
    }
    pod_bytes_free(context, &bytes);
    pod_free(context, path);
    return status;
}

pod_status pod_service_keys_read(pod_context *context, const char *folder, pod_service_role role,
                                 pod_service_keys *keys, pod_error *error)
{
    *keys = (pod_service_keys){.role = role};
    if (folder == NULL)
        return POD_OK;
    if (pod_zmq.has("curve") == 0)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "this libzmq was built without CURVE, which keys need");
    keys->used = true;
    pod_status status = read_key(context, folder, role, "secret", keys->secret, error);
    for (int i = 0; status == POD_OK && i < POD_ROLES; i++)
        status = read_key(context, folder, i, "public", keys->public[i], error);
    char public[POD_KEY_SIZE];
    if (status == POD_OK &&
        (pod_zmq.curve_public(public, keys->secret) != 0 || strcmp(public, keys->public[role]) != 0))
        status = pod_error_set(error, POD_ERROR_FORMAT, "%s/%s.secret is no key that fits %s.public", folder,
                               roles[role], roles[role]);
    return status;
}

/* Writes a new file that only its owner may read where it is secret. */
static pod_status write_key(pod_context *context, const char *folder, int role, const char *kind, mode_t mode,
                            const char *key, pod_error *error)
{
    char *path;
    pod_status status = path_of(context, folder, role, kind, &path, error);
    if (status != POD_OK)
        return status;
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    const bool written =
        file >= 0 && write(file, key, strlen(key)) == (ssize_t)strlen(key) && write(file, "\n", 1) == 1;
    if (!written)
        status = pod_error_set(error, POD_ERROR_IO, "cannot write %s: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    pod_free(context, path);
    return status;
}

pod_status pod_service_keys_new(pod_context *context, const char *folder, pod_error *error)
{
    pod_status status = pod_service_load(context, error);
    if (status == POD_OK && mkdir(folder, 0700) != 0 && errno != EEXIST)
        status = pod_error_set(error, POD_ERROR_IO, "cannot make the folder %s: %s", folder, strerror(errno));
    for (int role = 0; status == POD_OK && role < POD_ROLES; role++) {
        char public[POD_KEY_SIZE], secret[POD_KEY_SIZE];
        if (pod_zmq.curve_keypair(public, secret) != 0)
            return pod_error_set(error, POD_ERROR_UNSUPPORTED, "this libzmq was built without CURVE, which keys need");
        status = write_key(context, folder, role, "secret", 0600, secret, error);
        if (status == POD_OK)
            status = write_key(context, folder, role, "public", 0644, public, error);
    }
    return status;
}
