// Statements and functions of what heap.cpp writes, as C++, and the graph around them.
#include "frontend/python/heap_code.h"

#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap.h"
#include "frontend/python/heap_types.h"
#include "frontend/python/tables.h"

namespace sluice::frontend {

using namespace code;

namespace {

void nest_lines(const std::vector<std::string>& inside, std::vector<std::string>& out) {
    for (const std::string& line : inside) out.push_back("    " + line);
}

std::optional<std::int64_t> integer_of(const ExprPtr& e) {
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && unary->op == UnaryOp::Minus) {
        const auto value = integer_of(unary->operand);
        return value ? std::optional(-*value) : std::nullopt;
    }
    const auto* constant = std::get_if<ConstantExpr>(&e->node);
    const auto* value = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
    return value ? std::optional(*value) : std::nullopt;
}

}  // namespace

void HeapCode::print(const Body& body, Function& in, Lines& out) {
    for (const StmtPtr& one : body) print(one, in, out);
}

void HeapCode::store(const ExprPtr& target, const std::string& text, const Type& type, Function& in, Lines& out) {
    if (const std::string name(name_of(target)); !name.empty()) {
        Function* const owner = holder(name, in);
        const std::string at = place(name, in);
        const Type& wanted = owner->types.at(name);
        if (wanted.starts_with("[") || wanted.starts_with("k")) return;  // A list is made where it is declared.
        if (wanted != "n") out.push_back(at + " = " + converted(text, type, wanted) + ";");
        if (!owner->unsure.contains(name)) return;
        std::string has = at;
        out.push_back(has.replace(has.rfind("v_"), 2, "has_") + " = true;");
        return;
    }
    const auto& element = std::get<SubscriptExpr>(target->node);
    const std::string list(name_of(element.object));
    out.push_back(place(list, in) + ".data[" + value(element.index, in) +
                  "] = " + converted(text, type, element_of(holder(list, in)->types.at(list))) + ";");
}

void HeapCode::print(const StmtPtr& one, Function& in, Lines& out) {
    std::visit(
        Overloaded{
            [&](const AssignStmt& s) {
                if (!std::holds_alternative<TupleExpr>(s.targets[0]->node)) {
                    const Type type = type_of(s.value, in);
                    return store(s.targets[0], type.starts_with("[") ? "" : value(s.value, in), type, in, out);
                }
                const auto targets = elements_of(s.targets[0]), values = elements_of(s.value);
                std::vector<std::pair<std::string, Type>> kept;
                for (const ExprPtr& each : values) {
                    kept.emplace_back("t" + std::to_string(names_++), type_of(each, in));
                    out.push_back("const " + cpp(kept.back().second) + " " + kept.back().first + " = " + value(each, in) + ";");
                }
                for (std::size_t at = 0; at < targets.size(); ++at) store(targets[at], kept[at].first, kept[at].second, in, out);
            },
            [&](const AugAssignStmt& s) {
                const Type target = type_of(s.target, in), added = type_of(s.value, in);
                const auto* element = std::get_if<SubscriptExpr>(&s.target->node);
                if (!element)
                    return store(s.target, arithmetic(s.op, value(s.target, in), value(s.value, in), target, added),
                                 type_of_number(s.op, target, added), in, out);
                const std::string at = "t" + std::to_string(names_++);
                out.push_back("const int64_t " + at + " = " + value(element->index, in) + ";");
                const std::string where = place(std::string(name_of(element->object)), in) + ".data[" + at + "]";
                out.push_back(where + " = " +
                              converted(arithmetic(s.op, where, value(s.value, in), target, added),
                                        type_of_number(s.op, target, added), target) +
                              ";");
            },
            [&](const ExprStmt& s) {
                if (const auto* call = std::get_if<CallExpr>(&s.value->node)) return print_call(*call, in, out);
                out.push_back("(void)" + value(s.value, in) + ";");
            },
            [&](const IfStmt& s) {
                Lines then, otherwise;
                print(s.then_body, in, then), print(s.else_body, in, otherwise);
                out.push_back("if (" + truth(s.condition, in) + ") {");
                nest_lines(then, out);
                if (!otherwise.empty()) out.emplace_back("} else {"), nest_lines(otherwise, out);
                out.emplace_back("}");
            },
            [&](const WhileStmt& s) { print_loop("while (" + truth(s.condition, in) + ") {", {}, s.body, s.else_body, in, out); },
            [&](const ForStmt& s) { print_loop(s, in, out); },
            [&](const ReturnStmt& s) { print_return(s.value, in, out); },
            [&](const AssertStmt& s) {
                const std::string raised = raise(s, one->span);
                out.push_back(s.raises ? raised : "if (!" + truth(s.condition, in) + ") " + raised);
            },
            [&](const BreakStmt&) {
                if (!loops_.back().empty()) out.push_back(loops_.back() + " = true;");
                out.emplace_back("break;");
            },
            [&](const ContinueStmt&) { out.emplace_back("continue;"); },
            [](const auto&) {},
        },
        one->node);
}

