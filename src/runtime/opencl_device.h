/* What printed OpenCL C begins with, behind opencl_c.h; arithmetic.h follows. */
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/* By names that no variable of a program has. */
static inline void sluice_barrier(void) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
/* Which unit of an axis this thread belongs to, and how many there are. */
static inline long sluice_grid_unit(uint axis) {
    return get_global_id(axis);
}
static inline long sluice_grid_units(uint axis) {
    return get_global_size(axis);
}
static inline long sluice_block_unit(uint axis) {
    return get_group_id(axis);
}
static inline long sluice_block_units(uint axis) {
    return get_num_groups(axis);
}
static inline long sluice_thread_unit(uint axis) {
    return get_local_id(axis);
}
static inline long sluice_thread_units(uint axis) {
    return get_local_size(axis);
}

/* The bits of a value and back. */
#define SLUICE_BITS(s, T, U)                \
    static inline U sluice_bits_##s(T x) {  \
        return (U)x;                        \
    }                                       \
    static inline T sluice_value_##s(U x) { \
        return (T)x;                        \
    }
SLUICE_BITS(boolean, uchar, uchar)
SLUICE_BITS(int8, char, uchar)
SLUICE_BITS(uint8, uchar, uchar)
SLUICE_BITS(int16, short, ushort)
SLUICE_BITS(uint16, ushort, ushort)
SLUICE_BITS(int32, int, uint)
SLUICE_BITS(uint32, uint, uint)
SLUICE_BITS(int64, long, ulong)
SLUICE_BITS(uint64, ulong, ulong)
static inline uint sluice_bits_float32(float x) {
    return as_uint(x);
}
static inline float sluice_value_float32(uint x) {
    return as_float(x);
}
static inline ulong sluice_bits_float64(double x) {
    return as_ulong(x);
}
static inline double sluice_value_float64(ulong x) {
    return as_double(x);
}
typedef uint sluice_word;
typedef ulong sluice_long_word;
/* *PLACE = COMBINED, an expression over BEFORE of type T, at once: the words that hold the element are exchanged until nobody has
   written in between. */
#define SLUICE_UPDATE_8(SPACE, s, T, PLACE, BEFORE, COMBINED)                                         \
    {                                                                                                 \
        SPACE volatile sluice_long_word* const sluice_at = (SPACE volatile sluice_long_word*)(PLACE); \
        sluice_long_word sluice_seen = atom_cmpxchg(sluice_at, 0, 0), sluice_expected;                \
        do {                                                                                          \
            const T BEFORE = sluice_value_##s(sluice_seen);                                           \
            sluice_expected = sluice_seen;                                                            \
            sluice_seen = atom_cmpxchg(sluice_at, sluice_expected, sluice_bits_##s(COMBINED));        \
        } while (sluice_seen != sluice_expected);                                                     \
    }
#define SLUICE_UPDATE_4(SPACE, s, T, PLACE, BEFORE, COMBINED)                                    \
    {                                                                                            \
        SPACE volatile sluice_word* const sluice_at = (SPACE volatile sluice_word*)(PLACE);      \
        sluice_word sluice_seen = atomic_cmpxchg(sluice_at, 0, 0), sluice_expected;              \
        do {                                                                                     \
            const T BEFORE = sluice_value_##s(sluice_seen);                                      \
            sluice_expected = sluice_seen;                                                       \
            sluice_seen = atomic_cmpxchg(sluice_at, sluice_expected, sluice_bits_##s(COMBINED)); \
        } while (sluice_seen != sluice_expected);                                                \
    }
/* A part of a word: its neighbours stay what they are. */
#define SLUICE_UPDATE_PART(SPACE, s, T, PLACE, BEFORE, COMBINED, MASK)                                                          \
    {                                                                                                                           \
        const size_t sluice_byte = (size_t)(PLACE);                                                                             \
        SPACE volatile sluice_word* const sluice_at = (SPACE volatile sluice_word*)(sluice_byte & ~(size_t)3);                  \
        const sluice_word sluice_shift = (sluice_byte & 3) * 8;                                                                 \
        sluice_word sluice_seen = atomic_cmpxchg(sluice_at, 0, 0), sluice_expected;                                             \
        do {                                                                                                                    \
            const T BEFORE = sluice_value_##s((sluice_seen >> sluice_shift) & MASK);                                            \
            const sluice_word sluice_part = sluice_bits_##s(COMBINED);                                                          \
            sluice_expected = sluice_seen;                                                                                      \
            sluice_seen = atomic_cmpxchg(sluice_at, sluice_expected,                                                            \
                                         (sluice_seen & ~((sluice_word)MASK << sluice_shift)) | (sluice_part << sluice_shift)); \
        } while (sluice_seen != sluice_expected);                                                                               \
    }
#define SLUICE_UPDATE_2(SPACE, s, T, PLACE, BEFORE, COMBINED) SLUICE_UPDATE_PART(SPACE, s, T, PLACE, BEFORE, COMBINED, 0xffff)
#define SLUICE_UPDATE_1(SPACE, s, T, PLACE, BEFORE, COMBINED) SLUICE_UPDATE_PART(SPACE, s, T, PLACE, BEFORE, COMBINED, 0xff)

#endif
