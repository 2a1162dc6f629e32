// A slice is no value of programs. One that is made where it is an index is written as such, `A[slice(1, n)]` and `A[np.s_[1:n]]`
// are `A[1:n]`; a name that is bound to nothing but slices, or to tuples with them, becomes names for their bounds:
//     rows = slice(2 * i, 2 * i + 2)        ->      rows_0 = 2 * i; rows_1 = 2 * i + 2
//     K[rows, rows] += k                            K[rows_0:rows_1, rows_0:rows_1] += k
// so that they are evaluated where Python does it. Bounds that are the same wherever they stand are written in their places. Any
// other use of such a name is refused where it stands.
#include "frontend/python/slices.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/repeatable.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// Of numbers, sizes and names that no statement binds.
bool never_changes(const ExprPtr& e, const std::map<std::string, int>& assigned) {
    if (const auto* name = std::get_if<NameExpr>(&e->node)) return !assigned.contains(name->id);
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) {
        const auto* shape = std::get_if<AttributeExpr>(&subscript->object->node);
        return shape && shape->name == "shape" && never_changes(shape->object, assigned) &&
               never_changes(subscript->index, assigned);
    }
    bool all = std::holds_alternative<ConstantExpr>(e->node) || std::holds_alternative<UnaryExpr>(e->node) ||
               std::holds_alternative<BinaryExpr>(e->node);
    for_each_child(*e, [&](const ExprPtr& one) { all = all && never_changes(one, assigned); });
    return all;
}

class Slices {
public:
    Slices(const FunctionStmt& function, const Bindings& globals)
        : globals_(globals), assigned_(binding_counts(function.body)), others_(inner_names(function.body)) {
        for (const Parameter& one : function.parameters) others_.insert(one.name);
        own_slice_ = globals.contains("slice") || assigned_.contains("slice") || others_.contains("slice");
        taken_ = occurrences(function.body);
        collect(function.body);
        for (const std::string& name : others_) forms_.erase(name);
        std::erase_if(forms_, [&](const auto& entry) { return entry.second.bindings != assigned_[entry.first]; });
    }

    Body in(const Body& body) {
        Body result;
        for (const StmtPtr& one : body) {
            const auto* s = std::get_if<AssignStmt>(&one->node);
            if (!s || s->targets.size() != 1 || !bind(s->targets[0], s->value, one->span, result))
                result.push_back(with_parts(
                    one, [&](const ExprPtr& e) { return in(e); }, [&](const Body& inside) { return in(inside); }));
        }
        if (result.empty() && !body.empty()) result.push_back(make_statement(PassStmt{}, body[0]->span));
        return result;
    }

private:
    /// What a name is bound to: an index, whose parts are names where they change.
    struct Form {
        ExprPtr index;
        std::vector<std::pair<std::string, std::size_t>> changing;  ///< Names, for parts that are counted through the index.
        int bindings = 0;
    };

