// A range is no value of programs: loops go over it, `list` and its kin take its elements. One that NumPy would make an array of,
// as an index or an argument, is written as the list of its elements; a name that is bound once, to a range, becomes names for its
// bounds:
//     rows = range(n)                ->      rows_0 = n
//     grad[rows, labels] -= 1                grad[list(range(rows_0)), labels] -= 1
//     for i in rows: ...                     for i in range(rows_0): ...
// Any other use of a range (what is returned, compared, handed on) is refused where it stands.
#include "frontend/python/ranges.h"

#include <algorithm>
#include <map>
#include <set>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/repeatable.h"

namespace sluice::frontend {

using namespace code;

namespace {

class Ranges {
public:
    Ranges(const FunctionStmt& function, const Bindings& globals)
        : globals_(with_imports(globals, function.body)),
          assigned_(binding_counts(function.body)),
          taken_(occurrences(function.body)),
          others_(inner_names(function.body)) {
        for (const Parameter& one : function.parameters) others_.insert(one.name);
        walk_statements(function.body, [&](const Stmt& one) {
            const auto* s = std::get_if<AssignStmt>(&one.node);
            const auto* call = s && s->targets.size() == 1 ? std::get_if<CallExpr>(&s->value->node) : nullptr;
            const std::string name(call ? name_of(s->targets[0]) : std::string_view());
            static const std::set<std::string> kNew{"zeros",      "ones",      "empty",      "full",     "array",
                                                    "zeros_like", "ones_like", "empty_like", "full_like"};
            const std::string of = call ? qualified_name(*call->function, globals_) : std::string();
            if (of.starts_with("numpy.") && kNew.contains(of.substr(6)) && assigned_[name] == 1 && !others_.contains(name))
                arrays_.insert(name);
            return !std::holds_alternative<FunctionStmt>(one.node);
        });
        own_range_ = globals.contains("range") || taken_as_name("range");
        if (own_range_) return;
        note_in(function.body);
    }

    Body in(const Body& body) const {
        Body result;
        for (const StmtPtr& one : body) {
            const auto* s = std::get_if<AssignStmt>(&one->node);
            const auto named = s && s->targets.size() == 1 ? named_.find(std::string(name_of(s->targets[0]))) : named_.end();
            if (s && s->targets.size() == 1 && takes_elements(s->targets[0])) {
                result.push_back(make_assignment(in(s->targets[0]), as_list(s->value), one->span));
                continue;
            }
            if (named == named_.end()) {
                result.push_back(with_parts(
                    one, [&](const ExprPtr& e) { return in(e); }, [&](const Body& inside) { return in(inside); }));
                continue;
            }
            const auto& given = std::get<CallExpr>(s->value->node).arguments;
            const auto& bounds = std::get<CallExpr>(named->second->node).arguments;
            for (std::size_t at = 0; at < given.size(); ++at)
                if (bounds[at] != given[at]) result.push_back(make_assignment(bounds[at], in(given[at]), one->span));
        }
        if (result.empty() && !body.empty()) result.push_back(make_statement(PassStmt{}, body[0]->span));
        return result;
    }

private:
    bool is_range(const ExprPtr& e) const {
        const auto* call = own_range_ ? nullptr : std::get_if<CallExpr>(&e->node);
        const auto plain = [](const ExprPtr& one) { return !std::holds_alternative<StarredExpr>(one->node); };
        return call && name_of(call->function) == "range" && call->keywords.empty() && !call->arguments.empty() &&
               call->arguments.size() <= 3 && std::ranges::all_of(call->arguments, plain);
    }

    /// Where all uses follow the binding in one list of statements, it is never unbound.
    void note_in(const Body& body) {
        for (std::size_t at = 0; at < body.size(); ++at) {
            for_each_body(*body[at], [&](const Body& inside) { note_in(inside); });
            const auto* s = std::get_if<AssignStmt>(&body[at]->node);
            const std::string name(s && s->targets.size() == 1 ? name_of(s->targets[0]) : std::string_view());
            if (name.empty() || assigned_[name] != 1 || others_.contains(name) || !is_range(s->value)) continue;
            const int uses = occurrences(Body(body.begin() + static_cast<std::ptrdiff_t>(at), body.end()))[name];
            if (uses == taken_[name]) note(name, std::get<CallExpr>(s->value->node));
        }
    }

    void note(const std::string& name, CallExpr range) {
        for (std::size_t at = 0; at < range.arguments.size(); ++at) {
            ExprPtr& bound = range.arguments[at];
            if (std::holds_alternative<ConstantExpr>(bound->node)) continue;
            std::string own = name + "_" + std::to_string(at);
            while (taken_.contains(own) || others_.contains(own)) own += "_";
            bound = make_name(own, bound->span);
        }
        const Span& span = range.function->span;
        named_.emplace(name, make_expression(std::move(range), span));
    }

