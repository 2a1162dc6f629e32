// Python expressions over operands of known types.
#pragma once

#include <string>
#include <vector>

#include "code/dtype.h"
#include "fuzz/random.h"

namespace sluice::fuzz {

using code::Scalar;

struct Operand {
    std::string text;
    Scalar type;
};

class Expressions {
public:
    Expressions(Random& random, std::vector<Operand> operands) : random_(random), operands_(std::move(operands)) {}

    /// An expression that can be assigned to an element of the type: what C++ leaves undefined (a float beyond the range of an
    /// integer) does not happen.
    std::string of_type(Scalar type, int depth);
    std::string boolean(int depth);
    std::string whole(int depth);
    std::string real(int depth);
    std::string complex(int depth);

private:
    const Operand* operand(bool (*fits)(Scalar));
    std::string whole_leaf();
    std::string real_leaf();
    std::string complex_leaf();

    Random& random_;
    std::vector<Operand> operands_;
};

}  // namespace sluice::fuzz