    /// The index that an expression stands for if it has a slice: `slice(a, b)`, `np.s_[...]`, a tuple of those and of others.
    std::optional<ExprPtr> slices_of(const ExprPtr& e) const {
        const auto* call = std::get_if<CallExpr>(&e->node);
        if (call && !own_slice_ && name_of(call->function) == "slice" && call->keywords.empty()) {
            std::vector<ExprPtr> bounds = call->arguments;
            if (bounds.empty() || bounds.size() > 3) return std::nullopt;
            if (bounds.size() == 1) bounds.insert(bounds.begin(), nullptr);
            bounds.resize(3);
            for (ExprPtr& bound : bounds)
                if (bound && is_none(bound)) bound = nullptr;
            return make_expression(SliceExpr{bounds[0], bounds[1], bounds[2]}, e->span);
        }
        if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) {
            const std::string maker = qualified_name(*subscript->object, globals_);
            if (maker == "numpy.s_" || maker == "numpy.index_exp") return subscript->index;
        }
        const auto* tuple = std::get_if<TupleExpr>(&e->node);
        if (!tuple) return std::nullopt;
        bool found = false;
        TupleExpr items;
        for (const ExprPtr& item : tuple->elements) {
            const auto slice = slices_of(item);
            if (slice && std::holds_alternative<TupleExpr>((*slice)->node)) return std::nullopt;
            found = found || slice;
            items.elements.push_back(slice.value_or(item));
        }
        return found ? std::optional(make_expression(std::move(items), e->span)) : std::nullopt;
    }

    /// The index with its parts, bounds of slices and other items, as `of` has them.
    static ExprPtr with_parts_of(const ExprPtr& index, const std::function<ExprPtr(const ExprPtr&)>& of) {
        if (const auto* slice = std::get_if<SliceExpr>(&index->node)) {
            const auto bound = [&](const ExprPtr& e) { return e ? of(e) : e; };
            const ExprPtr begin = bound(slice->begin), end = bound(slice->end), step = bound(slice->step);
            return make_expression(SliceExpr{begin, end, step}, index->span);
        }
        if (const auto* tuple = std::get_if<TupleExpr>(&index->node)) {
            TupleExpr items;
            for (const ExprPtr& item : tuple->elements) items.elements.push_back(with_parts_of(item, of));
            return make_expression(std::move(items), index->span);
        }
        const auto* constant = std::get_if<ConstantExpr>(&index->node);
        return is_none(index) || (constant && std::holds_alternative<EllipsisValue>(constant->value)) ? index : of(index);
    }

    void collect(const Body& body) {
        walk_statements(body, [&](const Stmt& one) {
            if (const auto* s = std::get_if<AssignStmt>(&one.node); s && s->targets.size() == 1) note(s->targets[0], s->value);
            return !std::holds_alternative<FunctionStmt>(one.node);
        });
    }
    void note(const ExprPtr& target, const ExprPtr& value) {
        if (const auto each = one_by_one(target, value)) {
            for (const auto& [part, slice] : *each) note(part, slice);
            return;
        }
        const std::string name(name_of(target));
        const auto index = name.empty() ? std::nullopt : slices_of(value);
        if (!index) return;
        const bool once = assigned_.at(name) == 1;
        Form form{nullptr, {}, 1};
        std::size_t at = 0;
        form.index = with_parts_of(*index, [&](const ExprPtr& part) {
            const std::size_t place = at++;
            if (once && never_changes(part, assigned_)) return part;
            std::string own = name + "_" + std::to_string(place);
            while (taken_.contains(own) || others_.contains(own)) own += "_";
            form.changing.emplace_back(own, place);
            return make_name(own, part->span);
        });
        const auto [known, added] = forms_.emplace(name, form);
        if (added) return;
        ++known->second.bindings;
        if (code::to_string(*known->second.index) != code::to_string(*form.index)) others_.insert(name);
    }

    /// `left, right = slice(None, -1), slice(1, None)`, one after the other.
    std::optional<std::vector<std::pair<ExprPtr, ExprPtr>>> one_by_one(const ExprPtr& target, const ExprPtr& value) const {
        const auto *names = std::get_if<TupleExpr>(&target->node), *values = std::get_if<TupleExpr>(&value->node);
        if (!names || !values || names->elements.size() != values->elements.size()) return std::nullopt;
        std::vector<std::pair<ExprPtr, ExprPtr>> each;
        for (std::size_t at = 0; at < names->elements.size(); ++at) {
            const bool mentioned = std::ranges::any_of(
                names->elements, [&](const ExprPtr& name) { return mentions_name(value, std::string(name_of(name))); });
            if (name_of(names->elements[at]).empty() || !slices_of(values->elements[at]) || mentioned) return std::nullopt;
            each.emplace_back(names->elements[at], values->elements[at]);
        }
        return each;
    }

    /// False for an assignment that is another.
    bool bind(const ExprPtr& target, const ExprPtr& value, const Span& span, Body& out) {
        if (const auto each = one_by_one(target, value)) {
            if (!std::ranges::all_of(*each, [&](const auto& one) { return forms_.contains(std::string(name_of(one.first))); }))
                return false;
            for (const auto& [part, slice] : *each) bind(part, slice, span, out);
            return true;
        }
        const auto form = forms_.find(std::string(name_of(target)));
        if (form == forms_.end()) return false;
        std::vector<ExprPtr> parts;
        with_parts_of(*slices_of(value), [&](const ExprPtr& part) {
            parts.push_back(part);
            return part;
        });
        for (const auto& [name, at] : form->second.changing)
            out.push_back(make_assignment(make_name(name, span), in(parts[at]), span));
        return true;
    }

    ExprPtr in(const ExprPtr& e) {
        return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr {
            if (const auto form = forms_.find(std::string(name_of(one))); form != forms_.end()) return form->second.index;
            if (const auto* attribute = std::get_if<AttributeExpr>(&one->node)) return bound_of(*attribute, one->span);
            const auto* subscript = std::get_if<SubscriptExpr>(&one->node);
            if (!subscript || slices_of(one)) return nullptr;
            const auto index = slices_of(subscript->index);
            return make_expression(SubscriptExpr{in(subscript->object), in(index.value_or(subscript->index))}, one->span);
        });
    }

    /// `rows.start`, `rows.stop`, `rows.step`.
    ExprPtr bound_of(const AttributeExpr& attribute, const Span& span) const {
        const auto form = forms_.find(std::string(name_of(attribute.object)));
        const auto* slice = form == forms_.end() ? nullptr : std::get_if<SliceExpr>(&form->second.index->node);
        const bool start = attribute.name == "start", stop = attribute.name == "stop";
        if (!slice || (!start && !stop && attribute.name != "step")) return nullptr;
        const ExprPtr bound = start ? slice->begin : stop ? slice->end : slice->step;
        return bound ? bound : make_expression(ConstantExpr{NoneValue{}}, span);
    }

    const Bindings& globals_;
    std::map<std::string, int> assigned_, taken_;
    std::set<std::string> others_;  ///< Names that are bound otherwise, too.
    std::map<std::string, Form> forms_;
    bool own_slice_ = false;
};

}  // namespace

StmtPtr with_slices(const StmtPtr& function, const Bindings& globals) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    definition.body = Slices(definition, globals).in(definition.body);
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
