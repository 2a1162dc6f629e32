// `for i in sluice.map[...]`: a map whose body is planned flat where it needs no control flow, and is a nested SDFG otherwise.
#include <algorithm>
#include <utility>

#include "analysis/conflicts.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/flat_body.h"
#include "frontend/python/map_updates.h"
#include "frontend/python/nested.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

Translator::MapHeader Translator::map_header(const std::vector<std::string>& params, const ExprPtr& iterable) {
    if (const auto* with_schedule = std::get_if<BinaryExpr>(&iterable->node);
        with_schedule && with_schedule->op == BinaryOp::MatMul) {
        MapHeader header = map_header(params, with_schedule->left);
        const std::string name = qualified_name(*with_schedule->right, bindings_);
        const auto schedule = ir::parse_enum<ir::Schedule>(name.substr(name.rfind('.') + 1));
        if (!schedule)
            refuse("F012", "this is no schedule", with_schedule->right->span, "use for example sluice.ScheduleType.Sequential");
        header.schedule = *schedule;
        return header;
    }
    const auto* subscript = std::get_if<SubscriptExpr>(&iterable->node);
    if (!subscript) unsupported("a loop over this value", iterable->span, "loop over range(...) or sluice.map[...]");
    return map_header(params, elements_of(subscript->index), iterable->span);
}

Translator::MapHeader Translator::map_header(const std::vector<std::string>& params, const std::vector<ExprPtr>& ranges,
                                             const Span& span) {
    if (params.size() != ranges.size())
        refuse("F012", std::to_string(params.size()) + " parameters for " + std::to_string(ranges.size()) + " ranges of a map",
               span, "give one parameter for each range");
    MapHeader header;
    const bool in_point = !map_params_.empty();
    const auto bound = [&](const ExprPtr& e, const Expr& missing) {
        if (!e) return missing;
        Value value = evaluate(e);
        if (const auto known = as_integer(value)) return *known;
        if (!value.is_scalar() || !code::is_integer(value.type.dtype.scalar))
            refuse("F010", "the bounds of a map must be integers", e->span, "use an integer expression; int(...) converts");
        // Bounds read from data are inputs of the map.
        std::map<std::string, ExprPtr> names;
        for (const auto& [id, operand] : value.operands) {
            if (operand.whole) return integer_of(value, e->span, "bound");
            std::string symbol = operand.data + "_bound";
            std::set<std::string> used = map_parameters();
            for (const PlannedMemlet& other : header.dynamic) used.insert(other.connector);
            for (int suffix = 0; name_taken(symbol) || used.contains(symbol); ++suffix)
                symbol = operand.data + "_bound" + std::to_string(suffix);
            header.dynamic.push_back({symbol, element_memlet(operand.data, operand.index)});
            assumptions_.assume_any(symbol);
            if (in_point) bounds_in_points_.insert(symbol);
            names.emplace(id, make_name(symbol));
        }
        const auto symbolic = ir::to_symbolic(*replace_names(value.code, names));
        if (!symbolic.ok())
            refuse("F010", "the bounds of a map must be integers", e->span, "use integers, symbols and + - * // only");
        return *symbolic;
    };
    for (std::size_t at = 0; at < params.size(); ++at) {
        const auto* range = std::get_if<SliceExpr>(&ranges[at]->node);
        if (!range) {
            const Expr index = bound(ranges[at], 0);
            header.range.dims.push_back(symbolic::Range::index(index));
        } else {
            if (!range->end) refuse("F012", "a range of a map needs an end", ranges[at]->span, "write sluice.map[0:N]");
            header.range.dims.push_back({bound(range->begin, 0), bound(range->end, 0), bound(range->step, 1), 1});
        }
        header.params.push_back(params[at]);
        // A later range may use an earlier parameter.
        bind(params[at], symbolic_value(symbolic::symbol(params[at])));
        const symbolic::Range& dim = header.range.dims.back();
        add_map_parameter(params[at], dim);
        assumptions_.assume_in(params[at], symbolic::min_index(dim), symbolic::max_index(dim) + 1);
    }
    return header;
}

namespace {

/// Whether the first statement after `line` that names the variable reads it.
bool read_after(const Body& body, const std::string& name, std::uint32_t line) {
    std::optional<bool> reads;
    walk_statements(body, [&](const Stmt& statement) {
        if (reads || statement.span.line <= line) return !reads.has_value();
        int uses = 0;
        for_each_expr(statement, [&](const ExprPtr& e) { uses += static_cast<int>(ir::free_names(*e).contains(name)); });
        if (uses == 0) return true;
        const auto* assign = std::get_if<AssignStmt>(&statement.node);
        const bool stores = assign && assign->targets.size() == 1 && name_of(assign->targets[0]) == name;
        reads = !stores || ir::free_names(*assign->value).contains(name);
        return false;
    });
    return reads.value_or(false);
}

}  // namespace

