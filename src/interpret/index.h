// Symbolic expressions resolved to slots of a frame, evaluated in checked 64-bit integers.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "interpret/numbers.h"
#include "symbolic/expr.h"

namespace sluice::interpret {

class Machine;
struct Frame;
struct Program;

/// One dimension of a shape, a bound of a range, an offset.
class Index {
public:
    Index() = default;
    explicit Index(std::int64_t constant) : constant_(constant) {}

    /// Throws Failure I006 on overflow.
    std::int64_t value(Machine& machine, Frame& frame) const {
        if (kind_ == Kind::Constant) [[likely]]
            return constant_;
        return evaluate(machine, frame);
    }
    bool is_constant() const { return kind_ == Kind::Constant; }

private:
    friend class PlanBuilder;
    enum class Kind : std::uint8_t { Constant, Affine, Stack, Code, Symbolic };
    enum class Step : std::uint8_t {
        Push,
        Symbol,
        Add,
        Multiply,
        FloorDivide,
        Modulo,
        Minimum,
        Maximum,
        Equal,
        Less,
        LessEqual,
        And,
        Or,
        Not,
        Select
    };
    struct Instruction {
        Step step;
        std::int64_t operand = 0;
    };

    std::int64_t evaluate(Machine& machine, Frame& frame) const;
    std::int64_t affine(const Frame& frame) const;
    std::int64_t stack(const Frame& frame) const;

    Kind kind_ = Kind::Constant;
    std::int64_t constant_ = 0;
    std::vector<std::pair<std::uint32_t, std::int64_t>> terms_;  ///< Slot, coefficient.
    std::vector<Instruction> steps_;
    std::shared_ptr<Program> code_;
    std::uint32_t result_ = 0;
    Scalar result_type_ = Scalar::Int64;
    symbolic::Expr expression_;
    std::vector<std::pair<std::string, std::uint32_t>> names_;
};

}  // namespace sluice::interpret
