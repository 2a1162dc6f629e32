// Objects of the user's classes (heap_classes.h) in what is written: their columns, and the calls of their methods.
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_writer.h"
#include "frontend/python/object_parts.h"
#include "frontend/python/repeatable.h"

namespace sluice::frontend {

using namespace code;

std::string HeapWriter::family_name(const HeapFamily& family) {
    const std::string own = "__h_c" + std::to_string(family.number) + "_";
    declare(own + "kept_class");
    return own;
}

bool HeapWriter::has_column(Type field) {
    return !is(field, HeapKind::None);
}

std::string HeapWriter::column(const HeapFamily& family, const std::string& field) {
    const Type type = root(family.fields.at(field));
    const std::string name = family_name(family) + "kept_field_" + field;
    form(type);
    declare(name, likeness(type));
    return name;
}

std::string HeapWriter::flags(const HeapFamily& family, const std::string& field) {
    const std::string name = family_name(family) + "kept_has_" + field;
    declare(name, "False");
    return name;
}

void HeapWriter::write_runtime(const Lines& lines) {
    runtime_.insert(runtime_.end(), lines.begin(), lines.end());
}

/// The object's number, where it is one and not None.
std::string HeapWriter::there(const HeapFamily& family, const std::string& u) {
    const std::string name = family_name(family) + "at";
    if (functions_written_.insert(name).second)
        write_runtime(
            {"def " + name + "(u):", "    if u < 0:", "        raise RuntimeError(\"None has no attributes\")", "    return u"});
    return name + "(" + u + ")";
}

// ---- fields -----------------------------------------------------------------------------------------------------------------
namespace {

/// Whether the object appears in it only where fields are read that it has.
bool reads_only(const ExprPtr& e, const std::string& self, const std::set<std::string>& begun) {
    if (std::holds_alternative<LambdaExpr>(e->node)) return !mentions_name(e, self);
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node); attribute && name_of(attribute->object) == self)
        return begun.contains(attribute->name);
    if (const auto* call = std::get_if<CallExpr>(&e->node))
        if (const auto* of = std::get_if<AttributeExpr>(&call->function->node); of && name_of(of->object) == self) return false;
    if (name_of(e) == self) return false;
    bool all = true;
    for_each_child(*e, [&](const ExprPtr& one) { all = all && reads_only(one, self, begun); });
    return all;
}

}  // namespace

/// Adds the fields that objects have before anyone else sees them; whether that goes on behind the method.
bool HeapWriter::begin_fields(const HeapClass& of_class, const ObjectClass::Method& method, std::set<std::string>& begun) {
    if (method.function->parameters.empty()) return true;
    const std::string self = method.function->parameters[0].name;
    for (const StmtPtr& one : method.function->body) {
        if (std::holds_alternative<PassStmt>(one->node)) continue;
        if (const auto* s = std::get_if<ExprStmt>(&one->node)) {
            if (std::holds_alternative<ConstantExpr>(s->value->node)) continue;
            const auto* call = std::get_if<CallExpr>(&s->value->node);
            const auto* of = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
            const auto* super = of ? std::get_if<CallExpr>(&of->object->node) : nullptr;
            if (super && name_of(super->function) == "super") {
                const bool plain =
                    std::ranges::all_of(call->arguments, [&](const ExprPtr& e) { return reads_only(e, self, begun); });
                const ObjectClass::Method* next = of_class.of.method(of->name, method.owner + 1);
                if (!plain || !next || !begin_fields(of_class, *next, begun)) return false;
                continue;
            }
            if (!reads_only(s->value, self, begun)) return false;
            continue;
        }
        std::vector<ExprPtr> targets;
        ExprPtr value;
        if (const auto* s = std::get_if<AssignStmt>(&one->node)) targets = s->targets, value = s->value;
        if (const auto* s = std::get_if<AnnAssignStmt>(&one->node); s && s->value) targets = {s->target}, value = s->value;
        if (targets.empty()) {  // Statements that are run or not add nothing.
            bool plain = !std::holds_alternative<FunctionStmt>(one->node);
            walk_statements({one}, [&](const Stmt& inside) {
                plain = plain && !std::holds_alternative<ReturnStmt>(inside.node);
                std::vector<ExprPtr> assigned;
                if (const auto* s = std::get_if<AssignStmt>(&inside.node)) assigned = s->targets;
                for_each_expr(inside, [&](const ExprPtr& e) {
                    const auto* field = std::get_if<AttributeExpr>(&e->node);
                    const bool target = field && name_of(field->object) == self && std::ranges::find(assigned, e) != assigned.end();
                    plain = plain && (target || reads_only(e, self, begun));
                });
                return true;
            });
            if (!plain) return false;
            continue;
        }
        if (name_of(value) != self && !reads_only(value, self, begun)) return false;
        std::set<std::string> added;
        for (const ExprPtr& target : targets)
            for (const ExprPtr& each_target : elements_of(target)) {
                const auto* field = std::get_if<AttributeExpr>(&each_target->node);
                if (field && name_of(field->object) == self)
                    added.insert(field->name);
                else if (!reads_only(each_target, self, begun))
                    return false;
            }
        if (name_of(value) == self && added.empty()) return false;
        begun.insert(added.begin(), added.end());
    }
    return true;
}

