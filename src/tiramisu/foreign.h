// What Tiramisu's programs name that objects have not here: messages between ranks, libraries of a device. It is refused where it
// is used (M018).
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "tiramisu/core.h"

namespace tiramisu {

enum xfer_attr { SYNC, ASYNC, MPI, CUDA, BLOCK, NONBLOCK, CPU2CPU, CPU2GPU, GPU2CPU, GPU2GPU };

class xfer_prop {
public:
    xfer_prop(primitive_t, std::initializer_list<xfer_attr>) {}
};
struct collapse_group {
    collapse_group(int, int, int, int) {}
};
class message : public computation {
public:
    void collapse_many(const std::vector<collapse_group>&) {}
    void set_wait_access(const std::string&) {}
};
using send = message;
using recv = message;
struct xfer {
    send* s;
    recv* r;
};
class wait : public computation {
public:
    wait(const expr& rhs, const xfer_prop& properties, function* fct);
};

expr cublas_gemm(const buffer& a, const buffer& b, buffer& c, expr m, expr n, expr k, expr alpha = 1, expr beta = 0, expr lda = 0,
                 expr ldb = 0, expr ldc = 0, expr offset_a = 0, expr offset_b = 0, expr offset_c = 0, expr transpose_a = 0,
                 expr transpose_b = 0);

}  // namespace tiramisu