void HeapCode::print_loop(const std::string& head, const Lines& first, const Body& body, const Body& otherwise, Function& in,
                          Lines& out) {
    const std::string left = otherwise.empty() ? "" : "left" + std::to_string(names_++);
    if (!left.empty()) out.push_back("bool " + left + " = false;");
    out.push_back(head);
    Lines inside;
    if (loops_.empty()) inside.emplace_back("end_if_asked();");
    inside.insert(inside.end(), first.begin(), first.end());
    loops_.push_back(left);
    print(body, in, inside);
    loops_.pop_back();
    nest_lines(inside, out);
    out.emplace_back("}");
    if (left.empty()) return;
    Lines rest;
    print(otherwise, in, rest);
    out.push_back("if (!" + left + ") {");
    nest_lines(rest, out);
    out.emplace_back("}");
}

void HeapCode::print_loop(const ForStmt& s, Function& in, Lines& out) {
    const std::string at = "t" + std::to_string(names_++), end = "t" + std::to_string(names_++);
    const auto* range = std::get_if<CallExpr>(&s.iterable->node);
    Lines first;
    if (range && name_of(range->function) == "range") {
        const auto bound = [&](const ExprPtr& e) {
            const auto* call = std::get_if<SubscriptExpr>(&e->node);  // `a.shape[0]`
            const auto* of = call ? std::get_if<AttributeExpr>(&call->object->node) : nullptr;
            return of && of->name == "shape" ? "rows_" + std::string(name_of(of->object)) : value_as(e, "i", in);
        };
        const auto& bounds = range->arguments;
        const std::string from = bounds.size() > 1 ? bound(bounds[0]) : "0", to = bound(bounds[bounds.size() > 1 ? 1 : 0]);
        const auto constant = bounds.size() > 2 ? integer_of(bounds[2]) : std::optional<std::int64_t>(1);
        store(s.target, at, "i", in, first);
        if (constant && *constant == 1)
            return print_loop(
                "for (int64_t " + at + " = " + from + ", " + end + " = " + to + "; " + at + " < " + end + "; ++" + at + ") {",
                first, s.body, s.else_body, in, out);
        const std::string step = "t" + std::to_string(names_++);
        out.push_back("const int64_t " + step + " = " + bound(bounds[2]) + ";");
        out.push_back("int64_t " + at + " = " + from + ";");
        return print_loop("for (uint64_t " + end + " = heap::steps(" + at + ", " + to + ", " + step + "); " + end + " > 0; --" +
                              end + ", " + at + " = int64_t(uint64_t(" + at + ") + uint64_t(" + step + "))) {",
                          first, s.body, s.else_body, in, out);
    }
    const Type all = type_of(s.iterable, in), wanted = type_of(s.target, in);
    const auto parts = parts_of(all);
    const std::string whole = "t" + std::to_string(names_++);
    out.push_back("const " + cpp(all) + " " + whole + " = " + value(s.iterable, in) + ";");
    std::string elements;
    for (std::size_t k = 0; k < parts.size(); ++k)
        elements += (k > 0 ? ", " : "") + converted(whole + "._" + std::to_string(k), parts[k], wanted);
    if (parts.empty()) return print(s.else_body, in, out);
    out.push_back("const " + cpp(wanted) + " " + end + "[] = {" + elements + "};");
    store(s.target, end + "[" + at + "]", wanted, in, first);
    print_loop("for (int " + at + " = 0; " + at + " < " + std::to_string(parts.size()) + "; ++" + at + ") {", first, s.body,
               s.else_body, in, out);
}

