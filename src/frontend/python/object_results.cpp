// Objects that a program hands to its caller. Where one is returned, alone or in a tuple, list or dictionary, its class and its
// fields stand in its place, and Python makes the object of them again (python/sluice/returned.py):
//     return Body(x, v), t     ->     return <object>("orbits.Body", "x", body__x, "v", body__v), t
// An object has the fields that are surely assigned where it is returned.
#include <algorithm>
#include <functional>

#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/object_parts.h"
#include "frontend/python/objects.h"

namespace sluice::frontend {

using namespace code;

namespace {

[[noreturn]] void refuse_result(const std::string& what, const Span& span, const std::string& remedy) {
    refuse("F020", what, span, remedy);
}

bool holds_return(const Stmt& statement) {
    bool found = false;
    walk_statements({std::make_shared<const Stmt>(statement)}, [&](const Stmt& one) {
        found = found || std::holds_alternative<ReturnStmt>(one.node);
        return !std::holds_alternative<FunctionStmt>(one.node);
    });
    return found;
}

bool is_display(const ExprPtr& e) {
    return std::holds_alternative<TupleExpr>(e->node) || std::holds_alternative<ListExpr>(e->node) ||
           std::holds_alternative<DictExpr>(e->node);
}

std::vector<ExprPtr> parts_of(const ExprPtr& display) {
    const auto* dictionary = std::get_if<DictExpr>(&display->node);
    return dictionary ? dictionary->values : elements_of(display);
}

ExprPtr with_other_parts(const ExprPtr& display, std::vector<ExprPtr> parts) {
    if (const auto* dictionary = std::get_if<DictExpr>(&display->node))
        return make_expression(DictExpr{dictionary->keys, std::move(parts)}, display->span);
    if (std::holds_alternative<ListExpr>(display->node)) return make_expression(ListExpr{std::move(parts)}, display->span);
    return make_expression(TupleExpr{std::move(parts)}, display->span);
}

}  // namespace

bool Objects::holds_objects(const ExprPtr& e, const Scope& scope) {
    if (is_display(e)) {
        const std::vector<ExprPtr> parts = parts_of(e);
        return std::ranges::any_of(parts, [&](const ExprPtr& one) { return holds_objects(one, scope); });
    }
    if (const auto* choice = std::get_if<ConditionalExpr>(&e->node))
        return holds_objects(choice->if_true, scope) || holds_objects(choice->if_false, scope);
    const Meaning kind = kind_of(e, scope);
    return !made_in_tuple(e, scope).empty() || kind.kind == Meaning::Kind::Object || kind.kind == Meaning::Kind::List ||
           is_list_of_objects(e, scope);
}

/// Whether every call of the function stands where its result goes to the program's caller.
bool Objects::is_only_returned(const std::string& function) const {
    int returned = 0;
    for (const StmtPtr& one : function_.body)
        if (const auto* s = std::get_if<ReturnStmt>(&one->node); s && s->value)
            for (const ExprPtr& part : elements_of(s->value))
                if (const auto* call = std::get_if<CallExpr>(&part->node)) returned += name_of(call->function) == function;
    const auto all = occurrences(function_.body);
    const auto count = all.find(function);
    return returned > 0 && count != all.end() && count->second == returned;
}

void Objects::add_return(const ExprPtr& value, const Scope& scope, Body& out) {
    const Span& span = value->span;
    if (const auto* choice = std::get_if<ConditionalExpr>(&value->node)) {
        const ExprPtr condition = of(choice->condition, scope, &out);
        const bool once = once_;
        once_ = false;
        Body first, second;
        add_return(choice->if_true, scope, first);
        add_return(choice->if_false, scope, second);
        once_ = once;
        return out.push_back(make_statement(IfStmt{condition, std::move(first), std::move(second)}, span));
    }
    handed_out_.clear();
    const ExprPtr result = handed_out(value, scope, false, out);
    out.push_back(make_statement(ReturnStmt{result}, span));
}

/// `before`: something that Python evaluates behind it becomes a statement in front of the return.
ExprPtr Objects::handed_out(const ExprPtr& e, const Scope& scope, bool before, Body& out) {
    const Span& span = e->span;
    if (is_display(e)) {
        std::vector<ExprPtr> parts = parts_of(e);
        std::size_t last = 0;
        for (std::size_t at = 0; at < parts.size(); ++at)
            if (holds_objects(parts[at], scope) && !meaning(parts[at], scope)) last = at;
        for (std::size_t at = 0; at < parts.size(); ++at) parts[at] = handed_out(parts[at], scope, before || at < last, out);
        return with_other_parts(e, std::move(parts));
    }
    if (!holds_objects(e, scope)) {
        const ExprPtr value = of(e, scope, &out);
        if (!before || std::holds_alternative<ConstantExpr>(e->node) || std::holds_alternative<NameExpr>(e->node)) return value;
        const ExprPtr name = make_name(own("__part" + std::to_string(span.line)), span);
        out.push_back(make_assignment(name, value, span));
        return name;
    }
    if (std::holds_alternative<ConditionalExpr>(e->node) && kind_of(e, scope).kind != Meaning::Kind::Object)
        refuse_result("an object or something else in what is returned", span, "return in each branch of an if");
    if (kind_of(e, scope).kind == Meaning::Kind::Object) return with_class(object_of(e, scope, &out), span);
    if (!made_in_tuple(e, scope).empty()) {
        std::vector<ExprPtr> parts;
        for (const auto& [object, value] : make_parts(e, scope, out)) parts.push_back(value ? value : with_class(object, span));
        return make_expression(TupleExpr{std::move(parts)}, span);
    }
    const Meaning list = meaning(e, scope) ? meaning(e, scope) : new_list(e, scope, out);
    std::vector<ExprPtr> parts;
    for (const Meaning& one : lists_.at(list.name)) parts.push_back(with_class(one, span));
    if (const Meaning known = meaning(e, scope); known && std::ranges::any_of(lists_.at(list.name), [&](const Meaning& one) {
                                                     return class_of(one.name).constants.contains(kGiven);
                                                 }))
        refuse_result("a list of the caller's objects is returned", span, "return a list of its own: [first, second]");
    if (tuples_.contains(list.name.substr(0, list.name.find('[')))) return make_expression(TupleExpr{std::move(parts)}, span);
    return make_expression(ListExpr{std::move(parts)}, span);
}

/// What stands for an object or a list of these in what is returned.
ExprPtr Objects::with_class(const Meaning& object, const Span& span) {
    if (object.kind == Meaning::Kind::List) {
        std::vector<ExprPtr> parts;
        for (const Meaning& one : std::vector<Meaning>(lists_.at(object.name))) parts.push_back(with_class(one, span));
        return make_expression(ListExpr{std::move(parts)}, span);
    }
    const ObjectClass& of_class = class_of(object.name);
    if (const auto given = of_class.constants.find(kGiven); given != of_class.constants.end())
        return make_call(kObject, {parse_expr(given->second, {.file = {}, .first_line = span.line}).or_fail()}, span);
    const std::vector<std::string> fields = fields_by_now(object.name, span);
    const bool never_changes = std::ranges::all_of(fields, [](const std::string& one) { return one.starts_with(kFieldOfTuple); });
    if (!never_changes && (!handed_out_.insert(object.name).second || (copied_.contains(object.name) && handed_out_.size() > 1)))
        refuse_result("an object is returned twice", span, "return it once");
    std::vector<ExprPtr> parts{make_text(of_class.order.at(0), span)};
    for (const std::string& field : fields) {
        parts.push_back(make_text(field, span));
        const auto known = fields_.find({object.name, field});
        parts.push_back(known == fields_.end() ? make_name(variable(object.name, field), span) : with_class(known->second, span));
    }
    return make_call(kObject, std::move(parts), span);
}

/// The fields that the object has where the text has come to.
std::vector<std::string> Objects::fields_by_now(const std::string& object, const Span& span) {
    const ObjectClass& of_class = class_of(object);
    const ObjectClass::Method* init = of_class.method("__init__");
    const std::set<std::string> begun =
        begun_by(of_class, init->function->body, init->function->parameters.at(0).name, init->owner);
    std::vector<std::string> result;
    for (const std::string& field : met_[object]) {
        if (!begun.contains(field) && !begun_.contains({object, field}))
            refuse_result("whether the returned object has the field " + field + " is for the run to know", span,
                          "assign it in __init__");
        result.push_back(field);
    }
    for (const std::string& field : of_class.fields)
        if (!once_ && std::ranges::find(result, field) == result.end())
            refuse_result("whether the returned object has the field " + field + " is for the run to know", span,
                          "assign it in __init__");
    return result;
}

/// The fields that the statements of a method assign whatever happens.
std::set<std::string> Objects::begun_by(const ObjectClass& of_class, const Body& body, const std::string& self, std::size_t owner) {
    std::set<std::string> begun;
    const auto assigned = [&](const ExprPtr& target) {
        for (const ExprPtr& one : elements_of(target))
            if (const auto* attribute = std::get_if<AttributeExpr>(&one->node); attribute && name_of(attribute->object) == self)
                begun.insert(attribute->name);
    };
    const auto called = [&](const CallExpr& call) {
        const auto* function = std::get_if<AttributeExpr>(&call.function->node);
        const auto* super = function ? std::get_if<CallExpr>(&function->object->node) : nullptr;
        const bool of_base = super && name_of(super->function) == "super";
        if (!function || (!of_base && name_of(function->object) != self)) return;
        const ObjectClass::Method* method = of_class.method(function->name, of_base ? owner + 1 : 0);
        if (!method || method->function->parameters.empty() || !entered_.insert(method->function).second) return;
        begun.merge(begun_by(of_class, method->function->body, method->function->parameters[0].name, method->owner));
        entered_.erase(method->function);
    };
    for (const StmtPtr& one : body) {
        if (const auto* s = std::get_if<AssignStmt>(&one->node)) std::ranges::for_each(s->targets, assigned);
        if (const auto* s = std::get_if<AnnAssignStmt>(&one->node); s && s->value) assigned(s->target);
        if (const auto* s = std::get_if<WithStmt>(&one->node)) begun.merge(begun_by(of_class, s->body, self, owner));
        if (const auto* s = std::get_if<ExprStmt>(&one->node))
            if (const auto* call = std::get_if<CallExpr>(&s->value->node)) called(*call);
        if (const auto* s = std::get_if<IfStmt>(&one->node)) {
            const std::set<std::string> other = begun_by(of_class, s->else_body, self, owner);
            for (const std::string& field : begun_by(of_class, s->then_body, self, owner))
                if (other.contains(field)) begun.insert(field);
        }
        if (holds_return(*one)) break;
    }
    return begun;
}

/// Notes the fields that a statement assigns, if it surely runs before everything behind it.
void Objects::note_begun(const std::vector<ExprPtr>& targets, const Scope& scope) {
    if (!once_ || left_early_) return;
    for (const ExprPtr& target : targets)
        for (const ExprPtr& one : elements_of(target))
            if (const auto* attribute = std::get_if<AttributeExpr>(&one->node))
                if (const Meaning object = meaning(attribute->object, scope); object.kind == Meaning::Kind::Object)
                    begun_.emplace(object.name, attribute->name);
}

void Objects::note_return(const Stmt& statement, const Scope& scope) {
    left_early_ = left_early_ || (!scope.hands_out && holds_return(statement));
}

}  // namespace sluice::frontend
