// What is called of CUDA's driver and of NVRTC, declared here (NVIDIA, CUDA Driver API; NVRTC), so that nothing is linked or
// installed.
#pragma once

#include "extent.h"

namespace sluice::cuda {

/// CUmemPoolProps: memory of a device, which no other process may see.
struct PoolProperties {
    int allocation = 1, handles = 0;
    int location = 1, device = 0;
    void* security = nullptr;
    size_t most = 0;
    unsigned char reserved[56] = {};
};
static_assert(sizeof(PoolProperties) == 88);

/// The functions that are called. A result that is not 0 is an error.
struct Api {
    int (*Init)(unsigned);
    int (*DeviceGet)(int*, int);
    int (*DeviceGetAttribute)(int*, int, int);
    int (*DevicePrimaryCtxRetain)(void**, int);
    int (*CtxSetCurrent)(void*);
    int (*CtxSynchronize)();
    int (*MemPoolCreate)(void**, const PoolProperties*);
    int (*MemPoolSetAttribute)(void*, int, void*);
    int (*MemAllocFromPoolAsync)(uint64_t*, size_t, void*, void*);
    int (*MemFreeAsync)(uint64_t, void*);
    int (*MemcpyHtoD)(uint64_t, const void*, size_t);
    int (*MemcpyDtoH)(void*, uint64_t, size_t);
    int (*MemcpyDtoD)(uint64_t, uint64_t, size_t);
    int (*MemsetD8)(uint64_t, unsigned char, size_t);
    int (*MemHostAlloc)(void**, size_t, unsigned);
    int (*MemFreeHost)(void*);
    int (*StreamCreate)(void**, unsigned);
    int (*StreamWaitEvent)(void*, void*, unsigned);
    int (*EventCreate)(void**, unsigned);
    int (*EventRecord)(void*, void*);
    int (*EventSynchronize)(void*);
    int (*EventDestroy)(void*);
    int (*MemcpyHtoDAsync)(uint64_t, const void*, size_t, void*);
    int (*MemcpyDtoHAsync)(void*, uint64_t, size_t, void*);
    int (*MemcpyDtoDAsync)(uint64_t, uint64_t, size_t, void*);
    int (*ModuleLoadData)(void**, const void*);
    int (*ModuleGetFunction)(void**, void*, const char*);
    int (*ModuleGetGlobal)(uint64_t*, size_t*, void*, const char*);
    int (*FuncGetAttribute)(int*, int, void*);
    int (*LaunchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
    int (*GetErrorString)(int, const char**);
};
struct Compiler {
    int (*CreateProgram)(void**, const char*, const char*, int, const char* const*, const char* const*);
    int (*CompileProgram)(void*, int, const char* const*);
    int (*GetProgramLogSize)(void*, size_t*);
    int (*GetProgramLog)(void*, char*);
    int (*GetCUBINSize)(void*, size_t*);
    int (*GetCUBIN)(void*, char*);
    int (*DestroyProgram)(void**);
};

}  // namespace sluice::cuda
