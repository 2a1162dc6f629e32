#include "frontend/python/classes.h"

#include <algorithm>
#include <functional>

#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

const ObjectClass::Method* ObjectClass::method(const std::string& called, std::size_t from) const {
    const auto known = methods.find(called);
    if (known == methods.end()) return nullptr;
    const auto first = std::ranges::find_if(known->second, [&](const Method& one) { return one.owner >= from; });
    return first == known->second.end() ? nullptr : &*first;
}

std::size_t ObjectClass::place_of(const std::string& of_name) const {
    return static_cast<std::size_t>(std::ranges::find(order, of_name) - order.begin());
}

StmtPtr read_function(const FunctionSource& source) {
    const Body body = parse_body(source.text, {.file = source.file, .first_line = source.first_line}).or_fail();
    for (const StmtPtr& one : body)
        if (std::holds_alternative<FunctionStmt>(one->node)) return one;
    return nullptr;
}

ObjectClass read_class(const std::string& name, const ClassSource& source) {
    ObjectClass result{name, source.order, {}, source.properties, source.statics, source.of_class, {}, {}, source.constants};
    for (const auto& [owner, text] : source.methods)
        if (const StmtPtr one = read_function(text)) {
            const auto& function = std::get<FunctionStmt>(one->node);
            result.methods[function.name].push_back({one, &function, owner});
        }
    if (const auto matched = result.constants.find("__match_args__"); matched != result.constants.end())
        for (const ExprPtr& one : elements_of(parse_expr(matched->second, {.file = {}, .first_line = 1}).or_fail()))
            result.matched.push_back(*text_of(one));
    const auto read = [&](const FunctionStmt& method) {
        if (method.parameters.empty() || result.statics.contains(method.name)) return;  // F020 where it is called.
        const std::string self = method.parameters[0].name;
        const std::function<void(const ExprPtr&)> visit = [&](const ExprPtr& e) {
            const auto* attribute = std::get_if<AttributeExpr>(&e->node);
            if (attribute && name_of(attribute->object) == self && !result.methods.contains(attribute->name) &&
                !result.constants.contains(attribute->name))
                result.fields.insert(attribute->name);
            for_each_child(*e, visit);
        };
        const auto assigned = [&](const ExprPtr& target) {  // What a class and its objects have both is left to Python.
            const auto* attribute = std::get_if<AttributeExpr>(&target->node);
            if (attribute && name_of(attribute->object) == self && result.constants.erase(attribute->name) > 0)
                result.shared.insert(attribute->name);
        };
        walk_statements(method.body, [&](const Stmt& one) {
            if (const auto* s = std::get_if<AssignStmt>(&one.node))
                for (const ExprPtr& target : s->targets) std::ranges::for_each(elements_of(target), assigned);
            if (const auto* u = std::get_if<AugAssignStmt>(&one.node)) assigned(u->target);
            if (const auto* a = std::get_if<AnnAssignStmt>(&one.node)) assigned(a->target);
            return for_each_expr(one, visit), true;
        });
    };
    for (const auto& [called, all] : result.methods)
        for (const ObjectClass::Method& one : all) read(*one.function);
    for (const std::string& one : result.shared) result.fields.erase(one);
    return result;
}

std::string operator_method(BinaryOp op) {
    static const std::map<BinaryOp, std::string> kNames{{BinaryOp::Add, "__add__"},    {BinaryOp::Sub, "__sub__"},
                                                        {BinaryOp::Mul, "__mul__"},    {BinaryOp::Div, "__truediv__"},
                                                        {BinaryOp::Mod, "__mod__"},    {BinaryOp::FloorDiv, "__floordiv__"},
                                                        {BinaryOp::Pow, "__pow__"},    {BinaryOp::MatMul, "__matmul__"},
                                                        {BinaryOp::BitAnd, "__and__"}, {BinaryOp::BitOr, "__or__"}};
    const auto known = kNames.find(op);
    return known == kNames.end() ? std::string() : known->second;
}

std::string operator_method(CompareOp op) {
    static const std::map<CompareOp, std::string> kNames{{CompareOp::Eq, "__eq__"}, {CompareOp::Ne, "__ne__"},
                                                         {CompareOp::Lt, "__lt__"}, {CompareOp::Le, "__le__"},
                                                         {CompareOp::Gt, "__gt__"}, {CompareOp::Ge, "__ge__"}};
    const auto known = kNames.find(op);
    return known == kNames.end() ? std::string() : known->second;
}

std::string mirrored_method(CompareOp op) {
    static const std::map<CompareOp, CompareOp> kMirrored{{CompareOp::Lt, CompareOp::Gt}, {CompareOp::Gt, CompareOp::Lt},
                                                          {CompareOp::Le, CompareOp::Ge}, {CompareOp::Ge, CompareOp::Le},
                                                          {CompareOp::Eq, CompareOp::Eq}, {CompareOp::Ne, CompareOp::Ne}};
    const auto known = kMirrored.find(op);
    return known == kMirrored.end() ? std::string() : operator_method(known->second);
}

}  // namespace sluice::frontend