/// Iterations have no order, so none of them can be the one whose value a variable keeps.
void Translator::refuse_outer_assignment(const Body& body, const Span& map) const {
    walk_statements(body, [&](const Stmt& statement) {
        const auto* assign = std::get_if<AssignStmt>(&statement.node);
        if (!assign)
            return !std::holds_alternative<FunctionStmt>(statement.node) && !std::holds_alternative<WithStmt>(statement.node);
        for (const ExprPtr& target : assign->targets) {
            const std::string name(name_of(target));
            if (name.empty() || !variables_.contains(name) || map_params_.contains(name)) continue;
            if (read_after(context_.function->body, name, map.end_line))
                unsupported("a map that assigns the variable " + name + " of the program around it", target->span,
                            "store one value for each iteration in an array, or accumulate with " + name + " += ...");
        }
        return true;
    });
}

PlannedScope Translator::plan_map(const MapHeader& header, const Body& body, bool one_tasklet, const std::string& label,
                                  const Span& span) {
    ir::MapEntry entry;
    entry.label = label;
    entry.params = header.params;
    entry.range = header.range;
    entry.schedule = header.schedule;
    PlannedScope scope{std::move(entry), header.dynamic, {}, {}, span};
    if (one_tasklet) {
        scope.body.push_back(explicit_tasklet(body, label, span));
        return scope;
    }
    refuse_outer_assignment(body, span);
    const Restored several(updates_several_places_, updates_several_places(body, [&](const std::string& name) {
                               if (!variables_.contains(name)) return name;
                               const Value value = evaluate(make_name(name, span));
                               const Operand* view = as_view(value);
                               return view ? view->data : name;
                           }));
    const Restored unsure(sure_loops_, {});
    const auto variables = variables_;
    const auto bindings = bindings_;
    const auto locals = tasklet_locals_;
    const auto map_params = map_params_;
    const auto assumptions = assumptions_;
    const bool outer_flat = std::exchange(flat_, true);
    try {
        scope.body = FlatBody(*this).plan(body, label);
        flat_ = outer_flat;
        variables_ = variables;
        bindings_ = bindings;
        tasklet_locals_ = locals;
        return scope;
    } catch (const NotFlat&) {
        variables_ = variables;
        bindings_ = bindings;
        tasklet_locals_ = locals;
        map_params_ = map_params;
        assumptions_ = assumptions;
        flat_ = outer_flat;
    }
    if (!tasklet_locals_.empty()) throw NotFlat{};
    scope.body.clear();
    scope.body.push_back(nested_body(body, label, span));
    return scope;
}

void Translator::translate_map(const std::vector<std::string>& params, const ExprPtr& iterable, const Body& body,
                               const Span& span) {
    refuse_flat();
    const auto variables = variables_;
    const auto bindings = bindings_;
    const auto map_params = map_params_;
    const auto assumptions = assumptions_;
    std::string label = "map";
    for (const std::string& param : params) label += "_" + param;
    const MapHeader header = map_header(params, iterable);
    PlannedScope scope = plan_map(header, body, false, label, span);
    map_params_ = map_params;
    where_ = span;
    emit_state(label, {std::move(scope)});
    variables_ = variables;
    bindings_ = bindings;
    assumptions_ = assumptions;
}

PlannedCode Translator::nested_body(const Body& body, const std::string& label, const Span& span,
                                    const std::optional<BodyElement>& element) {
    Translator child(context_, this);
    child.sdfg_.name = label;
    child.sdfg_.metadata.where = span;
    if (element) {
        ir::add_scalar(child.sdfg_, element->name, element->type).metadata.where = span;
        child.bind(element->name, child.read_container(element->name));
    }
    child.integer_locals_ = child.find_integer_locals(body);
    child.depth_ = 0;
    child.translate(body);
    ir::Sdfg inner = child.take();
    const Touched touched = containers_touched(inner);
    PlannedCode code{{}, {}, {}, span};
    std::vector<std::string> unused;
    for (const auto& [name, formal] : inner.containers) {
        if (formal.transient || (element && name == element->name)) continue;
        const ir::Memlet whole = subset_memlet(name, symbolic::Subset::extents(formal.shape));
        if (touched.reads.contains(name)) code.in.push_back({name, whole});
        if (touched.writes.contains(name)) code.out.push_back({name, whole});
        if (!touched.reads.contains(name) && !touched.writes.contains(name)) unused.push_back(name);
    }
    for (const std::string& name : unused) inner.containers.erase(name);
    ir::NestedSdfg nested;
    nested.label = label;
    map_symbols(inner, nested.symbol_mapping, span);
    nested.sdfg = Cow<ir::Sdfg>(std::move(inner));
    code.node = std::move(nested);
    return code;
}