void HeapWriter::find_checked_fields() {
    for (const HeapClass& one : classes_) {
        if (!one.made || !one.tuple.empty()) continue;
        std::set<std::string>& begun = begun_[&one];
        for (const auto& [name, text] : one.constants) begun.insert(name);
        begin_fields(one, *one.of.method("__init__"), begun);
        for (const auto& [field, type] : one.family->fields)
            if (!begun.contains(field)) one.family->checked.insert(field);
    }
}

std::string HeapWriter::field_value(const AttributeExpr& n, const std::string& u, Scope& scope, Lines& out) {
    const HeapFamily& family = *root(type_of(n.object))->family;
    const Type field = root(family.fields.at(n.name));
    const HeapClass* exact = exact_class(n.object, scope);
    const bool has = !family.checked.contains(n.name) || (exact && begun_[exact].contains(n.name));
    if (!has) {
        const std::string name = family_name(family) + "check_" + n.name;
        if (functions_written_.insert(name).second)
            write_runtime({"def " + name + "(u):", "    if not " + flags(family, n.name) + "[" + there(family, "u") + "]:",
                           "        raise RuntimeError(\"an object without the field\")", "    return u"});
        const std::string at = kept(name + "(" + u + ")", out);
        return has_column(field) ? kept(column(family, n.name) + "[" + at + "]", out) : "None";
    }
    if (has_column(field)) return kept(column(family, n.name) + "[" + (exact ? u : there(family, u)) + "]", out);
    if (!exact) kept(there(family, u), out);
    return "None";
}

/// The element of a column; the field has a value from now on.
std::string HeapWriter::field_place(const AttributeExpr& n, const std::string& object, Scope& scope, Lines& out) {
    const HeapFamily& family = *root(type_of(n.object))->family;
    const std::string u = exact_class(n.object, scope) ? object : kept(there(family, object), out);
    if (family.checked.contains(n.name)) out.push_back(flags(family, n.name) + "[" + u + "] = True");
    return has_column(root(family.fields.at(n.name))) ? column(family, n.name) + "[" + u + "]" : "";
}

