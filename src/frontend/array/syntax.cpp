#include "frontend/array/syntax.h"

#include <algorithm>

#include "code/walk.h"

namespace sluice::frontend {

using namespace code;

namespace {

template <class Node> ExprPtr make(Node node, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{std::move(node), span});
}

}  // namespace

ExprPtr make_text(const std::string& text, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{ConstantExpr{text}, span});
}

ExprPtr make_name(const std::string& id, const Span& span) {
    return make(NameExpr{id}, span);
}
ExprPtr make_integer(std::int64_t value, const Span& span) {
    if (value < 0 && value != INT64_MIN) return make_unary(UnaryOp::Minus, make(ConstantExpr{-value}, span), span);
    return make(ConstantExpr{value}, span);
}
ExprPtr make_real(double value, const Span& span) {
    if (value < 0) return make_unary(UnaryOp::Minus, make(ConstantExpr{-value}, span), span);
    return make(ConstantExpr{value}, span);
}
ExprPtr make_boolean(bool value, const Span& span) {
    return make(ConstantExpr{value}, span);
}
ExprPtr make_unary(UnaryOp op, ExprPtr operand, const Span& span) {
    return make(UnaryExpr{op, std::move(operand)}, span);
}
ExprPtr make_binary(BinaryOp op, ExprPtr left, ExprPtr right, const Span& span) {
    return make(BinaryExpr{op, std::move(left), std::move(right)}, span);
}
ExprPtr make_compare(ExprPtr left, CompareOp op, ExprPtr right, const Span& span) {
    return make(CompareExpr{{op}, {std::move(left), std::move(right)}}, span);
}
ExprPtr make_call(const std::string& function, std::vector<ExprPtr> arguments, const Span& span) {
    return make(CallExpr{make_name(function, span), std::move(arguments), {}}, span);
}
ExprPtr make_attribute(ExprPtr object, const std::string& name, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{AttributeExpr{std::move(object), name}, span});
}
ExprPtr make_subscript(ExprPtr object, std::vector<ExprPtr> index, const Span& span) {
    ExprPtr inside = index.size() == 1 ? index.front() : make(TupleExpr{std::move(index)}, span);
    return make(SubscriptExpr{std::move(object), std::move(inside)}, span);
}
ExprPtr make_conditional(ExprPtr condition, ExprPtr if_true, ExprPtr if_false, const Span& span) {
    return make(ConditionalExpr{std::move(condition), std::move(if_true), std::move(if_false)}, span);
}
StmtPtr make_assignment(ExprPtr target, ExprPtr value, const Span& span) {
    return std::make_shared<const Stmt>(Stmt{AssignStmt{{std::move(target)}, std::move(value)}, span});
}

// ---- renaming -----------------------------------------------------------------------------------------------------------
namespace {

struct Rename {
    const Replacement& replace;
    bool functions;  ///< Also the names of what is called.