// ---- conflicts ----------------------------------------------------------------------------------------------------------
namespace {

bool depends_on_any(const Expr& e, const std::set<std::string>& names) {
    return std::ranges::any_of(symbolic::free_symbols(e), [&](const std::string& name) { return names.contains(name); });
}

}  // namespace

/// Symbols that have several values while one point of the maps around runs, or other ones in each.
std::set<std::string> Translator::changed_in_points() const {
    std::set<std::string> names;
    for (const Translator* at = this; at; at = at->parent_) {
        names.insert(at->bounds_in_points_.begin(), at->bounds_in_points_.end());
        if (at->parent_ && !at->parent_->map_params_.empty())
            names.insert(at->defined_symbols_.begin(), at->defined_symbols_.end());
    }
    for (const auto& [name, range] : map_params_) names.erase(name);
    return names;
}

/// Do different points of the maps around name different elements, whatever happens in each?
bool Translator::points_apart(const Target& target) const {
    std::set<std::string> changed = changed_in_points();
    for (std::size_t r = 0; r < target.shape.size(); ++r) changed.insert(iteration(r).name());
    const auto is_same = [&](const symbolic::Range& range) {
        return !depends_on_any(range.begin, changed) && !depends_on_any(range.end, changed) && !depends_on_any(range.step, changed);
    };
    std::vector<analysis::NestLoop> nest;
    const Expr unknown = symbolic::call("unknown", {});
    for (const auto& [name, range] : map_params_)
        nest.push_back({name, is_same(range) ? range : symbolic::Range{unknown, unknown, range.step, 1}, true});
    const auto apart = [&] {
        symbolic::Subset elements;
        for (const Expr& e : target.view.index)
            if (!depends_on_any(e, changed)) elements.dims.push_back(symbolic::Range::index(e));
        return analysis::iterations_disjoint(elements, nest, assumptions_);
    };
    if (apart()) return true;
    // Loops in the point, over the elements of the target and those of the program, from ranges that are the same for all inwards.
    std::map<std::string, symbolic::Range> loops = counters_;
    for (std::size_t d = 0; d < target.shape.size(); ++d)
        loops.insert_or_assign(iteration(target.shape.size() - 1 - d).name(), symbolic::Range{0, target.shape[d], 1, 1});
    const std::size_t before = changed.size();
    for (bool found = true; std::exchange(found, false);)
        for (const auto& [name, range] : loops) {
            if (!changed.contains(name) || !is_same(range)) continue;
            nest.push_back({name, range, false});
            changed.erase(name);
            found = true;
        }
    return changed.size() < before && apart();
}

bool Translator::points_meet(const Target& target) const {
    if (map_params_.empty()) return false;
    // What the map body itself owns is private to the iteration.
    const ir::Container* own = sdfg_.containers.find(target.view.data);
    if (parent_ && own && own->transient) return false;
    bool elsewhere = false;
    for (const Translator* at = this; at; at = at->parent_) elsewhere = elsewhere || at->updates_several_places_;
    return target.scatter || elsewhere || !points_apart(target);
}

bool Translator::update_in_map(const ExprPtr& target, const ExprPtr& value, const Span& span) {
    if (map_params_.empty() || has_effects(target)) return false;
    const auto update = update_said_by(target, value);
    const auto extreme = extreme_said_by(target, value, bindings_);
    if (!update && !extreme) return false;
    const Target place = target_of(target);
    if ((!update && !place.shape.empty()) || !points_meet(place)) return false;
    if (update)
        augmented(*update, span);
    else
        assign(place, evaluate(extreme->other), "update", extreme->resolution);
    return true;
}

std::string Translator::conflict_resolution(const Target& target, BinaryOp op, Value& value) {
    if (!points_meet(target)) return {};
    if (op == BinaryOp::Sub) {
        value = combine({value}, where_, [&](const auto& c) { return make_unary(UnaryOp::Minus, c[0], where_); });
        op = BinaryOp::Add;
    }
    if (op == BinaryOp::Div) {
        value = combine({value}, where_, [&](const auto& c) { return make_binary(BinaryOp::Div, make_real(1), c[0], where_); });
        op = BinaryOp::Mul;
    }
    const std::string wcr = reduction_text(make_binary(op, make_name("a"), make_name("b")));
    if (wcr.empty() && (target.scatter || !points_apart(target)))
        unsupported("an update of one element by several iterations with this operator", where_, "use +, -, *, /, &, | or ^");
    return wcr;
}

}  // namespace sluice::frontend