std::string HeapWriter::new_object(const HeapClass& of_class, Scope& scope, Lines& out) {
    const HeapFamily& family = *of_class.family;
    const std::string own = family_name(family), name = own + "new";
    if (functions_written_.insert(name).second) {
        Lines lines{"def " + name + "(tag):", "    u = len(" + own + "kept_class)", "    " + own + "kept_class.append(tag)"};
        for (const auto& [field, type] : family.fields) {
            if (has_column(root(type))) lines.push_back("    " + column(family, field) + ".append(" + zero(root(type)) + ")");
            if (family.checked.contains(field)) lines.push_back("    " + flags(family, field) + ".append(False)");
        }
        lines.emplace_back("    return u");
        write_runtime(lines);
    }
    const std::string u = kept(name + "(" + std::to_string(of_class.tag) + ")", out);
    for (const auto& [constant, text] : of_class.constants) {
        if (!family.fields.contains(constant)) continue;
        if (has_column(root(family.fields.at(constant))))
            out.push_back(column(family, constant) + "[" + u + "] = " + value(constant_of(of_class, constant), scope, out));
        if (family.checked.contains(constant)) out.push_back(flags(family, constant) + "[" + u + "] = True");
    }
    return u;
}

// ---- calls ------------------------------------------------------------------------------------------------------------------
/// Elements of a starred argument have texts of their own.
void HeapWriter::take_starred(const CallExpr& n, std::size_t by_place, Scope& scope, Lines& out) {
    for (const ExprPtr& one : n.arguments) {
        const auto* starred = std::get_if<StarredExpr>(&one->node);
        if (!starred) continue;
        const std::string whole = atom(starred->value, scope, out);
        const Type type = type_of(starred->value);
        const std::vector<ExprPtr>& parts = starred_.at(starred->value.get());
        const bool tuple = is(type, HeapKind::Tuple);
        const std::size_t count = tuple ? root(type)->parts.size() : by_place - (n.arguments.size() - 1);
        if (!tuple)
            out.insert(out.end(), {"if __h_kept_size[" + whole + "] != " + std::to_string(count) + ":",
                                   "    raise TypeError(\"another number of arguments\")"});
        for (std::size_t at = 0; at < count; ++at)
            known_texts_[parts.at(at).get()] =
                tuple ? whole + "[" + std::to_string(at) + "]" : of_sequence(type, whole).at(std::to_string(at)).text;
    }
}

/// The arguments behind the first parameters, as the written call has them.
std::string HeapWriter::arguments_text(const Routine& function, std::size_t first, const CallExpr& n, Scope& scope, Lines& out) {
    const auto& parameters = function.statement->parameters;
    std::vector<ExprPtr> all = *arguments_of_call(n, parameters.size() - first - n.keywords.size(), scope);
    const std::size_t by_place = all.size();
    take_starred(n, by_place, scope, out);
    for (const Keyword& keyword : n.keywords) all.push_back(keyword.value);
    const std::vector<std::string> texts = values(all, scope, out);
    std::string text;
    for (std::size_t at = 0; at < texts.size(); ++at) {
        if (at > 0) text += ", ";
        if (at >= by_place) text += n.keywords[at - by_place].name + "=";
        text += texts[at];
    }
    for (std::size_t at = first + by_place; at < parameters.size(); ++at) {  // A text has another default in what is written.
        const bool given = std::ranges::any_of(n.keywords, [&](const Keyword& one) { return one.name == parameters[at].name; });
        if (!given && parameters[at].default_value)
            text += (text.empty() ? "" : ", ") + parameters[at].name + "=" + value(parameters[at].default_value, scope, out);
    }
    return text;
}

/// What the written call gives, as a value of the type; with no such value, what follows is Python's.
std::string HeapWriter::called(const Routine& function, const std::string& arguments, Type type, Lines& out) {
    const std::string call = function.name + "(" + arguments + ")";
    if (is(function.result, HeapKind::Unknown) || is(function.result, HeapKind::None)) {
        out.push_back(call);
        return is_instance(type) ? "(-1)" : "None";
    }
    const std::string name = temporary();
    out.push_back(name + " = " + call);
    return name;
}

