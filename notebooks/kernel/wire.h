#ifndef MOONPOD_KERNEL_WIRE_H
#define MOONPOD_KERNEL_WIRE_H

/*
 * wire - what Jupyter's messages are as frames: identities, <IDS|MSG>, signature, header, parent, metadata, content and
 * buffers. The signature is HMAC-SHA256 (RFC 2104) in hex over the four parts of JSON. Knows neither sockets nor JSON.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wire_frame {
    const char *bytes; /* borrowed */
    size_t size;
} wire_frame;

/* The parts that are signed, in their order behind the signature. */
enum { WIRE_HEADER, WIRE_PARENT, WIRE_METADATA, WIRE_CONTENT, WIRE_PARTS };

/* Bytes of a signature in hex, without a NUL. */
enum { WIRE_SIGNATURE = 64 };

typedef struct wire_message {
    size_t identities;           /* so many frames stand before the delimiter */
    wire_frame part[WIRE_PARTS]; /* borrowed from the frames */
} wire_message;

/* Finds the parts of a message. The key is what messages are signed with; without bytes none is, and none is asked for.
 * Returns NULL, or what is wrong. */
const char *wire_read(const wire_frame *frames, size_t count, wire_frame key, wire_message *message);

/* Writes the signature of four parts; returns its size, 0 where the key has no bytes. */
size_t wire_sign(wire_frame key, const wire_frame part[WIRE_PARTS], char signature[WIRE_SIGNATURE]);

/* The signatures of the last messages, in 512 KiB: one is known until WIRE_SEEN_EACH others have come to its place,
 * which is when about WIRE_SEEN_PLACES times as many have come. */
enum { WIRE_SEEN_PLACES = 1024, WIRE_SEEN_EACH = 64 };

typedef struct wire_seen {
    uint64_t mark[WIRE_SEEN_PLACES][WIRE_SEEN_EACH]; /* 64 of the 256 bits, 0: none yet */
    unsigned char next[WIRE_SEEN_PLACES];            /* which the next one takes the place of */
} wire_seen;

/* Remembers a right signature; false: it is there already, so somebody sends a message again. Begin with zeros. */
bool wire_remember(wire_seen *seen, const char signature[WIRE_SIGNATURE]);

/* HMAC-SHA256 of frames, one behind the other. */
void wire_hmac(wire_frame key, const wire_frame *frames, size_t count, unsigned char digest[32]);

/* What stands between identities and the signature. */
extern const wire_frame wire_delimiter;

#endif