    ExprPtr operator()(const ExprPtr& e) const {
        if (!e) return e;
        if (ExprPtr with = replace(e)) return with;
        return std::visit([&](const auto& node) { return rename(e, node); }, e->node);
    }
    std::vector<ExprPtr> all(const std::vector<ExprPtr>& list) const {
        std::vector<ExprPtr> result;
        for (const ExprPtr& e : list) result.push_back((*this)(e));
        return result;
    }
    ExprPtr rename(const ExprPtr& e, const NameExpr&) const { return e; }
    ExprPtr rename(const ExprPtr& e, const ConstantExpr&) const { return e; }
    ExprPtr rename(const ExprPtr& e, const UnaryExpr& n) const { return make(UnaryExpr{n.op, (*this)(n.operand)}, e->span); }
    ExprPtr rename(const ExprPtr& e, const BinaryExpr& n) const {
        return make(BinaryExpr{n.op, (*this)(n.left), (*this)(n.right)}, e->span);
    }
    ExprPtr rename(const ExprPtr& e, const BoolExpr& n) const { return make(BoolExpr{n.is_and, all(n.operands)}, e->span); }
    ExprPtr rename(const ExprPtr& e, const CompareExpr& n) const { return make(CompareExpr{n.ops, all(n.operands)}, e->span); }
    ExprPtr rename(const ExprPtr& e, const ConditionalExpr& n) const {
        return make(ConditionalExpr{(*this)(n.condition), (*this)(n.if_true), (*this)(n.if_false)}, e->span);
    }
    ExprPtr rename(const ExprPtr& e, const CallExpr& n) const {
        CallExpr result{n.function, all(n.arguments), n.keywords};
        if (functions || std::holds_alternative<AttributeExpr>(n.function->node)) result.function = (*this)(n.function);
        for (Keyword& keyword : result.keywords) keyword.value = (*this)(keyword.value);
        return make(std::move(result), e->span);
    }
    ExprPtr rename(const ExprPtr& e, const AttributeExpr& n) const {
        return make(AttributeExpr{(*this)(n.object), n.name}, e->span);
    }
    ExprPtr rename(const ExprPtr& e, const SubscriptExpr& n) const {
        return make(SubscriptExpr{(*this)(n.object), (*this)(n.index)}, e->span);
    }
    ExprPtr rename(const ExprPtr& e, const SliceExpr& n) const {
        return make(SliceExpr{(*this)(n.begin), (*this)(n.end), (*this)(n.step)}, e->span);
    }
    ExprPtr rename(const ExprPtr& e, const TupleExpr& n) const { return make(TupleExpr{all(n.elements)}, e->span); }
    ExprPtr rename(const ExprPtr& e, const ListExpr& n) const { return make(ListExpr{all(n.elements)}, e->span); }
    ExprPtr rename(const ExprPtr& e, const StarredExpr& n) const { return make(StarredExpr{(*this)(n.value)}, e->span); }
    ExprPtr rename(const ExprPtr& e, const NamedExpr& n) const {
        return make(NamedExpr{(*this)(n.target), (*this)(n.value)}, e->span);
    }
    ExprPtr rename(const ExprPtr& e, const DictExpr& n) const { return make(DictExpr{all(n.keys), all(n.values)}, e->span); }
    ExprPtr rename(const ExprPtr& e, const ComprehensionExpr& n) const {
        ComprehensionExpr result{(*this)(n.element), n.clauses, n.is_list};
        for (ComprehensionClause& clause : result.clauses)
            clause = {(*this)(clause.target), (*this)(clause.iterable), all(clause.conditions)};
        return make(std::move(result), e->span);
    }
    ExprPtr rename(const ExprPtr& e, const LambdaExpr& n) const {
        const Replacement inside = [&](const ExprPtr& part) -> ExprPtr {
            const bool own = std::ranges::find(n.parameters, name_of(part)) != n.parameters.end();
            return own ? part : replace(part);
        };
        return make(LambdaExpr{n.parameters, Rename{inside, functions}(n.body)}, e->span);
    }
};

}  // namespace

ExprPtr replace_parts(const ExprPtr& e, const Replacement& replace) {
    return Rename{replace, true}(e);
}

ExprPtr replace_names(const ExprPtr& e, const NameReplacement& replace) {
    const Replacement of_names = [&](const ExprPtr& part) -> ExprPtr {
        const auto* name = std::get_if<NameExpr>(&part->node);
        return name ? replace(*name) : nullptr;
    };
    return Rename{of_names, false}(e);
}

ExprPtr replace_names(const ExprPtr& e, const std::map<std::string, ExprPtr>& replacement) {
    return replace_parts(e, [&](const ExprPtr& part) -> ExprPtr {
        const auto at = replacement.find(std::string(name_of(part)));
        return at == replacement.end() ? nullptr : at->second;
    });
}

// ---- questions ----------------------------------------------------------------------------------------------------------
std::vector<ExprPtr> elements_of(const ExprPtr& e) {
    if (const auto* tuple = std::get_if<TupleExpr>(&e->node)) return tuple->elements;
    if (const auto* list = std::get_if<ListExpr>(&e->node)) return list->elements;
    return {e};
}

std::string_view name_of(const ExprPtr& e) {
    const auto* name = e ? std::get_if<NameExpr>(&e->node) : nullptr;
    return name ? std::string_view(name->id) : std::string_view();
}

bool is_none(const ExprPtr& e) {
    const auto* constant = e ? std::get_if<ConstantExpr>(&e->node) : nullptr;
    return constant && std::holds_alternative<NoneValue>(constant->value);
}