std::string HeapWriter::object_call(const ExprPtr& e, const CallExpr& given, Type type, Scope& scope, Lines& out) {
    const ObjectCall call = object_calls_.at(e.get());
    CallExpr n = given;
    if (call.receiver && !n.arguments.empty() && n.arguments[0] == call.receiver && !call.made)
        n.arguments.erase(n.arguments.begin());  // `Base.method(self)`
    if (call.made) {
        const Routine& init = *call.methods.at(0).first;
        const std::string arguments = arguments_text(init, 1, n, scope, out);
        const std::string u = new_object(*call.made, scope, out);
        out.push_back(init.name + "(" + u + (arguments.empty() ? "" : ", ") + arguments + ")");
        return u;
    }
    std::string u;
    if (call.receiver) {
        u = atom(call.receiver, scope, out);
        if (!call.is_self && is_instance(type_of(call.receiver))) u = kept(there(*root(type_of(call.receiver))->family, u), out);
    }
    if (call.methods.empty()) {  // Nothing makes such an object.
        out.emplace_back("raise RuntimeError(\"no object has this method\")");
        return "None";
    }
    const auto arguments_of = [&](const Routine& routine) {
        const std::string arguments = arguments_text(routine, routine.has_self ? 1 : 0, n, scope, out);
        return routine.has_self ? u + (arguments.empty() ? "" : ", ") + arguments : arguments;
    };
    if (call.methods.size() == 1 && call.all) {
        const Routine& only = *call.methods[0].first;
        return called(only, arguments_of(only), type, out);
    }
    const HeapFamily& family = *root(type_of(call.receiver))->family;
    const bool gives = !is(type, HeapKind::Unknown) && !is(type, HeapKind::None);
    const std::string result = gives ? temporary() : "None", which = kept(family_name(family) + "kept_class[" + u + "]", out);
    std::vector<ExprPtr> once;  // Each is evaluated once, whichever method takes it.
    for (const ExprPtr& one : n.arguments)
        if (!std::holds_alternative<StarredExpr>(one->node)) once.push_back(one);
    for (const Keyword& one : n.keywords) once.push_back(one.value);
    const std::vector<std::string> texts = values(once, scope, out);
    for (std::size_t at = 0; at < once.size(); ++at) known_texts_[once[at].get()] = kept(texts[at], out);
    std::vector<std::string> arguments;
    for (const auto& [routine, tags] : call.methods) arguments.push_back(arguments_of(*routine));
    for (const ExprPtr& one : once) known_texts_.erase(one.get());
    Lines chain{"raise RuntimeError(\"a class without the method\")"};
    for (std::size_t at = call.methods.size(); at-- > 0;) {
        const auto& [routine, tags] = call.methods[at];
        Lines taken, outer;
        const bool nothing = is(routine->result, HeapKind::Unknown) || is(routine->result, HeapKind::None);
        const std::string text = called(*routine, arguments[at], type, taken);
        if (gives && nothing && !is_instance(type))
            taken.emplace_back("raise RuntimeError(\"None among the results\")");
        else if (gives)
            taken.push_back(result + " = " + text);
        std::string holds;
        for (const std::int64_t tag : tags) holds += (holds.empty() ? "" : " or ") + which + " == " + std::to_string(tag);
        outer.push_back("if " + holds + ":");
        nest(taken, outer);
        outer.emplace_back("else:");
        nest(chain, outer);
        chain = outer;
    }
    if (gives) out.push_back(result + " = " + (is_instance(type) ? "(-1)" : zero(type)));
    out.insert(out.end(), chain.begin(), chain.end());
    return result;
}

std::string HeapWriter::tuple_made(const ExprPtr& e, const CallExpr& n, Scope& scope, Lines& out) {
    const std::vector<ExprPtr>& parts = tuples_made_.at(e.get());
    take_starred(n, parts.size(), scope, out);
    std::string all = "(";
    for (const std::string& one : values(parts, scope, out)) all += one + ", ";
    return all + ")";
}

