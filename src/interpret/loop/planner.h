// Resolves a module once: names become slots, values become functions over registers, statements become steps.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "interpret/instructions.h"
#include "interpret/loop/machine.h"

namespace sluice::interpret::loops {

/// A value: `run` fills a register for each lane. A pointer, and a structure by its place, is one register that holds a Pointer.
struct Code {
    loop::DType type;
    std::function<void(Thread&, Cell*)> run;

    std::size_t registers() const { return type.compound ? 1 : type.lanes; }
    Cell one(Thread& thread) const {
        Cell result;
        run(thread, &result);
        return result;
    }
    bool holds(Thread& thread) const { return one(thread).as<bool>(); }
};
/// Index arithmetic, checked for overflow.
using Whole = std::function<std::int64_t(Thread&)>;

/// combined = op(old, incoming), lane by lane.
using Combine = std::function<void(Thread&, const Cell* before, const Cell* incoming, Cell* combined)>;

class Planner {
public:
    explicit Planner(Machine& machine);
    const FunctionPlan& run();

    enum class NameKind : std::uint8_t { Variable, Buffer, Stream };
    struct Binding {
        std::uint32_t slot = 0;
        loop::DType type;
        NameKind kind = NameKind::Variable;
    };

private:
    std::unique_ptr<FunctionPlan> function(const loop::Function& source, bool is_program);
    Binding define(const std::string& name, const loop::DType& type, NameKind kind);
    const Binding& find(const std::string& name) const;
    [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;

    // ---- values (values.cpp, indices.cpp) ----
    Code value(const loop::ValuePtr& value);
    /// A subscript; 0 where there is none.
    Whole index(const loop::ValuePtr& value);
    Whole whole(const symbolic::Expr& e);
    Code load(const std::string& buffer, const loop::ValuePtr& at, const loop::DType& type);
    Code literal(const loop::DType& type, const Cell& cell);
    Code unary(const loop::Value& v, const loop::Unary& n);
    Code binary(const loop::Value& v, const loop::Binary& n);
    Code select(const loop::Value& v, const loop::Select& n);
    Code cast(const loop::Value& v, const loop::Cast& n);
    Code call(const loop::Value& v, const loop::Call& n);
    Code member(const loop::Value& v, const loop::Member& n);

    // ---- statements (statements.cpp, concurrent.cpp, launches.cpp, streams.cpp) ----
    Steps body(const loop::Body& statements);
    Step step(const loop::Statement& statement);
    template <class Node> std::function<void(Thread&)> leaf(const Node& node);
    std::function<void(Thread&)> update(const loop::Update& n);
    std::function<void(Thread&)> grow(const loop::Grow& n);
    std::function<void(Thread&)> call_library(const loop::Extern& n);
    std::function<void(Thread&)> drain(const loop::Drain& n);
    std::function<void(Thread&)> failure(const loop::Fail& n);
    Combine combination(code::ReductionType op, const loop::DType& type);
    std::unique_ptr<Compound> compound(const loop::Statement& statement);
    std::unique_ptr<Compound> loop_of(const loop::For& n);
    std::unique_ptr<Compound> launch(const loop::Launch& n);
    std::unique_ptr<Compound> on_queue(const loop::Queued& queued, const loop::Launch* launch, std::unique_ptr<Compound> work);
    std::unique_ptr<Compound> copy_on_queue(const loop::CopyContiguous& n);
    std::unique_ptr<Compound> await(const loop::Await& n);
    std::unique_ptr<Compound> axis_loop(const loop::For& n);
    std::unique_ptr<Compound> push(const loop::Push& n);
    std::unique_ptr<Compound> pop(const loop::Pop& n);
    std::unique_ptr<Compound> consume(const loop::Consume& n);
    std::unique_ptr<Compound> invoke(const loop::Invoke& n);
    /// Of messages and collectives; null for others.
    std::unique_ptr<Compound> message_step(const loop::Statement& statement);

    Machine& machine_;
    std::map<std::string, Binding> names_;
    std::uint32_t slots_ = 0;
    const loop::Function* function_ = nullptr;
    StatementId at_ = 0;
    std::map<std::string, const FunctionPlan*> callable_;
};

/// Fails with I007 where a statement is only a target's to carry out.
const FunctionPlan& make_plan(Machine& machine);
std::int64_t fail_with(const Diagnostic& problem);

/// result = operation(a, b, c), of registers.
inline Cell apply(Operation operation, const Cell& a, const Cell& b = {}, const Cell& c = {}) {
    Cell registers[4] = {{}, a, b, c};
    const Instruction instruction{operation, 0, 1, 2, 3};
    Execution run{registers, nullptr, nullptr, nullptr};
    operation(&instruction, run);
    return registers[0];
}

}  // namespace sluice::interpret::loops
