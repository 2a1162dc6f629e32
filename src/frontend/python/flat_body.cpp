#include "frontend/python/flat_body.h"

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/map_updates.h"
#include "frontend/python/masks.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

Plan FlatBody::plan(const Body& body, const std::string& label) {
    label_ = label;
    for (const StmtPtr& statement : body) add(statement);
    finish_tasklet();
    if (plan_.empty()) throw NotFlat{};
    for (std::size_t a = 0; a < plan_.size(); ++a)
        for (std::size_t b = a + 1; b < plan_.size(); ++b)
            if (touched_by(plan_[a]).conflicts_with(touched_by(plan_[b]))) throw NotFlat{};
    return std::move(plan_);
}

void FlatBody::add(const StmtPtr& statement) {
    t_.where_ = statement->span;
    if (auto item = t_.dataflow_item(statement)) {
        if (!locals_.empty()) throw NotFlat{};
        finish_tasklet();
        plan_.push_back(std::move(*item));
        return;
    }
    if (const auto* s = std::get_if<AssignStmt>(&statement->node)) {
        if (s->targets.size() != 1) throw NotFlat{};
        return assign(s->targets[0], s->value);
    }
    if (const auto* s = std::get_if<AugAssignStmt>(&statement->node)) return augmented(*s, statement->span);
    if (const auto* s = std::get_if<ForStmt>(&statement->node)) return inner_map(*s, statement->span);
    if (std::holds_alternative<PassStmt>(statement->node)) return;
    throw NotFlat{};
}

void FlatBody::inner_map(const ForStmt& loop, const Span& span) {
    const bool mapped =
        std::holds_alternative<SubscriptExpr>(loop.iterable->node) || std::holds_alternative<BinaryExpr>(loop.iterable->node);
    if (!mapped || !locals_.empty() || !loop.else_body.empty()) throw NotFlat{};
    finish_tasklet();
    std::vector<std::string> names;
    std::string label = "map";
    for (const ExprPtr& target : elements_of(loop.target)) {
        if (name_of(target).empty()) throw NotFlat{};
        names.emplace_back(name_of(target));
        label += "_" + names.back();
    }
    const auto variables = t_.variables_;
    const auto bindings = t_.bindings_;
    const auto map_params = t_.map_params_;
    const auto assumptions = t_.assumptions_;
    const Translator::MapHeader header = t_.map_header(names, loop.iterable);
    plan_.push_back(t_.plan_map(header, loop.body, false, label, span));
    t_.variables_ = variables;
    t_.bindings_ = bindings;
    t_.map_params_ = map_params;
    t_.assumptions_ = assumptions;
}

// ---- assignments --------------------------------------------------------------------------------------------------------
void FlatBody::read(const Value& value) {
    if (!value.is_scalar()) throw NotFlat{};
    for (const auto& [id, operand] : value.operands) {
        if (written_.contains(operand.data)) throw NotFlat{};
        operands_.emplace(id, operand);
    }
}

void FlatBody::set_local(const std::string& name, const Value& value, const Span& span) {
    read(value);
    std::string local = name;
    const auto is_container = [&](const std::string& candidate) {
        for (const Translator* t = &t_; t; t = t->parent_)
            if (t->sdfg_.containers.contains(candidate) || t->sdfg_.symbols.contains(candidate)) return true;
        return t_.map_params_.contains(candidate) || t_.context_.symbol_types.contains(candidate);
    };
    while (is_container(local)) local += "_local";
    locals_.emplace_back(local, value.code);
    t_.tasklet_locals_.insert(local);
    t_.bind(name, number(make_name(local, span), {value.type.dtype, value.type.weak}));
}

void FlatBody::assign(const ExprPtr& target, const ExprPtr& value) {
    if (const auto name = name_of(target); !name.empty()) {
        const Value result = t_.evaluate(value);
        if (!result.is_scalar()) throw NotFlat{};
        return set_local(std::string(name), result, target->span);
    }
    if (!std::holds_alternative<SubscriptExpr>(target->node) || Masks(t_).stand_in(target)) throw NotFlat{};
    const Target place = t_.target_of(target);
    if (place.shape.empty() && !t_.has_effects(target) && t_.points_meet(place)) {
        if (const auto update = update_said_by(target, value)) return augmented(*update, target->span);
        if (const auto extreme = extreme_said_by(target, value, t_.bindings_))
            return write(place, t_.evaluate(extreme->other), extreme->resolution);
    }
    write(place, t_.evaluate(value), {});
}