std::string HeapWriter::is_of_class(const CallExpr& n, Scope& scope, Lines& out) {
    const std::string u = atom(n.arguments[0], scope, out);
    const HeapFamily& family = *root(type_of(n.arguments[0]))->family;
    std::set<std::int64_t> tags;
    for (const ExprPtr& one :
         std::holds_alternative<TupleExpr>(n.arguments[1]->node) ? elements_of(n.arguments[1]) : std::vector{n.arguments[1]}) {
        const HeapClass* wanted = class_named(std::string(name_of(one)), scope);
        if (!wanted) throw NotOfHeap{"isinstance of another kind"};
        for (const HeapClass* each_class : family.classes)
            if (each_class->of.place_of(wanted->of.order[0]) < each_class->of.order.size()) tags.insert(each_class->tag);
    }
    std::string name = family_name(family) + "is", all = "False";
    for (const std::int64_t tag : tags)
        name += "_" + std::to_string(tag), all += " or " + family_name(family) + "kept_class[u] == " + std::to_string(tag);
    if (functions_written_.insert(name).second)
        write_runtime({"def " + name + "(u):", "    if u < 0:", "        return False", "    return " + all});
    return name + "(" + u + ")";
}

// ---- methods that Python calls by itself ----------------------------------------------------------------------------------------
/// Whether the function only reads objects, and those that it calls.
bool HeapWriter::changes_nothing(const Routine& routine, std::set<const Routine*>& seen) {
    static const std::set<std::string> kReading{"len",  "abs",   "min", "max",   "sum",    "int", "float", "bool",      "str",
                                                "sqrt", "range", "zip", "tuple", "sorted", "any", "all",   "isinstance"};
    if (!seen.insert(&routine).second) return true;
    bool nothing = true;
    const std::function<void(const ExprPtr&)> visit = [&](const ExprPtr& e) {
        const std::vector<Routine*> called = called_by(e);
        for (const Routine* one : called) nothing = nothing && changes_nothing(*one, seen);
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        const std::string name = method ? method->name : call ? std::string(name_of(call->function)) : "";
        if (call && called.empty() && !kReading.contains(name)) nothing = false;
        for_each_child(*e, visit);
    };
    walk_statements(routine.statement->body, [&](const Stmt& one) {
        const auto* assign = std::get_if<AssignStmt>(&one.node);
        const bool names = assign && std::ranges::all_of(assign->targets, [](const ExprPtr& e) { return !name_of(e).empty(); });
        const auto* update = std::get_if<AugAssignStmt>(&one.node);
        const bool of_name = update && !name_of(update->target).empty() && !is_object(type_of(update->target));
        nothing = nothing && (names || of_name || std::holds_alternative<ReturnStmt>(one.node) ||
                              std::holds_alternative<IfStmt>(one.node) || std::holds_alternative<ForStmt>(one.node) ||
                              std::holds_alternative<WhileStmt>(one.node) || std::holds_alternative<AssertStmt>(one.node) ||
                              std::holds_alternative<PassStmt>(one.node) || std::holds_alternative<ExprStmt>(one.node));
        for_each_expr(one, visit);
        return true;
    });
    return nothing;
}