const std::string* text_of(const ExprPtr& e) {
    const auto* constant = e ? std::get_if<ConstantExpr>(&e->node) : nullptr;
    return constant ? std::get_if<std::string>(&constant->value) : nullptr;
}

const std::vector<ExprPtr>* formatted_parts(const ExprPtr& e) {
    const auto* call = e ? std::get_if<CallExpr>(&e->node) : nullptr;
    return call && name_of(call->function) == kFormatted ? &call->arguments : nullptr;
}

void walk_statements(const Body& body, const std::function<bool(const Stmt&)>& visit) {
    for (const StmtPtr& statement : body)
        if (visit(*statement)) for_each_body(*statement, [&](const Body& inside) { walk_statements(inside, visit); });
}

StmtPtr with_parts(const StmtPtr& statement, const Replacement& of_expr, const std::function<Body(const Body&)>& of_body) {
    const auto replace = [&](ExprPtr& e) {
        if (e) e = of_expr(e);
    };
    Stmt copy = *statement;
    std::visit(Overloaded{
                   [&](AssignStmt& s) {
                       for (ExprPtr& target : s.targets) replace(target);
                       replace(s.value);
                   },
                   [&](AugAssignStmt& s) { replace(s.target), replace(s.value); },
                   [&](AnnAssignStmt& s) { replace(s.target), replace(s.value), replace(s.annotation); },
                   [&](ExprStmt& s) { replace(s.value); },
                   [&](IfStmt& s) { replace(s.condition); },
                   [&](ForStmt& s) { replace(s.target), replace(s.iterable); },
                   [&](WhileStmt& s) { replace(s.condition); },
                   [&](WithStmt& s) {
                       for (WithItem& item : s.items) replace(item.context), replace(item.target);
                   },
                   [&](FunctionStmt& s) {
                       for (ExprPtr& decorator : s.decorators) replace(decorator);
                       for (Parameter& parameter : s.parameters) replace(parameter.default_value);
                   },
                   [&](ReturnStmt& s) { replace(s.value); },
                   [&](AssertStmt& s) { replace(s.condition), replace(s.message); },
                   [&](DeleteStmt& s) {
                       for (ExprPtr& target : s.targets) replace(target);
                   },
                   [](auto&) {},
               },
               copy.node);
    std::visit(
        [&](auto& n) {
            if constexpr (requires { n.then_body; }) n.then_body = of_body(n.then_body);
            if constexpr (requires { n.body; }) n.body = of_body(n.body);
            if constexpr (requires { n.else_body; }) n.else_body = of_body(n.else_body);
        },
        copy.node);
    return std::make_shared<const Stmt>(std::move(copy));
}

Body with_expressions(const Body& body, const Replacement& of_expr) {
    Body result;
    for (const StmtPtr& one : body)
        result.push_back(with_parts(one, of_expr, [&](const Body& inside) { return with_expressions(inside, of_expr); }));
    return result;
}

void for_each_expr(const Stmt& statement, const std::function<void(const ExprPtr&)>& visit) {
    const auto one = [&](const ExprPtr& e) {
        if (e) visit(e);
    };
    std::visit(Overloaded{
                   [&](const AssignStmt& s) {
                       for (const ExprPtr& target : s.targets) one(target);
                       one(s.value);
                   },
                   [&](const AugAssignStmt& s) { one(s.target), one(s.value); },
                   [&](const AnnAssignStmt& s) { one(s.target), one(s.value); },
                   [&](const ExprStmt& s) { one(s.value); },
                   [&](const IfStmt& s) { one(s.condition); },
                   [&](const ForStmt& s) { one(s.target), one(s.iterable); },
                   [&](const WhileStmt& s) { one(s.condition); },
                   [&](const WithStmt& s) {
                       for (const WithItem& item : s.items) one(item.context), one(item.target);
                   },
                   [&](const FunctionStmt& s) {
                       for (const ExprPtr& decorator : s.decorators) one(decorator);
                   },
                   [&](const ReturnStmt& s) { one(s.value); },
                   [&](const AssertStmt& s) { one(s.condition), one(s.message); },
                   [&](const DeleteStmt& s) {
                       for (const ExprPtr& target : s.targets) one(target);
                   },
                   [](const auto&) {},
               },
               statement.node);
}

