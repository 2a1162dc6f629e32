/* What printed CUDA C++ begins with; arithmetic.h follows. Not a header of the host: the text is part of a kernel's source, which
   NVRTC compiles with --device-as-default-execution-space and without headers of the system. */
#ifdef __CUDACC_RTC__

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define INT64_MIN (-9223372036854775807LL - 1)
#define UINT8_MAX 0xff
#define UINT16_MAX 0xffff
#define UINT32_MAX 0xffffffffu
#define UINT64_MAX 0xffffffffffffffffull
#define NAN __int_as_float(0x7fc00000)
#define INFINITY __int_as_float(0x7f800000)

/* By names that no variable of a program has. */
static inline void sluice_barrier() {
    __syncthreads();
}
/* Which unit of an axis this thread belongs to, and how many there are. */
static inline int64_t sluice_along(dim3 units, int axis) {
    return axis == 0 ? units.x : axis == 1 ? units.y : units.z;
}
static inline int64_t sluice_along(uint3 units, int axis) {
    return axis == 0 ? units.x : axis == 1 ? units.y : units.z;
}
static inline int64_t sluice_block_unit(int axis) {
    return sluice_along(blockIdx, axis);
}
static inline int64_t sluice_block_units(int axis) {
    return sluice_along(gridDim, axis);
}
static inline int64_t sluice_thread_unit(int axis) {
    return sluice_along(threadIdx, axis);
}
static inline int64_t sluice_thread_units(int axis) {
    return sluice_along(blockDim, axis);
}
static inline int64_t sluice_grid_unit(int axis) {
    return sluice_block_unit(axis) * sluice_thread_units(axis) + sluice_thread_unit(axis);
}
static inline int64_t sluice_grid_units(int axis) {
    return sluice_block_units(axis) * sluice_thread_units(axis);
}

/* The bits of a value and back. */
#define SLUICE_BITS(s, T, U)                \
    static inline U sluice_bits_##s(T x) {  \
        return (U)x;                        \
    }                                       \
    static inline T sluice_value_##s(U x) { \
        return (T)x;                        \
    }
SLUICE_BITS(boolean, uint8_t, uint8_t)
SLUICE_BITS(int8, int8_t, uint8_t)
SLUICE_BITS(uint8, uint8_t, uint8_t)
SLUICE_BITS(int16, int16_t, uint16_t)
SLUICE_BITS(uint16, uint16_t, uint16_t)
SLUICE_BITS(int32, int32_t, uint32_t)
SLUICE_BITS(uint32, uint32_t, uint32_t)
SLUICE_BITS(int64, int64_t, uint64_t)
SLUICE_BITS(uint64, uint64_t, uint64_t)
static inline uint32_t sluice_bits_float32(float x) {
    return __float_as_uint(x);
}
static inline float sluice_value_float32(uint32_t x) {
    return __uint_as_float(x);
}
static inline uint64_t sluice_bits_float64(double x) {
    return (uint64_t)__double_as_longlong(x);
}
static inline double sluice_value_float64(uint64_t x) {
    return __longlong_as_double((long long)x);
}
/* *PLACE = COMBINED, an expression over BEFORE of type T, at once: the word W that holds the element is exchanged until nobody has
   written in between. The memory may be that of a block or of the device. */
#define SLUICE_UPDATE_WORD(W, s, T, PLACE, BEFORE, COMBINED)                                        \
    {                                                                                               \
        W* const sluice_at = (W*)(PLACE);                                                           \
        W sluice_seen = *(volatile W*)sluice_at, sluice_expected;                                   \
        do {                                                                                        \
            const T BEFORE = sluice_value_##s(sluice_seen);                                         \
            sluice_expected = sluice_seen;                                                          \
            sluice_seen = atomicCAS(sluice_at, sluice_expected, (W)sluice_bits_##s((T)(COMBINED))); \
        } while (sluice_seen != sluice_expected);                                                   \
    }
#define SLUICE_UPDATE_8(SPACE, s, T, PLACE, BEFORE, COMBINED) SLUICE_UPDATE_WORD(uint64_t, s, T, PLACE, BEFORE, COMBINED)
#define SLUICE_UPDATE_4(SPACE, s, T, PLACE, BEFORE, COMBINED) SLUICE_UPDATE_WORD(uint32_t, s, T, PLACE, BEFORE, COMBINED)
/* A part of a word: its neighbours stay what they are. */
#define SLUICE_UPDATE_PART(s, T, PLACE, BEFORE, COMBINED, MASK)                                                         \
    {                                                                                                                   \
        const size_t sluice_byte = (size_t)(PLACE);                                                                     \
        uint32_t* const sluice_at = (uint32_t*)(sluice_byte & ~(size_t)3);                                              \
        const uint32_t sluice_shift = (uint32_t)(sluice_byte & 3) * 8;                                                  \
        uint32_t sluice_seen = *(volatile uint32_t*)sluice_at, sluice_expected;                                         \
        do {                                                                                                            \
            const T BEFORE = sluice_value_##s((sluice_seen >> sluice_shift) & MASK);                                    \
            const uint32_t sluice_part = sluice_bits_##s((T)(COMBINED));                                                \
            sluice_expected = sluice_seen;                                                                              \
            sluice_seen = atomicCAS(sluice_at, sluice_expected,                                                         \
                                    (sluice_seen & ~((uint32_t)MASK << sluice_shift)) | (sluice_part << sluice_shift)); \
        } while (sluice_seen != sluice_expected);                                                                       \
    }
#define SLUICE_UPDATE_2(SPACE, s, T, PLACE, BEFORE, COMBINED) SLUICE_UPDATE_PART(s, T, PLACE, BEFORE, COMBINED, 0xffff)
#define SLUICE_UPDATE_1(SPACE, s, T, PLACE, BEFORE, COMBINED) SLUICE_UPDATE_PART(s, T, PLACE, BEFORE, COMBINED, 0xff)

#endif