    /// `x[0] = range(n)` of an array, `x[a:b] = range(n)` of anything that has slices.
    bool takes_elements(const ExprPtr& target) const {
        const auto* part = std::get_if<SubscriptExpr>(&target->node);
        const auto is_slice = [](const ExprPtr& one) { return std::holds_alternative<SliceExpr>(one->node); };
        return part &&
               (arrays_.contains(std::string(name_of(part->object))) || std::ranges::any_of(elements_of(part->index), is_slice));
    }

    /// The expression where NumPy makes an array of what it gets.
    ExprPtr as_list(const ExprPtr& e) const {
        const ExprPtr inside = in(e);
        const auto* part = std::get_if<SubscriptExpr>(&inside->node);
        if (part && is_range(part->object)) {
            const ExprPtr all = make_call("list", {part->object}, e->span);
            return make_expression(SubscriptExpr{all, part->index}, e->span);
        }
        return is_range(inside) ? make_call("list", {inside}, e->span) : inside;
    }

    ExprPtr in(const ExprPtr& e) const {
        return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr {
            if (const auto named = named_.find(std::string(name_of(one))); named != named_.end()) return named->second;
            if (const auto* subscript = std::get_if<SubscriptExpr>(&one->node)) return in_subscript(*subscript, one->span);
            if (const auto* compare = std::get_if<CompareExpr>(&one->node)) return in_comparison(*compare, one->span);
            const auto* call = std::get_if<CallExpr>(&one->node);
            if (!call || !takes_elements(*call)) return nullptr;
            CallExpr copy = *call;
            copy.function = in(copy.function);
            for (ExprPtr& argument : copy.arguments) argument = as_list(argument);
            for (Keyword& keyword : copy.keywords) keyword.value = as_list(keyword.value);
            return make_expression(std::move(copy), one->span);
        });
    }

    ExprPtr in_subscript(const SubscriptExpr& subscript, const Span& span) const {
        const ExprPtr object = in(subscript.object);
        ExprPtr index;
        if (const auto* several = std::get_if<TupleExpr>(&subscript.index->node)) {
            TupleExpr items;
            for (const ExprPtr& item : several->elements) items.elements.push_back(as_list(item));
            index = make_expression(std::move(items), subscript.index->span);
        } else {
            index = as_list(subscript.index);
        }
        const bool element = is_range(object) && !std::holds_alternative<SliceExpr>(index->node);
        return make_expression(SubscriptExpr{element ? make_call("list", {object}, span) : object, index}, span);
    }

    /// `k in range(a, b)` is `bool(a <= k and k < b and k % 1 == 0)`.
    ExprPtr in_comparison(const CompareExpr& compare, const Span& span) const {
        const bool is_in = compare.ops.size() == 1 && compare.ops[0] == CompareOp::In;
        if (!is_in && (compare.ops.size() != 1 || compare.ops[0] != CompareOp::NotIn)) return nullptr;
        const ExprPtr range = in(compare.operands[1]), sought = in(compare.operands[0]);
        if (!is_range(range)) return nullptr;
        const std::vector<ExprPtr>& bounds = std::get<CallExpr>(range->node).arguments;
        ExprPtr found;
        if (bounds.size() < 3 && is_pure(sought)) {
            const ExprPtr begin = bounds.size() == 1 ? make_integer(0, span) : bounds[0];
            const ExprPtr whole =
                make_compare(make_binary(BinaryOp::Mod, sought, make_integer(1), span), CompareOp::Eq, make_integer(0), span);
            found = make_expression(BoolExpr{true,
                                             {make_compare(begin, CompareOp::Le, sought, span),
                                              make_compare(sought, CompareOp::Lt, bounds.back(), span), whole}},
                                    span);
            found = make_call("bool", {found}, span);
        } else {
            found = make_compare(sought, CompareOp::In, make_call("list", {range}, span), span);
        }
        return is_in ? found : make_unary(UnaryOp::Not, found, span);
    }

    bool takes_elements(const CallExpr& call) const {
        const code::Expr& function = *call.function;
        const std::string name = qualified_name(function, globals_), plain(name_of(call.function));
        static const std::set<std::string> kOfOne{"len", "sum", "min", "max"};
        if (call.arguments.size() == 1 && kOfOne.contains(plain) && !globals_.contains(plain) && !taken_as_name(plain)) return true;
        if (name.starts_with("numpy.") || name.starts_with("statistics.") || name == "math.fsum") return true;
        static const std::set<std::string> kMethods{"take", "choice", "permutation", "searchsorted"};
        const auto* method = std::get_if<AttributeExpr>(&function.node);
        return method && name.empty() && kMethods.contains(method->name);
    }

    bool taken_as_name(const std::string& name) const { return assigned_.contains(name) || others_.contains(name); }

    Bindings globals_;
    std::map<std::string, int> assigned_, taken_;
    std::set<std::string> others_;          ///< Parameters, and what inner functions bind.
    std::map<std::string, ExprPtr> named_;  ///< Ranges of which a bound that is no literal is a name.
    std::set<std::string> arrays_;          ///< Names that are bound once, to a new array.
    bool own_range_ = false;
};

}  // namespace

StmtPtr with_ranges(const StmtPtr& function, const Bindings& globals) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    definition.body = Ranges(definition, globals).in(definition.body);
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