namespace {

void count_target(const ExprPtr& target, std::map<std::string, int>& counts) {
    for (const ExprPtr& element : elements_of(target)) {
        const auto* starred = std::get_if<StarredExpr>(&element->node);
        if (const auto name = name_of(starred ? starred->value : element); !name.empty())
            ++counts[std::string(name)];
        else if (std::holds_alternative<TupleExpr>(element->node) || std::holds_alternative<ListExpr>(element->node))
            count_target(element, counts);
    }
}

void count_names(const ExprPtr& e, std::map<std::string, int>& counts) {
    if (const auto name = name_of(e); !name.empty()) ++counts[std::string(name)];
    for_each_child(*e, [&](const ExprPtr& child) { count_names(child, counts); });
}

}  // namespace

std::map<std::string, int> binding_counts(const Body& body, const BindingOptions& options) {
    std::map<std::string, int> counts;
    const std::function<void(const ExprPtr&)> count_named = [&](const ExprPtr& e) {
        if (const auto* named = std::get_if<NamedExpr>(&e->node)) count_target(named->target, counts);
        for_each_child(*e, count_named);
    };
    walk_statements(body, [&](const Stmt& statement) {
        if (!std::holds_alternative<FunctionStmt>(statement.node) && !std::holds_alternative<WithStmt>(statement.node))
            for_each_expr(statement, count_named);
        if (const auto* assign = std::get_if<AssignStmt>(&statement.node))
            for (const ExprPtr& target : assign->targets) count_target(target, counts);
        if (const auto* assign = std::get_if<AugAssignStmt>(&statement.node); assign && options.augmented)
            count_target(assign->target, counts);
        if (const auto* assign = std::get_if<AnnAssignStmt>(&statement.node)) count_target(assign->target, counts);
        if (const auto* loop = std::get_if<ForStmt>(&statement.node)) count_target(loop->target, counts);
        return !std::holds_alternative<FunctionStmt>(statement.node) && !std::holds_alternative<WithStmt>(statement.node);
    });
    return counts;
}

std::set<std::string> inner_names(const Body& body) {
    std::set<std::string> names;
    const std::function<void(const ExprPtr&)> visit = [&](const ExprPtr& e) {
        if (const auto* lambda = std::get_if<LambdaExpr>(&e->node))
            names.insert(lambda->parameters.begin(), lambda->parameters.end());
        if (const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node)) {
            std::map<std::string, int> targets;
            for (const ComprehensionClause& clause : comprehension->clauses) count_target(clause.target, targets);
            for (const auto& [name, count] : targets) names.insert(name);
        }
        for_each_child(*e, visit);
    };
    walk_statements(body, [&](const Stmt& statement) {
        for_each_expr(statement, visit);
        if (const auto* function = std::get_if<FunctionStmt>(&statement.node)) {
            for (const Parameter& parameter : function->parameters) names.insert(parameter.name);
            for (const auto& [name, count] : binding_counts(function->body)) names.insert(name);
        }
        return true;
    });
    return names;
}

namespace {

/// `a << A[i]` and `b >> B[i]`: nullptr for another statement.
const BinaryExpr* memlet_of(const Stmt& statement) {
    const auto* expression = std::get_if<ExprStmt>(&statement.node);
    const auto* shift = expression ? std::get_if<BinaryExpr>(&expression->value->node) : nullptr;
    const bool memlet = shift && (shift->op == BinaryOp::ShiftLeft || shift->op == BinaryOp::ShiftRight);
    return memlet && !name_of(shift->left).empty() ? shift : nullptr;
}

/// The body of a tasklet: its connectors are names of its own.
void count_in_tasklet(const Body& body, std::map<std::string, int>& counts) {
    std::set<std::string> connectors;
    Body code;
    for (const StmtPtr& statement : body) {
        const BinaryExpr* memlet = memlet_of(*statement);
        if (!memlet) {
            code.push_back(statement);
            continue;
        }
        connectors.emplace(name_of(memlet->left));
        count_names(memlet->right, counts);
    }
    for (const auto& [name, count] : occurrences(code))
        if (!connectors.contains(name)) counts[name] += count;
}

}  // namespace