void FlatBody::augmented(const AugAssignStmt& statement, const Span& span) {
    const ExprPtr sum = make_binary(statement.op, statement.target, statement.value, span);
    if (const auto name = name_of(statement.target); !name.empty()) {
        const Value before = t_.evaluate(statement.target);
        if (!before.is_scalar()) throw NotFlat{};
        if (before.is_symbolic()) return set_local(std::string(name), t_.evaluate(sum), span);
        Value added = t_.evaluate(statement.value);
        const Target place = t_.target_of(before, span);
        const std::string wcr = t_.conflict_resolution(place, statement.op, added);
        return write(place, wcr.empty() ? t_.evaluate(sum) : added, wcr);
    }
    if (Masks(t_).stand_in(statement.target)) throw NotFlat{};
    const Target place = t_.target_of(statement.target);
    Value added = t_.evaluate(statement.value);
    const std::string wcr = t_.conflict_resolution(place, statement.op, added);
    write(place, wcr.empty() ? t_.evaluate(sum) : added, wcr);
}

void FlatBody::write(const Target& target, const Value& value, const std::string& wcr) {
    if (!target.shape.empty()) throw NotFlat{};
    read(value);
    for (const auto& [id, operand] : target.scatter_operands)
        if (id != target.view.id()) {
            if (written_.contains(operand.data)) throw NotFlat{};
            operands_.emplace(id, operand);
        }
    if (!written_.insert(target.view.data).second) throw NotFlat{};
    writes_.push_back({target, value.code, wcr});
}

void FlatBody::finish_tasklet() {
    if (writes_.empty()) {
        if (!locals_.empty() && plan_.empty()) throw NotFlat{};
        return;
    }
    // All code goes through one wiring, so that every expression sees the same connectors.
    Value all;
    all.operands = std::exchange(operands_, {});
    std::vector<ExprPtr> pieces;
    for (const auto& [name, code] : locals_) pieces.push_back(code);
    for (const Write& one : writes_) {
        pieces.push_back(one.value);
        if (one.target.scatter) pieces.push_back(std::get<SubscriptExpr>(one.target.scatter->node).index);
    }
    all.code = std::make_shared<const code::Expr>(code::Expr{TupleExpr{pieces}, t_.where_});
    Translator::Wired wired = t_.wire(all, {});
    const std::vector<ExprPtr> renamed = elements_of(wired.code);
    std::size_t next = 0;
    Body statements;
    for (const auto& [name, code] : locals_) statements.push_back(make_assignment(make_name(name), renamed[next++]));
    PlannedCode tasklet{{}, std::move(wired.in), {}, t_.where_};
    std::set<std::string> used;
    for (const Write& one : writes_) {
        std::string out = writes_.size() == 1 ? "out" : "out_" + one.target.view.data;
        while (t_.name_taken(out) || !used.insert(out).second) out += "_";
        const ExprPtr value = renamed[next++];
        ExprPtr place = make_name(out);
        ir::Memlet memlet;
        DType type;
        if (one.target.scatter) {
            place = make_subscript(place, elements_of(renamed[next++]));
            memlet = subset_memlet(one.target.view.data, symbolic::Subset::extents(t_.container(one.target.view.data).shape));
            memlet.dynamic = true;
            memlet.volume = 1;
            type = DType::pointer(one.target.view.dtype);
        } else {
            memlet = element_memlet(one.target.view.data, one.target.view.index);
        }
        if (!one.wcr.empty()) memlet.wcr = one.wcr;
        statements.push_back(make_assignment(place, value));
        tasklet.out.push_back({out, std::move(memlet), type});
    }
    std::string text = code::to_string(statements);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    tasklet.node = python_tasklet(label_, text);
    plan_.push_back(std::move(tasklet));
    locals_.clear();
    writes_.clear();
    written_.clear();
}

}  // namespace sluice::frontend