/// The written function that calls a method of two objects, or of one; empty: no class has it.
std::string HeapWriter::special_function(const HeapFamily& family, const std::string& method) {
    const auto has = [&](const HeapClass* one) { return one->made && one->of.method(method); };
    if (std::ranges::none_of(family.classes, has)) return {};
    const std::string own = family_name(family), name = own + "special" + method;
    if (!functions_written_.insert(name).second) return name;
    if (!special_.contains(method)) throw NeedsMethod{method};
    const bool equality = method == "__eq__", of_two = method != "__len__" && method != "__bool__";
    const std::string parameters = of_two ? "(a, b)" : "(a)";
    Lines lines{"def " + name + parameters + ":"}, chain;
    bool generated = equality;
    std::set<std::string> owners;
    for (HeapClass* one : family.classes) {
        if (!one->made) continue;
        const Routine* routine = special_method(*one, method);
        const std::string which = "    if " + own + "kept_class[a] == " + std::to_string(one->tag) + ":";
        if (!routine) {
            owners.insert("");
            chain.insert(chain.end(),
                         {which, equality ? "        return a == b" : "        raise RuntimeError(\"no such method\")"});
            continue;
        }
        const auto& parameters_of = routine->statement->parameters;
        if (parameters_of.size() != (of_two ? 2 : 1)) throw NotOfHeap{"a special method of other parameters"};
        const bool of_dataclass = of_two && parameters_of[1].name == kOtherOfClass;
        generated = generated && of_dataclass;
        if (!of_dataclass) owners.insert(one->of.order.at(routine->owner));
        if (!is(routine->result, HeapKind::Number) ||
            (root(routine->result)->numbers & ~(method == "__len__" ? kInteger : kTruth)) != 0)
            throw NotOfHeap{"the result of a special method"};
        std::set<const Routine*> seen;
        if (!changes_nothing(*routine, seen)) throw NotOfHeap{"a special method that may change objects"};
        const std::string call = routine->name + (of_two ? "(a, b)" : "(a)");
        chain.push_back(which);
        if (of_dataclass)
            chain.insert(chain.end(),
                         {"        if a != b and " + own + "kept_class[b] != " + std::to_string(one->tag) + ":",
                          equality ? "            return False" : "            raise RuntimeError(\"another class\")"});
        chain.push_back("        return " + call + (method == "__len__" ? " > 0" : ""));
    }
    // Of objects of two classes, Python asks the one or the other.
    if (of_two && owners.size() > 1) throw NotOfHeap{"operators of several classes"};
    if (generated)
        lines.insert(lines.end(), {"    if a < 0 or b < 0:", "        return a == b"});
    else if (equality)
        lines.insert(lines.end(), {"    if a < 0 and b < 0:", "        return True",
                                   "    if a < 0 or b < 0:", "        raise RuntimeError(\"a comparison with None\")"});
    else if (of_two)
        lines.insert(lines.end(), {"    if a < 0 or b < 0:", "        raise RuntimeError(\"a comparison with None\")"});
    else
        lines.insert(lines.end(), {"    if a < 0:", "        return False"});
    lines.insert(lines.end(), chain.begin(), chain.end());
    lines.emplace_back("    return False");
    write_runtime(lines);
    return name;
}

std::string HeapWriter::instance_truth(Type type, const std::string& value) {
    const HeapFamily& family = *root(type)->family;
    const std::string truth = special_function(family, "__bool__"), length = special_function(family, "__len__");
    if (!truth.empty() && !length.empty()) throw NotOfHeap{"the truth of an object with a length"};
    if (truth.empty() && length.empty()) return "(" + value + " >= 0)";
    const bool all = std::ranges::all_of(
        family.classes, [&](const HeapClass* one) { return !one->made || one->of.method(truth.empty() ? "__len__" : "__bool__"); });
    if (!all) throw NotOfHeap{"the truth of objects of several classes"};
    return (truth.empty() ? length : truth) + "(" + value + ")";
}

/// As `a == b`, or as collections look for it: the same object, or an equal one.
std::string HeapWriter::instance_equal(Type type, const std::string& a, const std::string& b, bool or_same) {
    const std::string equal = special_function(*root(type)->family, "__eq__");
    if (equal.empty()) return "(" + a + " == " + b + ")";
    return or_same ? "(" + a + " == " + b + " or " + equal + "(" + a + ", " + b + "))" : equal + "(" + a + ", " + b + ")";
}

