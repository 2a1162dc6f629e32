/* What printed C99 includes: memory that leaves with the body that took it, and failures by longjmp. */
#ifndef SLUICE_C99_H
#define SLUICE_C99_H

/* A hint of GNU's compilers and Clang, and nothing elsewhere. */
#if defined(__GNUC__)
#define sluice_prefetch(place) __builtin_prefetch(place)
#else
#define sluice_prefetch(place) ((void)0)
#endif

#if defined(__GNUC__) && !defined(__clang__)
/* GCC 12 takes (double)(float)x for x where straight-line code becomes vectors of AVX-512. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic.h"

/* The statuses of abi.h. */
enum { SLUICE_OK = 0, SLUICE_OUT_OF_MEMORY = 1, SLUICE_BAD_ARGUMENT = 2, SLUICE_FIRST_CHECK = 16 };

typedef struct sluice_block {
    struct sluice_block* below;
} sluice_block;
typedef struct sluice_run {
    jmp_buf escape;
    sluice_block *top, *kept; /* What is allocated, the last first; what a run leaves alone. */
    int status;
} sluice_run;
static char sluice_sentence[1024];

/* Frees what was allocated after `mark`. */
static inline void sluice_release(sluice_run* run, sluice_block* mark) {
    while (run->top != mark) {
        sluice_block* const last = run->top;
        run->top = last->below;
        free(last);
    }
}
/* A handle, which begins with its run, full of zeros; what it returns when it ends, and when a run has failed. */
static inline void* sluice_begin(size_t size) {
    return calloc(1, size);
}
static inline int sluice_end(sluice_run* run) {
    const int status = run->status;
    sluice_release(run, NULL);
    free(run);
    return status;
}
static inline int sluice_left(sluice_run* run) {
    const int status = run->status;
    sluice_release(run, run->kept);
    run->status = SLUICE_OK;
    return status;
}
/* By names that no variable of a program has. */
static inline void sluice_memcpy(void* to, const void* from, size_t size) {
    memcpy(to, from, size);
}
static inline void sluice_memset(void* to, int byte, size_t size) {
    memset(to, byte, size);
}
/* Leaves the program; values: what the sentence names. */
static inline void sluice_fail(sluice_run* run, int status, const char* sentence, const long long* v) {
    snprintf(sluice_sentence, sizeof sluice_sentence, sentence, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
    run->status = status;
    longjmp(run->escape, 1);
}
/* An index that counts from the end where it is negative. */
static inline int64_t sluice_checked_index(sluice_run* run, int64_t at, int64_t size, int64_t axis, int status) {
    const int64_t place = at < 0 ? at + size : at;
    if ((uint64_t)place >= (uint64_t)size)
        sluice_fail(run, status, "index %lld is out of bounds for axis %lld with size %lld", (const long long[8]){at, axis, size});
    return place;
}
/* `count` elements as 64-bit integers have it, `real` as a real number, which does not wrap; extent: ` = N * M`. */
static inline void* sluice_allocate(sluice_run* run, const char* name, const char* extent, int64_t count, double real,
                                    size_t element, size_t alignment, bool zero) {
    const double most = 9223372036854775807.0;
    if (real >= most || (count >= 0 && (double)count * (double)element >= most)) {
        snprintf(sluice_sentence, sizeof sluice_sentence, "`%s` has%s%s elements of %zu bytes", name, extent,
                 real >= most ? "more than 2**63 - 1" : "", element);
        run->status = SLUICE_OUT_OF_MEMORY;
    } else if (count < 0) {
        snprintf(sluice_sentence, sizeof sluice_sentence, "`%s` would have%s%lld elements", name, extent, (long long)count);
        run->status = SLUICE_BAD_ARGUMENT;
    } else {
        const size_t room = (size_t)count * element + alignment + sizeof(sluice_block);
        sluice_block* const block = zero ? calloc(1, room) : malloc(room);
        if (block) {
            block->below = run->top;
            run->top = block;
            return (void*)(((uintptr_t)(block + 1) + alignment - 1) / alignment * alignment);
        }
        snprintf(sluice_sentence, sizeof sluice_sentence, "`%s` has%s%lld elements of %zu bytes", name, extent, (long long)count,
                 element);
        run->status = SLUICE_OUT_OF_MEMORY;
    }
    longjmp(run->escape, 1);
}

#endif
