/* Messages of Jupyter as frames: any frames, signed and not. What is taken for a message has its parts among the frames
 * and is signed with the key; bytes of it become strings of JSON that are UTF-8. */

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "editor/utf8.h"
#include "json_text.h"
#include "wire.h"

enum { MOST_FRAMES = 64 };

/* An input: a byte that says whether there is a key, then frames, each behind two bytes with its size. */
static size_t add_frame(char *to, wire_frame frame)
{
    to[0] = (char)(frame.size >> 8);
    to[1] = (char)frame.size;
    memcpy(to + 2, frame.bytes, frame.size);
    return frame.size + 2;
}

static const wire_frame key = {"secret", 6};

static void write_seeds(pod_context *context)
{
    static const wire_frame part[WIRE_PARTS] = {
        {"{\"msg_type\":\"execute_request\"}", 30}, {"{}", 2}, {"{}", 2}, {"{\"code\":\"1 + 1\xE2\x82\xAC\"}", 19}};
    static const wire_frame identity = {"client", 6};
    (void)context;
    for (int kind = 0; kind < 4; kind++) {
        char input[512], signature[WIRE_SIGNATURE];
        size_t size = 0;
        input[size++] = (char)('0' + (kind & 1));
        for (int i = 0; i < kind; i++)
            size += add_frame(input + size, identity);
        size += add_frame(input + size, wire_delimiter);
        const wire_frame signed_by = {signature, wire_sign(key, part, signature)};
        size += add_frame(input + size, signed_by);
        for (int i = 0; i < WIRE_PARTS; i++)
            size += add_frame(input + size, part[i]);
        fuzz_put(input, size);
    }
}

static void check_text(const char *bytes, size_t size)
{
    char *text = malloc(JSON_TEXT_ROOM(size));
    if (text == NULL)
        return;
    const size_t written = json_text_write(text, bytes, size);
    if (written < 2 || written > JSON_TEXT_ROOM(size) || text[0] != '"' || text[written - 1] != '"')
        fuzz_die("messages", "a string of JSON has no quotes, or more bytes than it may");
    for (size_t at = 0; at < written;) {
        uint32_t code;
        at += utf8_decode(text + at, written - at, &code);
        if (code == UTF8_BAD || code < ' ')
            fuzz_die("messages", "a string of JSON has a byte that it must not have");
    }
    free(text);
}

static void read_frames(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    wire_frame frames[MOST_FRAMES];
    wire_message message;
    char signature[WIRE_SIGNATURE];
    size_t count = 0;
    const size_t size = fuzz_load(bytes);
    (void)context;
    for (size_t at = 1; at + 2 <= size && count < MOST_FRAMES; count++) {
        const size_t wanted = (size_t)bytes[at] << 8 | bytes[at + 1], left = size - at - 2;
        frames[count] = (wire_frame){(const char *)bytes + at + 2, wanted < left ? wanted : left};
        at += 2 + frames[count].size;
    }
    const wire_frame used = size > 0 && (bytes[0] & 1) != 0 ? key : (wire_frame){"", 0};
    if (wire_read(frames, count, used, &message) != NULL)
        return;
    if (message.identities + 2 + WIRE_PARTS > count ||
        memcmp(message.part, frames + message.identities + 2, sizeof message.part) != 0)
        fuzz_die("messages", "a part is none of the frames");
    const size_t signed_by = wire_sign(used, message.part, signature);
    if (signed_by > 0 && memcmp(signature, frames[message.identities + 1].bytes, signed_by) != 0)
        fuzz_die("messages", "a message was taken whose signature is another");
    for (int i = 0; i < WIRE_PARTS; i++)
        check_text(message.part[i].bytes, message.part[i].size);
}

const fuzz_target fuzz_messages[] = {{"messages", write_seeds, read_frames}, {0}};