void HeapCode::print_call(const CallExpr& e, Function& in, Lines& out) {
    if (called(e.function, in)) return out.push_back(call(e, in) + ";");
    const auto* method = std::get_if<AttributeExpr>(&e.function->node);
    const std::string list(method ? name_of(method->object) : "");
    Function* const owner = list.empty() ? nullptr : holder(list, in);
    if (!owner) return out.push_back("(void)" + call(e, in) + ";");
    const std::string at = place(list, in);
    if (method->name == "append")
        return out.push_back(at + ".append(" + value_as(e.arguments.at(0), element_of(owner->types.at(list)), in) + ");");
    const auto& made = std::get<CallExpr>(e.arguments.at(0)->node);
    if (name_of(made.function) == "__h_shown")
        return out.push_back("heap::show(" + at + ", " + value(made.arguments.at(0), in) + ", \"" + *text_of(made.arguments.at(1)) +
                             "\");");
    const auto& of = std::get<AttributeExpr>(made.function->node);
    const auto* row = std::get_if<SubscriptExpr>(&of.object->node);
    const std::string array(name_of(row ? row->object : of.object)), width = "columns_" + array;
    out.push_back(at + ".extend(v_" + array +
                  (row ? " + " + value(row->index, in) + " * " + width + ", " + width : ", rows_" + array) + ");");
}

/// What ends the program at this place.
std::string HeapCode::raise(const AssertStmt& s, const Span& span) {
    const auto* call = s.message && s.raises ? std::get_if<CallExpr>(&s.message->node) : nullptr;
    const ExprPtr type = !s.raises ? nullptr : call ? call->function : s.message;
    const ExprPtr text = !s.raises ? s.message : call && !call->arguments.empty() ? call->arguments[0] : nullptr;
    std::string name = s.raises ? type ? dotted_name(*type) : "" : "AssertionError";
    if (name.empty()) throw NotOfHeap{"this exception"};
    name = name.substr(name.rfind('.') + 1);
    const std::string* known = text ? text_of(text) : nullptr;
    const std::uint32_t line = span.line > kWrittenLines && span.line - kWrittenLines < program_.lines.size()
                                   ? program_.lines[span.line - kWrittenLines]
                                   : 0;
    raises_.push_back({name + ": " + (known ? *known : ""), line});
    return "heap::raise(heap::kFirstRaise + " + std::to_string(raises_.size() - 1) + ");";
}

void HeapCode::print_return(const ExprPtr& given, Function& in, Lines& out) {
    if (&in == main_) {
        print_result(given, in, out);
        return void(out.emplace_back("return;"));
    }
    if (in.result.empty()) return void(out.emplace_back("return;"));
    const Type type = given ? type_of(given, in) : "n";
    if (type == "n") return void(out.emplace_back("heap::raise(heap::kBeyond);"));  // None on one path, a value on another.
    out.push_back("return " + value_as(given, in.result, in) + ";");
}

// ---- functions ----------------------------------------------------------------------------------------------------------------
std::string HeapCode::signature(const Function& function, const std::string& name) {
    std::string all = (function.result.empty() ? "void" : cpp(function.result)) + " " + name + "(";
    for (const Parameter& one : function.statement->parameters)
        all += (all.ends_with("(") ? "" : ", ") + cpp(function.types.at(one.name)) + " v_" + one.name;
    return all + ")";
}

