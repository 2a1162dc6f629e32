// What CUDA C++ has without a header, for a CPU. No header of the system: those declare int64_t as another type.
#define __CUDACC_RTC__
#define __global__
#define __shared__ static
// Variables have no `static`: the host finds them by their names.
#define __constant__
#define __device__ static

using size_t = decltype(sizeof 0);
struct dim3 {
    unsigned x, y, z;
};
struct uint3 {
    unsigned x, y, z;
};
static dim3 gridDim, blockDim;
static uint3 blockIdx, threadIdx;

extern "C" {
double sqrt(double), cbrt(double), exp(double), exp2(double), expm1(double), log(double), log2(double), log10(double),
    log1p(double), sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), sinh(double), cosh(double),
    tanh(double), asinh(double), acosh(double), atanh(double), erf(double), erfc(double), tgamma(double), lgamma(double),
    floor(double), ceil(double), trunc(double), rint(double), fabs(double), atan2(double, double), hypot(double, double),
    fmod(double, double), copysign(double, double), pow(double, double), fmin(double, double), fmax(double, double);
float sqrtf(float), cbrtf(float), expf(float), exp2f(float), expm1f(float), logf(float), log2f(float), log10f(float), log1pf(float),
    sinf(float), cosf(float), tanf(float), asinf(float), acosf(float), atanf(float), sinhf(float), coshf(float), tanhf(float),
    asinhf(float), acoshf(float), atanhf(float), erff(float), erfcf(float), tgammaf(float), lgammaf(float), floorf(float),
    ceilf(float), truncf(float), rintf(float), fabsf(float), atan2f(float, float), hypotf(float, float), fmodf(float, float),
    copysignf(float, float), powf(float, float);
void* malloc(size_t);
void free(void*);
}
#define signbit(x) __builtin_signbit(x)

template <class To, class From> To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}
inline float __int_as_float(int x) {
    return bits_as<float>(x);
}
inline float __uint_as_float(unsigned x) {
    return bits_as<float>(x);
}
inline unsigned __float_as_uint(float x) {
    return bits_as<unsigned>(x);
}
inline long long __double_as_longlong(double x) {
    return bits_as<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return bits_as<double>(x);
}
// Tasks change at barriers alone.
template <class T> T atomicCAS(T* place, T expected, T value) {
    const T seen = *place;
    if (seen == expected) *place = value;
    return seen;
}

// Threads of a block: each has a stack; a barrier gives the turn to the next. glibc's ucontext, declared as far as it is used.
struct ucontext_space {
    alignas(16) char bytes[1024];
};
extern "C" {
int getcontext(ucontext_space*);
void makecontext(ucontext_space*, void (*)(), int, ...);
int swapcontext(ucontext_space*, ucontext_space*);
}
namespace cuda_on_cpu {

constexpr size_t kStack = 1 << 16;
static ucontext_space scheduler;
struct Task {
    ucontext_space context;
    uint3 index;
    bool done;
    char* stack;
};
static Task* running;
static void (*kernel)(void**);
static void** kernel_arguments;
constexpr unsigned long kApart = 1ul << 60;

inline void task() {
    kernel(kernel_arguments);
    running->done = true;
    swapcontext(&running->context, &scheduler);
}
template <class T> struct Argument {
    static T at(void* place) { return *static_cast<T*>(place); }
};
template <class T> struct Argument<T*> {
    static T* at(void* place) { return reinterpret_cast<T*>(*static_cast<unsigned long*>(place) - kApart); }
};
template <class... Types> struct Calling {
    Calling(void (*function)(Types...), Types... values) { function(values...); }
};
template <class... Types> void call(void (*function)(Types...), void** arguments) {
    int at = 0;
    // Braces: arguments are evaluated from left to right.
    Calling<Types...>{function, Argument<Types>::at(arguments[at++])...};
}

}  // namespace cuda_on_cpu
inline void __syncthreads() {
    cuda_on_cpu::Task* const self = cuda_on_cpu::running;
    swapcontext(&self->context, &cuda_on_cpu::scheduler);
    threadIdx = self->index;
}

extern "C" void cuda_on_cpu_launch(void* function, const unsigned* grid, const unsigned* block, void** arguments) {
    using namespace cuda_on_cpu;
    kernel = reinterpret_cast<void (*)(void**)>(function);
    kernel_arguments = arguments;
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {block[0], block[1], block[2]};
    const unsigned threads = block[0] * block[1] * block[2];
    Task* const tasks = static_cast<Task*>(malloc(threads * sizeof(Task)));
    char* const stacks = static_cast<char*>(malloc(threads * kStack));
    for (unsigned long b = 0; b < 1ul * grid[0] * grid[1] * grid[2]; ++b) {
        blockIdx = {unsigned(b % grid[0]), unsigned(b / grid[0] % grid[1]), unsigned(b / grid[0] / grid[1])};
        for (unsigned t = 0; t < threads; ++t) {
            tasks[t].index = {t % block[0], t / block[0] % block[1], t / block[0] / block[1]};
            tasks[t].done = false;
            getcontext(&tasks[t].context);
            // uc_stack of a ucontext_t: behind uc_flags and uc_link.
            auto* const words = reinterpret_cast<unsigned long*>(tasks[t].context.bytes);
            words[1] = 0;
            words[2] = reinterpret_cast<unsigned long>(stacks + t * kStack);
            words[4] = kStack;
            makecontext(&tasks[t].context, &task, 0);
        }
        // The last thread first: what waits for nobody may not count on the first.
        for (bool any = true; any;) {
            any = false;
            for (unsigned t = threads; t-- > 0;) {
                if (tasks[t].done) continue;
                any = true;
                running = &tasks[t];
                threadIdx = tasks[t].index;
                swapcontext(&scheduler, &tasks[t].context);
            }
        }
    }
    free(tasks);
    free(stacks);
}
