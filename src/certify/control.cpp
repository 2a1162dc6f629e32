// Control flow: sequences, counted loops, affine conditions, and the symbols that they give values.
#include <algorithm>

#include "analysis/loop_range.h"
#include "analysis/symbols.h"
#include "certify/reader.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "poly/convert.h"

namespace sluice::certify {

using symbolic::Expr;

std::string tuple_of(std::size_t assignment) {
    return "S" + std::to_string(assignment);
}
poly::Space space_of(const Model& model, std::size_t assignment) {
    return {.tuple = tuple_of(assignment), .dims = model.assignments[assignment].iterators};
}
poly::Map elements_of(const Model& model, std::size_t assignment, const std::string& container, const std::vector<Expr>& indices) {
    const auto elements = poly::to_elements(symbolic::Subset::indices(indices), space_of(model, assignment), container);
    if (!elements.ok()) return {};
    return elements.value->intersect_domain(model.assignments[assignment].domain);
}

void ModelReader::refuse(const std::string& construct, const Span& where) {
    throw NoModel{{construct, where}};
}

std::variant<Model, Construct> read_model(const ir::Sdfg& sdfg) {
    try {
        return ModelReader(sdfg).read();
    } catch (NoModel& none) {
        return std::move(none.construct);
    }
}

Model ModelReader::read() {
    model_.name = root_.name;
    const std::set<std::string> free = analysis::free_symbols(root_);
    for (const std::string& name : free) {
        const auto type = root_.symbols.find(name);
        if (type != root_.symbols.end() && !code::is_integer(type->second.scalar) && type->second.scalar != code::Scalar::Bool)
            refuse("the symbol " + name + ", which is no integer", {});
        model_.symbols.push_back(name);
        names_.insert(name);
    }
    Frame frame{.sdfg = &root_, .prefix = {}, .domain = poly::Set::universe({})};
    for (const std::string& symbol : ir::assigned_symbols(root_.body)) forget(frame, symbol);
    for (const auto& [name, container] : root_.containers)
        if (!container.transient) hold(frame, name, container, true, {});
    region(frame, root_.body);
    return std::move(model_);
}

void ModelReader::forget(Frame& frame, const std::string& symbol) {
    frame.values.insert_or_assign(symbol, symbolic::call("?" + symbol, {}));
}

Expr ModelReader::value_of(const Frame& frame, const std::string& text, const Span& where) const {
    const Result<code::ExprPtr> parsed = ir::parsed_expr(text);
    if (!parsed.ok()) refuse("the expression `" + text + "`", where);
    for (const std::string& name : ir::free_names(**parsed))
        if (ir::find_container(*frame.sdfg, name)) refuse("the expression `" + text + "`, which depends on data", where);
    const Result<Expr> value = ir::to_symbolic(**parsed);
    if (!value.ok()) refuse("the expression `" + text + "`", where);
    return symbolic::substitute(*value, frame.values);
}

void ModelReader::region(Frame& frame, const ir::Region& region) {
    std::set<ir::BlockId> seen;
    std::int64_t position = 0;
    const std::vector<Step> order = frame.order;
    ir::BlockId at = region.start;
    while (at.valid() && region.blocks.contains(at)) {
        if (!seen.insert(at).second) refuse("the cycle through " + region.blocks[at].label, region.blocks[at].metadata.where);
        frame.order = order;
        frame.order.push_back({.kind = Step::Kind::Sequence, .position = position++});
        block(frame, region.blocks[at]);
        ir::BlockId next;
        for (auto [id, transition] : region.transitions) {
            if (transition.src != at) continue;
            const std::string& condition = transition.condition.text;
            const bool always = condition.empty() || condition == "1" || condition == "True" || condition == "true";
            if (!always || next.valid()) refuse("the branch after " + region.blocks[at].label, transition.metadata.where);
            next = transition.dst;
            symbolic::Substitution values = frame.values;
            for (const auto& [symbol, text] : transition.assignments) try {
                    values.insert_or_assign(symbol, value_of(frame, text, transition.metadata.where));
                } catch (const NoModel&) {
                    values.insert_or_assign(symbol, symbolic::call("?" + symbol, {}));
                }
            frame.values = std::move(values);
        }
        at = next;
    }
    frame.order = order;
}

void ModelReader::block(Frame& frame, const ir::Block& block) {
    const Span& where = block.metadata.where;
    std::visit(code::Overloaded{
                   [&](const Cow<ir::State>& of) { state(frame, *of); },
                   [&](const ir::LoopRegion& of) { loop(frame, of, block); },
                   [&](const ir::ConditionalBlock& of) { conditional(frame, of, block); },
                   [&](const ir::BreakBlock&) { refuse("a break", where); },
                   [&](const ir::ContinueBlock&) { refuse("a continue", where); },
                   [&](const ir::ReturnBlock&) { refuse("a return", where); },
                   [&](const ir::NamedRegion& of) { region(frame, of.body); },
               },
               block.kind);
}

void ModelReader::iterate(Frame& frame, const std::string& variable, const symbolic::Range& range, Step::Kind kind,
                          const std::string& what, const Span& where) {
    std::string name = variable;
    for (int n = 1; !names_.insert(name).second; ++n) name = variable + "$" + std::to_string(n);
    symbolic::Range placed = symbolic::substitute(range, frame.values);
    placed.tile = 1;
    frame.iterators.push_back(name);
    frame.domain = frame.domain.add_dimension();
    const auto exact = poly::in_range(placed, name, {.tuple = {}, .dims = frame.iterators});
    if (!exact.ok()) refuse("the range `" + symbolic::to_string(range) + "` of " + what, where);
    frame.domain = frame.domain.intersect(*exact.value);
    const std::int64_t direction = placed.step.constant().value_or(1) < 0 ? -1 : 1;
    frame.order.push_back({.kind = kind, .position = direction, .iterator = frame.iterators.size() - 1});
    frame.values.insert_or_assign(variable, symbolic::symbol(name));
}

void ModelReader::loop(Frame& frame, const ir::LoopRegion& loop, const ir::Block& block) {
    const std::optional<symbolic::Range> range = analysis::loop_range(loop);
    if (!range) refuse("the loop " + block.label + ", which counts no range", block.metadata.where);
    const std::set<std::string> assigned = ir::assigned_symbols(loop.body);
    Frame inner = frame;
    for (const std::string& symbol : assigned) forget(inner, symbol);
    iterate(inner, loop.variable, *range, Step::Kind::Loop, "the loop " + block.label, block.metadata.where);
    region(inner, loop.body);
    for (const std::string& symbol : assigned) forget(frame, symbol);
    forget(frame, loop.variable);
}

void ModelReader::conditional(Frame& frame, const ir::ConditionalBlock& conditional, const ir::Block& block) {
    const Span& where = block.metadata.where;
    Expr otherwise = symbolic::boolean(true);
    std::vector<symbolic::Substitution> values;
    bool has_else = false;
    for (const ir::Branch& branch : conditional.branches) {
        Expr holds = symbolic::boolean(true);
        has_else |= !branch.condition;
        if (branch.condition) holds = value_of(frame, branch.condition->text, where);
        const auto domain =
            poly::to_set(symbolic::logical_and(otherwise, holds), poly::Space{.tuple = {}, .dims = frame.iterators});
        if (!domain.ok()) refuse("the condition `" + (branch.condition ? branch.condition->text : "else") + "`", where);
        Frame inner = frame;
        inner.domain = inner.domain.intersect(*domain.value);
        inner.order.push_back({.kind = Step::Kind::Sequence, .position = static_cast<std::int64_t>(values.size())});
        region(inner, branch.body);
        values.push_back(inner.values);
        otherwise = symbolic::logical_and(otherwise, symbolic::logical_not(holds));
    }
    if (!has_else) values.push_back(frame.values);
    std::set<std::string> assigned;
    for (const ir::Branch& branch : conditional.branches) assigned.merge(ir::assigned_symbols(branch.body));
    for (const std::string& symbol : assigned) {
        const auto in = [&](const symbolic::Substitution& of) {
            const auto found = of.find(symbol);
            return found == of.end() ? symbolic::symbol(symbol) : found->second;
        };
        if (std::ranges::all_of(values, [&](const auto& of) { return in(of) == in(values[0]); }))
            frame.values.insert_or_assign(symbol, in(values[0]));
        else
            forget(frame, symbol);
    }
}

}  // namespace sluice::certify
