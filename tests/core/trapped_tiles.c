/*
 * trapped_tiles - carries out the instructions of AMX where the CPU has none: each raises SIGILL there, and the
 * handler decodes its bytes, checks what the CPU would refuse, and does it with the arithmetic of tile_emulator.h. So
 * the library runs as it was compiled for AMX, a thousand times slower. Built in by MOONPOD_TILES=trapped.
 *
 * Encodings and conditions: Intel's manual, volume 2, LDTILECFG to TILEZERO; palette 1. Of configurations only
 * those of core/kernels/tiles.h are carried out: rows of 64 bytes, tiles 6 and 7 of 16 rows.
 */
#define _GNU_SOURCE
#include "base/cpu_tiles.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "tile_emulator.h"

enum { TILE_COUNT = 8, BYTES_PER_ROW = 64, ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };

static _Thread_local bool configured;

typedef struct {
    uint8_t prefix; /* VEX.pp: 0 none, 1 66, 2 F3, 3 F2 */
    uint8_t opcode;
    uint8_t mode, reg, rm; /* of ModRM, with VEX's bits */
    uint8_t other;         /* VEX.vvvv */
    bool has_sib;
    bool has_index;
    char *address; /* of the memory operand without its index, if mode is not 3 */
    int64_t index; /* index register << scale */
    int length;
} instruction;

/* Where gregs has the registers by their number. */
static const int register_of[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

static int64_t read_signed(const uint8_t *bytes, int count)
{
    if (count == 1)
        return (int8_t)bytes[0];
    int32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

/* Reads a VEX instruction of map 0F38 with 128 bits and W = 0; false for any other. */
static bool decode(const uint8_t *code, const greg_t *registers, instruction *i)
{
    memset(i, 0, sizeof *i);
    if (code[0] != 0xC4 || (code[1] & 31) != 2 || (code[2] & 0x84) != 0)
        return false;
    const int r = code[1] & 0x80 ? 0 : 8, x = code[1] & 0x40 ? 0 : 8, b = code[1] & 0x20 ? 0 : 8;
    i->prefix = code[2] & 3;
    i->other = ~code[2] >> 3 & 15;
    i->opcode = code[3];
    const uint8_t modrm = code[4];
    i->mode = modrm >> 6;
    i->reg = (uint8_t)((modrm >> 3 & 7) + r);
    i->rm = (uint8_t)((modrm & 7) + b);
    i->length = 5;
    if (i->mode == 3)
        return true;
    int64_t base = 0;
    int displacement = i->mode == 1 ? 1 : i->mode == 2 ? 4 : 0;
    const uint8_t *next = code + 5;
    if ((modrm & 7) == 4) {
        const uint8_t sib = *next++;
        const int index = (sib >> 3 & 7) + x;
        i->has_sib = true;
        i->has_index = index != 4;
        i->index = i->has_index ? (int64_t)registers[register_of[index]] << (sib >> 6) : 0;
        if ((sib & 7) == 5 && i->mode == 0)
            displacement = 4;
        else
            base = registers[register_of[(sib & 7) + b]];
    } else if ((modrm & 7) == 5 && i->mode == 0) {
        displacement = 4;
        base = (int64_t)(intptr_t)(next + 4); /* relative to the next instruction */
    } else {
        base = registers[register_of[i->rm]];
    }
    if (displacement) {
        base += read_signed(next, displacement);
        next += displacement;
    }
    i->address = (char *)(intptr_t)base;
    i->length = (int)(next - code);
    return true;
}

static bool configure(const instruction *i)
{
    uint8_t bytes[64];
    uint16_t row_bytes[TILE_COUNT];
    memcpy(bytes, i->address + i->index, sizeof bytes);
    memcpy(row_bytes, bytes + 16, sizeof row_bytes);
    if (bytes[0] != 1 || bytes[1] != 0)
        return false;
    for (int reserved = 2; reserved < 64; reserved++) {
        const bool used = (reserved >= 16 && reserved < 32) || (reserved >= 48 && reserved < 56);
        if (!used && bytes[reserved])
            return false;
    }
    for (int tile = 0; tile < TILE_COUNT; tile++) {
        const int rows = bytes[48 + tile], expected = tile < 6 ? bytes[48] : 16;
        if (row_bytes[tile] != BYTES_PER_ROW || rows < 1 || rows > 16 || rows != expected)
            return false;
    }
    emulated_rows = bytes[48];
    memset(emulated_tiles, 0, sizeof emulated_tiles);
    configured = true;
    return true;
}

static bool carry_out(const instruction *i)
{
    enum { NONE, P66, PF3, PF2 };
    const bool memory = i->mode != 3, tile = i->reg < TILE_COUNT;
    if (i->opcode != 0x5C && i->other != 0)
        return false;
    if (i->opcode == 0x49 && i->prefix == NONE && memory && i->reg == 0)
        return configure(i);
    if (i->opcode == 0x49 && i->prefix == NONE && !memory && i->reg == 0 && i->rm == 0) {
        configured = false;
        return true;
    }
    if (!configured || !tile)
        return false;
    if (i->opcode == 0x49 && i->prefix == PF2 && !memory && i->rm == 0) {
        memset(emulated_tiles[i->reg].rows, 0, sizeof emulated_tiles[i->reg].rows);
        return true;
    }
    /* An index register of none means a stride of 0, which nothing here wants. */
    if (i->opcode == 0x4B && memory && i->has_sib && i->has_index) {
        if (i->prefix == PF2 || i->prefix == P66) {
            memset(emulated_tiles[i->reg].rows, 0, sizeof emulated_tiles[i->reg].rows);
            emulated_load(i->reg, i->address, i->index);
            return true;
        }
        if (i->prefix == PF3) {
            emulated_store(i->reg, i->address, i->index);
            return true;
        }
    }
    if (i->opcode == 0x5C && i->prefix == PF3 && !memory) {
        const int c = i->reg, a = i->rm, b = i->other;
        /* Three different tiles; rows of b are as many as pairs in a row of a. */
        if (a >= TILE_COUNT || b >= TILE_COUNT || c == a || c == b || a == b || c >= 6 || a >= 6 ||
            (b < 6 && emulated_rows != 16))
            return false;
        emulated_dot(c, a, b);
        return true;
    }
    return false;
}

static void on_illegal_instruction(int signal_number, siginfo_t *info, void *user_context)
{
    (void)info;
    greg_t *registers = ((ucontext_t *)user_context)->uc_mcontext.gregs;
    const uint8_t *code = (const uint8_t *)(intptr_t)registers[REG_RIP];
    instruction decoded;
    if (decode(code, registers, &decoded) && carry_out(&decoded)) {
        registers[REG_RIP] += decoded.length;
        return;
    }
    char text[96];
    const int length = snprintf(text, sizeof text, "trapped_tiles: refused: %02x %02x %02x %02x %02x %02x\n", code[0],
                                code[1], code[2], code[3], code[4], code[5]);
    (void)!write(STDERR_FILENO, text, (size_t)length);
    signal(signal_number, SIG_DFL); /* the instruction raises it again */
}

/* Gives the process AMX: the CPU's where it has it, else by catching SIGILL from now on. */
bool pod_cpu_has_tiles(unsigned features, unsigned states)
{
    (void)features, (void)states;
    if (syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0)
        return true;
    struct sigaction action = {.sa_sigaction = on_illegal_instruction, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    return sigaction(SIGILL, &action, NULL) == 0;
}