std::map<std::string, int> occurrences(const Body& body) {
    std::map<std::string, int> counts;
    walk_statements(body, [&](const Stmt& statement) {
        for_each_expr(statement, [&](const ExprPtr& e) { count_names(e, counts); });
        const auto* with = std::get_if<WithStmt>(&statement.node);
        const auto* function = std::get_if<FunctionStmt>(&statement.node);
        const Body* inside = with ? &with->body : function ? &function->body : nullptr;
        if (!inside || std::ranges::none_of(*inside, [](const StmtPtr& one) { return memlet_of(*one); })) return true;
        count_in_tasklet(*inside, counts);
        return false;
    });
    return counts;
}

FirstUse first_use(const Body& body, const std::string& name) {
    const auto mentions = [&](const ExprPtr& e) {
        std::map<std::string, int> counts;
        if (e) count_names(e, counts);
        return counts.contains(name);
    };
    const auto binds = [&](const ExprPtr& target) {
        const auto parts = elements_of(target);
        return std::ranges::any_of(parts, [&](const ExprPtr& part) { return name_of(part) == name; });
    };
    const auto of_assignment = [&](const std::vector<ExprPtr>& targets, const ExprPtr& value) {
        if (mentions(value)) return FirstUse::Read;
        FirstUse use = FirstUse::None;
        for (const ExprPtr& target : targets) {
            if (binds(target))
                use = FirstUse::Bind;
            else if (use == FirstUse::None && mentions(target))
                return FirstUse::Read;
        }
        return use;
    };
    for (const StmtPtr& statement : body) {
        const FirstUse use =
            std::visit(Overloaded{
                           [&](const AssignStmt& s) { return of_assignment(s.targets, s.value); },
                           [&](const AnnAssignStmt& s) { return of_assignment({s.target}, s.value); },
                           [&](const IfStmt& s) {
                               if (mentions(s.condition)) return FirstUse::Read;
                               const FirstUse a = first_use(s.then_body, name), b = first_use(s.else_body, name);
                               if (a == FirstUse::Read || b == FirstUse::Read) return FirstUse::Read;
                               return a == b ? a : FirstUse::None;
                           },
                           [&](const ForStmt& s) {
                               if (mentions(s.iterable)) return FirstUse::Read;
                               const FirstUse inner = binds(s.target) ? FirstUse::None : first_use(s.body, name);
                               return inner == FirstUse::Read || first_use(s.else_body, name) == FirstUse::Read ? FirstUse::Read
                                                                                                                : FirstUse::None;
                           },
                           [&](const WhileStmt& s) {
                               const bool reads = mentions(s.condition) || first_use(s.body, name) == FirstUse::Read ||
                                                  first_use(s.else_body, name) == FirstUse::Read;
                               return reads ? FirstUse::Read : FirstUse::None;
                           },
                           [&](const auto&) { return occurrences({statement}).contains(name) ? FirstUse::Read : FirstUse::None; },
                       },
                       statement->node);
        if (use != FirstUse::None) return use;
    }
    return FirstUse::None;
}

bool has_break(const Body& body) {
    bool found = false;
    walk_statements(body, [&](const Stmt& statement) {
        found = found || std::holds_alternative<BreakStmt>(statement.node);
        return !std::holds_alternative<ForStmt>(statement.node) && !std::holds_alternative<WhileStmt>(statement.node);
    });
    return found;
}

Body before_breaks(const Body& body, const StmtPtr& statement) {
    Body result;
    for (const StmtPtr& one : body) {
        if (std::holds_alternative<BreakStmt>(one->node)) result.push_back(statement);
        const auto* choice = std::get_if<IfStmt>(&one->node);
        if (choice && has_break({one}))
            result.push_back(std::make_shared<const Stmt>(Stmt{
                IfStmt{choice->condition, before_breaks(choice->then_body, statement), before_breaks(choice->else_body, statement)},
                one->span}));
        else
            result.push_back(one);
    }
    return result;
}

const CallExpr* method_of(const ExprPtr& e, std::string* name, std::string* method) {
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* attribute = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    if (!attribute || name_of(attribute->object).empty()) return nullptr;
    *name = std::string(name_of(attribute->object));
    *method = attribute->name;
    return call;
}

}  // namespace sluice::frontend
