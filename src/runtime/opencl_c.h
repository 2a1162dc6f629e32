/* What OpenCL C lacks of C: types of a width, one name of a function for each type. Not a header of the host: the text is part of a
   kernel's source. */
#ifdef __OPENCL_VERSION__

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT8_MAX 0xff
#define UINT16_MAX 0xffff
#define UINT32_MAX 0xffffffffu
#define UINT64_MAX 0xfffffffffffffffful

/* OpenCL C has one name for both types where C has two. */
#define sqrtf sqrt
#define cbrtf cbrt
#define expf exp
#define exp2f exp2
#define expm1f expm1
#define logf log
#define log2f log2
#define log10f log10
#define log1pf log1p
#define sinf sin
#define cosf cos
#define tanf tan
#define asinf asin
#define acosf acos
#define atanf atan
#define sinhf sinh
#define coshf cosh
#define tanhf tanh
#define asinhf asinh
#define acoshf acosh
#define atanhf atanh
#define erff erf
#define erfcf erfc
#define tgammaf tgamma
#define lgammaf lgamma
#define floorf floor
#define ceilf ceil
#define truncf trunc
#define rintf rint
#define fabsf fabs
#define atan2f atan2
#define hypotf hypot
#define fmodf fmod
#define copysignf copysign
#define powf pow
#define __builtin_floor floor
#define __builtin_pow pow
#define __builtin_fabs fabs
#define __builtin_fmin fmin
#define __builtin_fmax fmax
#endif
