// Structural equality of syntax trees, and the dotted spelling of a name.
#include "code/ast.h"

#include <algorithm>

#include "code/walk.h"

namespace sluice::code {
namespace {

bool same(const ExprPtr& a, const ExprPtr& b) {
    return a && b ? a == b || equal(*a, *b) : a == b;
}
bool same(const Keyword& a, const Keyword& b) {
    return a.name == b.name && same(a.value, b.value);
}
bool same(const WithItem& a, const WithItem& b) {
    return same(a.context, b.context) && same(a.target, b.target);
}
bool same(const Parameter& a, const Parameter& b) {
    return a.name == b.name && same(a.annotation, b.annotation) && same(a.default_value, b.default_value);
}
bool same(const Body& a, const Body& b) {
    return equal(a, b);
}
template <class T> bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}

struct SameNode {
    template <class A, class B> bool operator()(const A&, const B&) const { return false; }

    bool operator()(const NameExpr& a, const NameExpr& b) const { return a.id == b.id; }
    bool operator()(const ConstantExpr& a, const ConstantExpr& b) const { return a.value == b.value; }
    bool operator()(const UnaryExpr& a, const UnaryExpr& b) const { return a.op == b.op && same(a.operand, b.operand); }
    bool operator()(const BinaryExpr& a, const BinaryExpr& b) const {
        return a.op == b.op && same(a.left, b.left) && same(a.right, b.right);
    }
    bool operator()(const BoolExpr& a, const BoolExpr& b) const { return a.is_and == b.is_and && same(a.operands, b.operands); }
    bool operator()(const CompareExpr& a, const CompareExpr& b) const { return a.ops == b.ops && same(a.operands, b.operands); }
    bool operator()(const ConditionalExpr& a, const ConditionalExpr& b) const {
        return same(a.condition, b.condition) && same(a.if_true, b.if_true) && same(a.if_false, b.if_false);
    }
    bool operator()(const CallExpr& a, const CallExpr& b) const {
        return same(a.function, b.function) && same(a.arguments, b.arguments) && same(a.keywords, b.keywords);
    }
    bool operator()(const AttributeExpr& a, const AttributeExpr& b) const { return a.name == b.name && same(a.object, b.object); }
    bool operator()(const SubscriptExpr& a, const SubscriptExpr& b) const {
        return same(a.object, b.object) && same(a.index, b.index);
    }
    bool operator()(const SliceExpr& a, const SliceExpr& b) const {
        return same(a.begin, b.begin) && same(a.end, b.end) && same(a.step, b.step);
    }
    bool operator()(const TupleExpr& a, const TupleExpr& b) const { return same(a.elements, b.elements); }
    bool operator()(const ListExpr& a, const ListExpr& b) const { return same(a.elements, b.elements); }
    bool operator()(const StarredExpr& a, const StarredExpr& b) const { return same(a.value, b.value); }
    bool operator()(const NamedExpr& a, const NamedExpr& b) const { return same(a.target, b.target) && same(a.value, b.value); }
    bool operator()(const DictExpr& a, const DictExpr& b) const { return same(a.keys, b.keys) && same(a.values, b.values); }
    bool operator()(const ComprehensionExpr& a, const ComprehensionExpr& b) const {
        return a.is_list == b.is_list && same(a.element, b.element) &&
               std::equal(a.clauses.begin(), a.clauses.end(), b.clauses.begin(), b.clauses.end(),
                          [](const ComprehensionClause& x, const ComprehensionClause& y) {
                              return same(x.target, y.target) && same(x.iterable, y.iterable) && same(x.conditions, y.conditions);
                          });
    }
    bool operator()(const LambdaExpr& a, const LambdaExpr& b) const { return a.parameters == b.parameters && same(a.body, b.body); }

    bool operator()(const AssignStmt& a, const AssignStmt& b) const { return same(a.targets, b.targets) && same(a.value, b.value); }
    bool operator()(const AugAssignStmt& a, const AugAssignStmt& b) const {
        return a.op == b.op && same(a.target, b.target) && same(a.value, b.value);
    }
    bool operator()(const AnnAssignStmt& a, const AnnAssignStmt& b) const {
        return same(a.target, b.target) && same(a.annotation, b.annotation) && same(a.value, b.value);
    }
    bool operator()(const ExprStmt& a, const ExprStmt& b) const { return same(a.value, b.value); }
    bool operator()(const IfStmt& a, const IfStmt& b) const {
        return same(a.condition, b.condition) && same(a.then_body, b.then_body) && same(a.else_body, b.else_body);
    }
    bool operator()(const ForStmt& a, const ForStmt& b) const {
        return same(a.target, b.target) && same(a.iterable, b.iterable) && same(a.body, b.body) && same(a.else_body, b.else_body);
    }
    bool operator()(const WhileStmt& a, const WhileStmt& b) const {
        return same(a.condition, b.condition) && same(a.body, b.body) && same(a.else_body, b.else_body);
    }
    bool operator()(const WithStmt& a, const WithStmt& b) const { return same(a.items, b.items) && same(a.body, b.body); }
    bool operator()(const FunctionStmt& a, const FunctionStmt& b) const {
        return a.name == b.name && same(a.parameters, b.parameters) && same(a.returns, b.returns) &&
               same(a.decorators, b.decorators) && same(a.body, b.body);
    }
    bool operator()(const ReturnStmt& a, const ReturnStmt& b) const { return same(a.value, b.value); }
    bool operator()(const AssertStmt& a, const AssertStmt& b) const {
        return same(a.condition, b.condition) && same(a.message, b.message) && a.raises == b.raises;
    }
    bool operator()(const DeleteStmt& a, const DeleteStmt& b) const { return same(a.targets, b.targets); }
    bool operator()(const ImportStmt& a, const ImportStmt& b) const {
        return a.module == b.module && a.names == b.names && a.alias == b.alias;
    }
    bool operator()(const PassStmt&, const PassStmt&) const { return true; }
    bool operator()(const BreakStmt&, const BreakStmt&) const { return true; }
    bool operator()(const ContinueStmt&, const ContinueStmt&) const { return true; }
    bool operator()(const UnsupportedStmt& a, const UnsupportedStmt& b) const { return a.keyword == b.keyword && a.text == b.text; }
};

}  // namespace

bool equal(const Expr& a, const Expr& b) {
    return std::visit(SameNode{}, a.node, b.node);
}

bool equal(const Body& a, const Body& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const StmtPtr& x, const StmtPtr& y) { return x == y || std::visit(SameNode{}, x->node, y->node); });
}

std::string dotted_name(const Expr& e) {
    if (const auto* name = std::get_if<NameExpr>(&e.node)) return name->id;
    const auto* attribute = std::get_if<AttributeExpr>(&e.node);
    if (!attribute) return {};
    const std::string object = dotted_name(*attribute->object);
    return object.empty() ? object : object + "." + attribute->name;
}

}  // namespace sluice::code
