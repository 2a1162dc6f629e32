// Statements to instructions. A local name has one type, that of code::infer_locals, and one place for its value.
#include "code/walk.h"
#include "interpret/code.h"

namespace sluice::interpret {

void CodeCompiler::declare_locals(const code::Body& body) {
    Result<std::map<std::string, code::Type>> types =
        code::infer_locals(body, [&](const std::string& name) { return names_.type_of(name); });
    if (!types) {
        Diagnostic diagnostic = types.error();
        if (diagnostic.path.empty()) diagnostic.path = path_;
        fail(std::move(diagnostic));
    }
    for (const auto& [name, type] : *types)
        if (!names_.type_of(name)) locals_.emplace(name, fresh(type.dtype, type.weak));
}

void CodeCompiler::body(const code::Body& body) {
    if (loops_.empty() && locals_.empty()) declare_locals(body);
    for (const code::StmtPtr& s : body) statement(*s);
}

void CodeCompiler::assign(const code::Expr& target, const Value& value) {
    if (const auto* name = std::get_if<code::NameExpr>(&target.node)) {
        if (names_.assign(*this, name->id, value)) return;
        const auto local = locals_.find(name->id);
        if (local == locals_.end()) refuse("`" + name->id + "` cannot be assigned here", target.span);
        return copy(convert(value, local->second.type().dtype), local->second);
    }
    if (const auto* element = std::get_if<code::SubscriptExpr>(&target.node))
        if (names_.assign_element(*this, code::dotted_name(*element->object), indices_of(*element->index), value)) return;
    refuse("only names and elements of output connectors can be assigned", target.span);
}

void CodeCompiler::statement(const code::Stmt& s) {
    std::visit(code::Overloaded{
                   [&](const code::AssignStmt& n) {
                       const auto* targets = std::get_if<code::TupleExpr>(&n.targets[0]->node);
                       if (targets && n.targets.size() == 1) {
                           const auto* values = std::get_if<code::TupleExpr>(&n.value->node);
                           if (!values || values->elements.size() != targets->elements.size())
                               refuse("a tuple of as many values as targets is needed", n.value->span);
                           std::vector<Value> results;
                           for (const code::ExprPtr& value : values->elements) {
                               const Value result = expression(*value);
                               results.push_back(fresh(result.type().dtype, result.weak));
                               copy(result, results.back());
                           }
                           for (std::size_t at = 0; at < results.size(); ++at) assign(*targets->elements[at], results[at]);
                           return;
                       }
                       const Value value = expression(*n.value);
                       for (const code::ExprPtr& target : n.targets) assign(*target, value);
                   },
                   [&](const code::AugAssignStmt& n) {
                       const Value present = expression(*n.target);
                       assign(*n.target, binary(n.op, present, expression(*n.value), s.span));
                   },
                   [&](const code::AnnAssignStmt& n) {
                       if (n.value) assign(*n.target, expression(*n.value));
                   },
                   [&](const code::ExprStmt& n) {
                       if (!std::holds_alternative<code::ConstantExpr>(n.value->node)) expression(*n.value);
                   },
                   [&](const code::IfStmt& n) {
                       const std::uint32_t holds = condition(*n.condition).registers[0];
                       const std::size_t to_else = emit(jump_if_not(), 0, holds);
                       for (const code::StmtPtr& inner : n.then_body) statement(*inner);
                       if (n.else_body.empty()) return land(to_else);
                       const std::size_t to_end = emit(jump(), 0);
                       land(to_else);
                       for (const code::StmtPtr& inner : n.else_body) statement(*inner);
                       land(to_end);
                   },
                   [&](const code::WhileStmt& n) { repeat(n); },
                   [&](const code::ForStmt& n) { count(n, s.span); },
                   [&](const code::BreakStmt&) {
                       if (loops_.empty()) refuse("`break` outside a loop", s.span);
                       loops_.back().breaks.push_back(emit(jump(), 0));
                   },
                   [&](const code::ContinueStmt&) {
                       if (loops_.empty()) refuse("`continue` outside a loop", s.span);
                       loops_.back().continues.push_back(emit(jump(), 0));
                   },
                   [](const code::PassStmt&) {},
                   [&](const code::AssertStmt& n) {
                       const std::size_t over = emit(jump_if(), 0, condition(*n.condition).registers[0]);
                       emit(failed_assertion(), 0);
                       land(over);
                   },
                   [](const code::ImportStmt&) {},
                   [&](const auto&) { refuse("this statement has no meaning in a tasklet", s.span); },
               },
               s.node);
}

void CodeCompiler::repeat(const code::WhileStmt& loop) {
    const std::size_t top = here();
    const std::uint32_t holds = condition(*loop.condition).registers[0];
    const std::size_t exit = emit(jump_if_not(), 0, holds);
    loops_.emplace_back();
    for (const code::StmtPtr& inner : loop.body) statement(*inner);
    for (const std::size_t at : loops_.back().continues) land(at);
    jump_to(top);
    land(exit);
    const Loop done = std::move(loops_.back());
    loops_.pop_back();
    for (const code::StmtPtr& inner : loop.else_body) statement(*inner);
    for (const std::size_t at : done.breaks) land(at);
}

// `for i in range(...)`; afterwards the name keeps its last value, as in Python.
void CodeCompiler::count(const code::ForStmt& loop, const Span& where) {
    const auto* call = std::get_if<code::CallExpr>(&loop.iterable->node);
    const auto* name = std::get_if<code::NameExpr>(&loop.target->node);
    if (!call || !name || code::dotted_name(*call->function) != "range" || call->arguments.empty() || call->arguments.size() > 3)
        refuse("only `for name in range(...)` has a meaning here", where);
    const auto bound = [&](std::size_t at) {
        const Value held = fresh(Scalar::Int64, true);
        copy(convert(expression(*call->arguments[at]), Scalar::Int64), held);
        return held;
    };
    const Value zero = constant(Scalar::Int64, cell<std::int64_t>(0), true);
    const bool from = call->arguments.size() > 1;
    const Value at = fresh(Scalar::Int64, true);
    copy(from ? bound(0) : zero, at);
    const Value end = bound(from ? 1 : 0);
    const Value step = call->arguments.size() == 3 ? bound(2) : constant(Scalar::Int64, cell<std::int64_t>(1), true);
    const std::size_t top = here();
    // (at < end and step > 0) or (at > end and step < 0): the sign of (end - at) * step, without its overflow.
    const Value up = compare(code::CompareOp::Gt, step, zero, where), down = compare(code::CompareOp::Lt, step, zero, where);
    const Value below = compare(code::CompareOp::Lt, at, end, where), above = compare(code::CompareOp::Gt, at, end, where);
    const Value goes_up = fresh(Scalar::Bool), goes_down = fresh(Scalar::Bool), goes = fresh(Scalar::Bool);
    emit(function("logical_and", 2, Scalar::Bool), goes_up.registers[0], up.registers[0], below.registers[0]);
    emit(function("logical_and", 2, Scalar::Bool), goes_down.registers[0], down.registers[0], above.registers[0]);
    emit(function("logical_or", 2, Scalar::Bool), goes.registers[0], goes_up.registers[0], goes_down.registers[0]);
    const std::size_t exit = emit(jump_if_not(), 0, goes.registers[0]);
    assign(*loop.target, at);
    loops_.emplace_back();
    for (const code::StmtPtr& inner : loop.body) statement(*inner);
    for (const std::size_t landing : loops_.back().continues) land(landing);
    emit(arithmetic(code::BinaryOp::Add, Scalar::Int64), at.registers[0], at.registers[0], step.registers[0]);
    jump_to(top);
    land(exit);
    const Loop done = std::move(loops_.back());
    loops_.pop_back();
    for (const code::StmtPtr& inner : loop.else_body) statement(*inner);
    for (const std::size_t landing : done.breaks) land(landing);
}

}  // namespace sluice::interpret
