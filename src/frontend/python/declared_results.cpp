#include "frontend/python/declared_results.h"

#include <algorithm>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// `(sluice.int32, sluice.float64)` and `tuple[sluice.int32, sluice.float64]`; else the annotation alone.
std::vector<ExprPtr> annotated_parts(const ExprPtr& annotation) {
    if (const auto* subscript = std::get_if<SubscriptExpr>(&annotation->node)) {
        const auto* attribute = std::get_if<AttributeExpr>(&subscript->object->node);
        const std::string_view of = attribute ? std::string_view(attribute->name) : name_of(subscript->object);
        if (of == "tuple" || of == "Tuple") return elements_of(subscript->index);
    }
    if (std::holds_alternative<TupleExpr>(annotation->node)) return elements_of(annotation);
    return {annotation};
}

class DeclaredResults {
public:
    DeclaredResults(std::vector<std::string> types, bool several) : types_(std::move(types)), several_(several) {}

    Body of(const Body& body) const {
        Body out;
        for (const StmtPtr& one : body) {
            const auto* done = std::get_if<ReturnStmt>(&one->node);
            if (done && done->value && !is_none(done->value))
                declare(done->value, out, one->span);
            else if (done || std::holds_alternative<FunctionStmt>(one->node))
                out.push_back(one);
            else
                out.push_back(with_parts(
                    one, [](const ExprPtr& e) { return e; }, [&](const Body& inside) { return of(inside); }));
        }
        return out;
    }

private:
    void declare(const ExprPtr& value, Body& out, const Span& span) const {
        const std::vector<ExprPtr> values = several_ ? elements_of(value) : std::vector{value};
        if (values.size() != types_.size() || (several_ && !std::holds_alternative<TupleExpr>(value->node)))
            refuse("F025", "the annotation of the function declares " + std::to_string(types_.size()) + " results", span,
                   "return a tuple of as many values");
        std::vector<ExprPtr> names;
        for (std::size_t at = 0; at < values.size(); ++at) {
            names.push_back(make_name("__returned_" + std::to_string(at), values[at]->span));
            if (types_[at].empty())
                out.push_back(make_assignment(names.back(), values[at], values[at]->span));
            else
                out.push_back(std::make_shared<const Stmt>(
                    Stmt{AnnAssignStmt{names.back(), make_name(types_[at], span), values[at]}, values[at]->span}));
        }
        const ExprPtr all = several_ ? std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(names)}, span}) : names[0];
        out.push_back(std::make_shared<const Stmt>(Stmt{ReturnStmt{all}, span}));
    }

    std::vector<std::string> types_;  ///< Names of the types, one for each value; empty: it is not declared.
    bool several_;
};

}  // namespace

StmtPtr with_declared_results(const StmtPtr& statement, Bindings& bindings, const std::optional<ArgumentType>& evaluated) {
    const auto& function = std::get<FunctionStmt>(statement->node);
    if (!function.returns || occurrences(function.body).contains(function.name)) return statement;
    const std::vector<ExprPtr> parts = annotated_parts(function.returns);
    std::vector<std::string> types;
    for (const ExprPtr& part : parts) {
        const bool declared = declares_type(*part, bindings);
        const Result<std::optional<ArgumentType>> named = capture([&] { return type_of_annotation(part, bindings); });
        std::optional<ArgumentType> type;
        if (declared && named.ok() && *named) type = **named;
        if (!type && parts.size() == 1) type = evaluated;
        if (!type && declared && !named.ok()) fail(named.error());
        types.emplace_back();
        if (!type) continue;
        types.back() = "__type_of_result_" + std::to_string(types.size() - 1);
        bindings[types.back()] = TypeBinding{*type, true};
    }
    if (std::ranges::all_of(types, [](const std::string& type) { return type.empty(); })) return statement;
    Stmt declared = *statement;
    auto& rewritten = std::get<FunctionStmt>(declared.node);
    rewritten.body = DeclaredResults(std::move(types), parts[0] != function.returns).of(function.body);
    return std::make_shared<const Stmt>(std::move(declared));
}

}  // namespace sluice::frontend