HeapCode::Lines HeapCode::variables(const Function& function) {
    Lines out;
    for (const auto& [name, type] : function.types) {
        if (type == "n" || (&function != main_ && function.parameters.contains(name))) continue;
        if (&function == main_ && !objects_ && function.parameters.contains(name)) {
            out.push_back(cpp(type) + " v_" + name + ";");
            if (type.starts_with("a")) out.push_back("int64_t rows_" + name + ", columns_" + name + ";");
            continue;
        }
        out.push_back(cpp(type) + " v_" + name + "{};");
        if (function.unsure.contains(name)) out.push_back("bool has_" + name + " = false;");
    }
    return out;
}

void HeapCode::print_function(Function& function, Lines& out) {
    Lines body;
    if (function.recursive) body.emplace_back(std::string("heap::Depth deeper(") + way(function, main_) + "depth);");
    const bool framed = !function.inner.empty();
    if (!framed)
        for (const std::string& one : variables(function)) body.push_back(one);
    print(function.statement->body, function, body);
    if (!function.result.empty()) body.emplace_back("heap::raise(heap::kBeyond);");
    if (!framed) {
        out.push_back(signature(function, "f_" + function.name) + " {");
        nest_lines(body, out);
        return void(out.emplace_back("}"));
    }
    const std::string frame = "Frame_" + function.name;
    out.push_back("struct " + frame + " {");
    Lines inside{"Program& all;"};
    if (function.outer != main_)
        inside.push_back((function.outer == main_ ? "Program" : "Frame_" + function.outer->name) + "* outer;");
    std::string arguments = function.outer == main_ ? "*this" : "all, this", call;
    for (const Parameter& one : function.statement->parameters) {
        inside.push_back(cpp(function.types.at(one.name)) + " v_" + one.name + ";");
        arguments += ", v_" + one.name;
    }
    for (const std::string& one : variables(function)) inside.push_back(one);
    for (Function* const inner : function.in_order)
        if (inner->used) print_function(*inner, inside);
    inside.push_back((function.result.empty() ? "void" : cpp(function.result)) + " run() {");
    nest_lines(body, inside);
    inside.emplace_back("}");
    nest_lines(inside, out);
    out.emplace_back("};");
    out.push_back(signature(function, "f_" + function.name) + " {");
    out.push_back("    " + frame + " frame{" + arguments + "};");
    out.push_back(std::string("    ") + (function.result.empty() ? "" : "return ") + "frame.run();");
    out.emplace_back("}");
}

std::string HeapCode::program_text() {
    Lines functions, body, all;
    for (Function* const inner : main_->in_order)
        if (inner->used) print_function(*inner, functions);
    print(main_->statement->body, *main_, body);
    if (body.empty() || body.back() != "return;") print_result(nullptr, *main_, body);
    for (const auto& [form, write] : changing_) result_number(form);
    if (objects_) writer_functions_.push_back(keeps_changes());
    const Lines own = variables(*main_);
    for (const Tuple& one : tuples_) all.push_back(one.definition);
    all.emplace_back("struct Program {");
    all.emplace_back("    heap::Given given;");
    all.emplace_back("    heap::Writer result;");
    all.emplace_back("    int64_t depth = 0;");
    all.emplace_back("    Program(int64_t* whole, double* real) : result(whole, real) {}");
    nest_lines(own, all);
    nest_lines(functions, all);
    nest_lines(writer_functions_, all);
    all.emplace_back("    void run() {");
    Lines inside;
    nest_lines(body, inside);
    nest_lines(inside, all);
    all.emplace_back("    }");
    all.emplace_back("};");
    std::string text;
    for (const std::string& line : all) text += line + "\n";
    return text;
}

}  // namespace sluice::frontend