/// Equal ones have equal numbers: the object itself, or what the fields of a frozen dataclass are.
std::string HeapWriter::instance_number(Type type, const std::string& value) {
    const HeapFamily& family = *root(type)->family;
    if (has_method(type, "__hash__")) throw NotOfHeap{"keys that are objects with a method __hash__"};
    if (!has_method(type, "__eq__")) return value;
    const std::string name = family_name(family) + "number";
    if (!functions_written_.insert(name).second) return name + "(" + value + ")";
    const ObjectClass& of = family.classes.at(0)->of;
    const FunctionStmt& equal = *of.method("__eq__")->function;
    const bool generated = equal.parameters.at(1).name == kOtherOfClass;
    if (family.classes.size() != 1 || !generated) throw NotOfHeap{"keys that are objects with a method for =="};
    const auto& fields = std::get<CompareExpr>(std::get<ReturnStmt>(equal.body.at(0)->node).value->node).operands.at(0);
    std::string whole;
    for (const ExprPtr& one : elements_of(fields)) {
        const std::string field = kFieldOfTuple + std::get<AttributeExpr>(one->node).name;
        if (!family.fields.contains(field) || family.checked.contains(field))
            throw NotOfHeap{"keys that are objects which may change"};
        const std::string number = number_of(root(family.fields.at(field)), column(family, field) + "[u]");
        whole = whole.empty() ? number : text_function("node") + "(" + whole + ", " + number + ")";
    }
    if (whole.empty()) throw NotOfHeap{"keys that are objects without fields"};
    write_runtime({"def " + name + "(v):", "    u = " + there(family, "v"), "    return " + whole});
    return name + "(" + value + ")";
}

std::string HeapWriter::instance_less(Type type, const std::string& a, const std::string& b) {
    const HeapFamily& family = *root(type)->family;
    for (const HeapClass* one : family.classes)  // Those of a dataclass say the same.
        if (const ObjectClass::Method* method = one->of.method("__gt__");
            method && method->function->parameters.at(1).name != kOtherOfClass)
            throw NotOfHeap{"an order of objects with two methods for it"};
    std::string less = special_function(family, "__lt__");
    if (less.empty()) {  // Equal keys in front of them would need it.
        less = family_name(family) + "unordered";
        if (functions_written_.insert(less).second)
            write_runtime({"def " + less + "(a, b):", "    if a == a:", "        raise RuntimeError(\"objects without an order\")",
                           "    return False"});
    }
    return less + "(" + a + ", " + b + ")";
}

std::string HeapWriter::instance_compared(CompareOp op, Type left, Type right, const std::string& a, const std::string& b) {
    const Type type = is_instance(left) ? left : right;
    const bool of_none = is(left, HeapKind::None) || is(right, HeapKind::None);
    if (!of_none && (!is_instance(left) || !is_instance(right))) throw NotOfHeap{"a comparison of an object with this value"};
    const bool is = op == CompareOp::Is || op == CompareOp::Eq, is_not = op == CompareOp::IsNot || op == CompareOp::Ne;
    const bool identity = op == CompareOp::Is || op == CompareOp::IsNot;
    const std::string x = this->is(left, HeapKind::None) ? "(-1)" : a, y = this->is(right, HeapKind::None) ? "(-1)" : b;
    if (has_method(type, "__ne__") && op == CompareOp::Ne) throw NotOfHeap{"the method __ne__"};
    if (is || is_not) {
        const std::string same = identity ? "(" + x + " == " + y + ")" : instance_equal(type, x, y, false);
        return is ? same : "(not " + same + ")";
    }
    const auto known = [&](const std::string& method) { return special_function(*root(type)->family, method); };
    const std::string method = operator_method(op), mirrored = mirrored_method(op);
    if (const std::string direct = known(method); !direct.empty()) return direct + "(" + x + ", " + y + ")";
    const std::string other = known(mirrored);
    if (other.empty()) throw NotOfHeap{"an order of objects whose class has none"};
    return other + "(" + y + ", " + x + ")";
}

}  // namespace sluice::frontend
