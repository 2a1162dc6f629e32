// What a program over one memory returns, and the graph around its code. All that is returned leaves as one row of integers and one
// of floats: objects as they are met, each once, so that only they leave the memory and the caller sees which are the same.
#include <algorithm>
#include <cctype>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap.h"
#include "frontend/python/heap_code.h"
#include "frontend/python/heap_types.h"
#include "ir/builder.h"

namespace sluice::frontend {

using namespace code;

namespace {

std::string with_value(std::string text, const std::string& value) {
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at + value.size()))
        text.replace(at, 1, value);
    return text;
}

/// Messages of heap::Why.
constexpr const char* kReasons[] = {"OverflowError: an integer of Python's does not fit into 64 bits",
                                    "ZeroDivisionError: division by zero",
                                    "ZeroDivisionError: integer division or modulo by zero",
                                    "ZeroDivisionError: integer modulo by zero",
                                    "ZeroDivisionError: float division by zero",
                                    "ZeroDivisionError: float floor division by zero",
                                    "ZeroDivisionError: float modulo",
                                    "ZeroDivisionError: 0.0 cannot be raised to a negative power",
                                    "ValueError: math domain error",
                                    "OverflowError: math range error",
                                    "ValueError: negative shift count",
                                    "RecursionError: calls in calls deeper than compiled code has room for",
                                    "UnboundLocalError: a variable is read before it has a value",
                                    "NotImplementedError: compiled code has no type for a value",
                                    "MemoryError",
                                    "RuntimeError: Python makes this call"};

}  // namespace

/// The statement that writes a value `@` as the spec at `at` says (heap_kinds.cpp); `form` gets what it is read by: as a spec, with
/// the types of numbers, and without the numbers of lists.
std::string HeapCode::put(const std::string& spec, std::size_t& at, const Type& type, const std::vector<std::string>& parts,
                          std::string& form) {
    const auto part = [&] {
        std::size_t number = 0;
        while (spec[at] != ':') number = 10 * number + static_cast<std::size_t>(spec[at++] - '0');
        ++at;
        return "v_" + parts.at(number);
    };
    const auto element_type = [&](const std::string& list) { return element_of(main_->types.at(list.substr(2))); };
    const char kind = static_cast<char>(spec.at(at) == 'N' ? 'n' : std::tolower(static_cast<unsigned char>(spec.at(at))));
    const bool number = std::string("ifboIFBp").find(spec.at(at)) != std::string::npos;
    ++at;
    if (number) return form += form_of_number(type), "result.put(@); ";
    if (kind == '(') {
        form += '(';
        std::string all;
        const auto types = parts_of(type);
        for (std::size_t k = 0; spec[at] != ')'; ++k)
            all += with_value(put(spec, at, types.at(k), parts, form), "@._" + std::to_string(k));
        ++at;
        form += ')';
        return all;
    }
    if (kind == 'n') {
        if (type.starts_with("(")) {
            form += '(';
            std::string all;
            const auto types = parts_of(type);
            for (std::size_t k = 0; k < types.size(); ++k) {
                std::size_t first = 0;
                all += with_value(put("n", first, types[k], parts, form), "@._" + std::to_string(k));
            }
            form += ')';
            return all;
        }
        form += type == "n" || type.empty() ? "N" : form_of_number(type);
        return type == "n" || type.empty() ? "" : "result.put(@); ";
    }
    const std::size_t begin = at;
    form += kind;
    if (kind == 'a') form += spec.at(at++);
    const std::string size = "const int64_t n = v___h_kept_size.data[u]; result.put(n); ";
    const std::string loop = "const int64_t first = v___h_kept_begin.data[u]; for (int64_t k = 0; k < n; ++k) { ";
    std::string body;
    if (kind == 't') {
        body = "if (u < 0) { result.put(int64_t(1)); result.put(-1 - u); return; } " + size + loop + "result.put(" + part() +
               ".data[first + k]); }";
    } else if (kind == 'a') {
        const std::string list = part();
        const std::string one = put(spec, at, element_type(list), parts, form);
        body =
            "const int64_t n = v___h_kept_size.data[u], m = v___h_kept_room.data[u], first = v___h_kept_begin.data[u]; "
            "result.put(n); result.put(m); for (int64_t k = 0; k < n * m; ++k) { " +
            with_value(one, list + ".data[first + k]") + "}";
    } else {
        const std::string first = part(), keys = std::string("dsz").find(kind) != std::string::npos ? part() : "",
                          values = kind == 'd' ? part() : "";
        body = size + loop;
        if (keys.empty()) {
            const std::string one = put(spec, at, element_type(first), parts, form);
            body += "const auto& x = " + first + ".data[first + k]; (void)x; " + with_value(one, "x") + "}";
        } else {
            body += "const int64_t slot = " + first + ".data[first + k]; ";
            const std::string key = put(spec, at, element_type(keys), parts, form);
            body += "const auto& x = " + keys + ".data[slot]; (void)x; " + with_value(key, "x");
            if (kind == 'd') {
                const std::string value = put(spec, at, element_type(values), parts, form);
                body += "const auto& y = " + values + ".data[slot]; (void)y; " + with_value(value, "y");
            }
            body += "}";
        }
    }
    const auto [known, added] = writers_.try_emplace(spec.substr(begin - 1, at - begin + 1) + body, "");
    if (added) {
        known->second = "write" + std::to_string(writers_.size());
        const std::string name = kind == 't' ? known->second : "contents_" + known->second;
        writer_functions_.push_back("void " + name + "(int64_t u) { " + body + " }");
        if (kind != 't')
            writer_functions_.push_back("void " + known->second + "(int64_t u) { if (result.is_new(u)) " + name + "(u); }");
    }
    return known->second + "(@); ";
}

void HeapCode::print_result(const ExprPtr& given, Function& in, Lines& out) {
    const auto* call = given ? std::get_if<CallExpr>(&given->node) : nullptr;
    const bool objects = call && name_of(call->function) == kObjects;
    const ExprPtr e = objects ? call->arguments.at(1) : given;
    std::string spec = objects ? *text_of(call->arguments.at(0)) : "n", form;
    std::vector<std::string> parts;
    for (std::size_t at = 2; objects && at < call->arguments.size(); ++at) parts.emplace_back(name_of(call->arguments[at]));
    std::size_t at = spec.starts_with("g") ? 1 : 0;
    const Type type = e ? type_of(e, in) : "n";
    const std::string text = put(spec, at, type, parts, form);
    const std::size_t number = result_number(form);
    if (objects_) out.emplace_back("for (int64_t k = 0; k < given.rows.size; ++k) result.seen.append(given.rows.data[k]);");
    const std::string one = "t" + std::to_string(names_++);
    if (type != "n") out.push_back("const " + cpp(type) + " " + one + " = " + value(e, in) + ";");
    out.push_back("result.put(int64_t(" + std::to_string(number) + "));");
    if (!text.empty()) out.push_back(with_value(text, one));
    if (objects_) out.emplace_back("write_changes();");
}

std::size_t HeapCode::result_number(const std::string& form) {
    const auto known = std::ranges::find(results_, form);
    const auto number = static_cast<std::size_t>(known - results_.begin());
    if (known == results_.end()) results_.push_back(form);
    return number;
}

// ---- arguments ----------------------------------------------------------------------------------------------------------------
/// What reads the value that the spec at `at` describes: an object that was read before, or the next.
std::string HeapCode::take(const std::string& spec, std::size_t& at, const std::vector<std::string>& parts) {
    const std::size_t begin = at;
    const char kind = spec.at(at++);
    const auto part = [&] {
        const std::size_t end = spec.find(':', at), number = std::stoul(spec.substr(at, end - at));
        at = end + 1;
        return parts.at(number);
    };
    switch (kind) {
        case '(': {
            std::string all;
            while (spec.at(at) != ')') all += (all.empty() ? "" : ", ") + take(spec, at, parts);
            ++at;
            std::size_t first = begin;
            return cpp(infer_taken(spec, first, parts, *main_)) + "{" + all + "}";
        }
        case 'i':
            return "given.next()";
        case 'f':
            return "given.next_real()";
        case 'b':
            return "(given.next() != 0)";
        case 'I':
        case 'F':
        case 'B':
            return kind == 'I' ? "given.next()" : kind == 'F' ? "given.next_real()" : "(given.next() != 0)";
        case 'N':
            return "INT64_C(0)";
        default:
            break;
    }
    const std::string rows =
        "v___h_kept_begin.append(0); v___h_kept_size.append(0); v___h_kept_room.append(0); "
        "const int64_t u = v___h_kept_size.size - 1; ";
    const std::string filled = "v___h_kept_begin.data[u] = first; v___h_kept_size.data[u] = n; v___h_kept_room.data[u] = n; ";
    std::string body;
    if (kind == 't') {
        const std::string chars = "v_" + part();
        body = "const int64_t n = given.next(); if (n == 1) return -1 - given.next(); " + rows + "const int64_t first = " + chars +
               ".size; " + chars + ".extend(given.whole, n); given.whole += n; " + filled + "return u;";
    } else {
        const bool array = kind == 'a' || kind == 'A';
        if (array) ++at;
        const std::string list = part(), keys = std::string("dDsSz").find(kind) != std::string::npos ? part() : "";
        const bool dictionary = kind == 'd' || kind == 'D';
        if (dictionary) part();
        const std::string own = keys.empty() ? "" : keys.substr(0, keys.rfind("_kept_keys"));
        const std::string key = take(spec, at, parts), value = dictionary ? take(spec, at, parts) : "";
        std::string note = "-1";
        if (kind != 'r' && std::isupper(static_cast<unsigned char>(kind)) != 0) {
            std::string form;
            std::size_t first = begin;
            const std::string write = put(spec, first, "i", parts, form);
            const auto known = std::ranges::find(changing_, form, &std::pair<std::string, std::string>::first);
            note = std::to_string(known - changing_.begin());
            if (known == changing_.end()) changing_.emplace_back(form, "contents_" + with_value(write, "u"));
        }
        body = "const int64_t known = given.next(); if (known >= 0) return given.again(known, " + note +
               "); const int64_t n = given.next(); " + (array ? "const int64_t m = given.next(); " : "") + rows + "given.note(u, " +
               note + "); ";
        if (array) {
            body += "const int64_t first = v_" + list + ".enlarge(n * m); " + filled +
                    "v___h_kept_room.data[u] = m; for (int64_t k = 0; k < n * m; ++k) v_" + list + ".data[first + k] = " + key +
                    "; return u;";
        } else if (keys.empty()) {
            body += "const int64_t first = v_" + list + ".enlarge(n); " + filled +
                    "for (int64_t k = 0; k < n; ++k) { const auto x = " + key + "; v_" + list + ".data[first + k] = x; } return u;";
        } else {
            body += "for (int64_t k = 0; k < n; ++k) { const auto x = " + key + "; " +
                    (dictionary ? "const auto y = " + value + "; f_" + own + "set(u, x, y); " : "f_" + own + "add(u, x); ") +
                    "} return u;";
        }
    }
    const auto [known, added] = writers_.try_emplace("take " + spec.substr(begin, at - begin) + body, "");
    if (added) {
        known->second = "take" + std::to_string(writers_.size());
        writer_functions_.push_back("int64_t " + known->second + "() { " + body + " }");
    }
    return known->second + "()";
}

std::string HeapCode::take_parameter(const CallExpr& call) {
    std::vector<std::string> parts;
    for (std::size_t at = 1; at < call.arguments.size(); ++at) parts.emplace_back(name_of(call.arguments[at]));
    std::size_t at = 0;
    return take(*text_of(call.arguments.at(0)), at, parts);
}

/// What writes the arguments that may have changed, each behind its number and that of its form.
std::string HeapCode::keeps_changes() const {
    std::string all =
        "void write_changes() { int64_t changes = 0; for (int64_t k = 0; k < given.rows.size; ++k) changes += "
        "given.forms.data[k] >= 0; result.put(changes); for (int64_t k = 0; k < given.rows.size; ++k) { const int64_t u = "
        "given.rows.data[k]; (void)u; switch (given.forms.data[k]) { ";
    for (std::size_t at = 0; at < changing_.size(); ++at) {
        const auto number = std::ranges::find(results_, changing_[at].first) - results_.begin();
        all += "case " + std::to_string(at) + ": result.put(k); result.put(int64_t(" + std::to_string(number) + ")); " +
               changing_[at].second + "break; ";
    }
    return all + "default: break; } } }";
}

ir::Sdfg HeapCode::graph(ReturnedForms& forms) {
    const std::string& name = main_->statement->name;
    const Span& where = program_.function->span;
    ir::Sdfg sdfg{.name = name};
    sdfg.metadata.where = where;
    std::string given, taken, parameters;
    ir::Connectors in, out;
    std::vector<std::pair<std::string, std::string>> inputs;
    for (const auto& [argument, scalar] : {std::pair("__given_0", Scalar::Int64), std::pair("__given_1", Scalar::Float64)}) {
        if (!objects_) break;
        const std::string size = std::string(argument) + "_size", connector = "in" + std::string(argument);
        sdfg.arg_names.emplace_back(argument);
        sdfg.symbols.emplace(size, Scalar::Int64);
        ir::add_array(sdfg, argument, scalar, {symbolic::symbol(size)}).metadata.where = where;
        in[connector] = DType::pointer(scalar);
        inputs.emplace_back(argument, connector);
        parameters += (scalar == Scalar::Int64 ? "const int64_t* " : "const double* ") + connector + ", ";
        given += connector + ", ";
        taken += std::string("    all.given.") + (scalar == Scalar::Int64 ? "whole" : "real") + " = " + connector + ";\n";
    }
    for (const Parameter& parameter : main_->statement->parameters) {
        if (objects_) break;
        const ArgumentType& type = arguments_.at(parameter.name);
        sdfg.arg_names.push_back(parameter.name);
        const std::string connector = "in_" + parameter.name, own = cpp(main_->types.at(parameter.name));
        parameters += own + " " + connector + ", ";
        given += connector + ", ";
        taken += "    all.v_" + parameter.name + " = " + connector + ";\n";
        inputs.emplace_back(parameter.name, connector);
        if (!type.shape) {
            ir::add_scalar(sdfg, parameter.name, type.dtype).metadata.where = where;
            in[connector] = type.dtype;
            continue;
        }
        for (const symbolic::Expr& extent : *type.shape)
            for (const std::string& symbol : symbolic::free_symbols(extent)) sdfg.symbols.emplace(symbol, Scalar::Int64);
        ir::add_array(sdfg, parameter.name, type.dtype, *type.shape).metadata.where = where;
        in[connector] = DType::pointer(type.dtype);
        for (const char* extent : {"rows_", "columns_"}) {
            const std::string own_extent = extent + parameter.name;
            const bool rows = own_extent.starts_with("rows_");
            parameters += "int64_t " + own_extent + ", ";
            given += (rows || type.shape->size() > 1
                          ? "int64_t(" + symbolic::to_string(rows ? type.shape->front() : type.shape->back()) + ")"
                          : "1") +
                     std::string(", ");
            taken += "    all." + own_extent + " = " + own_extent + ";\n";
        }
    }
    const std::string text = program_text();
    for (const auto& [container, scalar] : {std::pair("__return_0", Scalar::Int64), std::pair("__return_1", Scalar::Float64)}) {
        ir::add_array(sdfg, container, scalar, {ir::kReservedExtent}).metadata.where = where;
        ir::add_array(sdfg, std::string(container) + "_shape", Scalar::Int64, {1}).metadata.where = where;
        out[std::string("out") + container] = DType::pointer(scalar);
        out[std::string("out") + container + "_shape"] = DType::pointer(Scalar::Int64);
        forms.results[container] = {};
        forms.results[container].shape = std::string(container) + "_shape";
        forms.results[container].views = {std::nullopt};
    }
    ir::add_transient(sdfg, "__why", Scalar::Int64, {1}).metadata.where = where;
    out["out_why"] = DType::pointer(Scalar::Int64);
    std::string all;
    for (const std::string& form : results_) all += (all.empty() ? "" : "|") + form;
    const std::string how = code::to_string(*make_text(objects_ ? all : "=" + all));
    forms.structures = {objects_ ? "{" + how + ": (0, 1, )}" : "{...: {" + how + ": (0, 1, )}}"};
    forms.one_memory = forms.one_function = true;

    ir::StateBuilder state = ir::add_state(sdfg, "run");
    const ir::NodeId tasklet = state.tasklet("run", in, out,
                                             "*out_why = sluice::generated_heap::run_" + name + "(" + given +
                                                 "out__return_0, out__return_1, out__return_0_shape, out__return_1_shape);",
                                             ir::Language::CPP);
    auto& made = std::get<ir::Tasklet>(state.state().nodes[tasklet].kind);
    made.side_effects = true;
    made.code_global.text =
        "#include \"sluice/heap.h\"\nnamespace sluice::generated_heap {\nnamespace {\n" + text + "int64_t run_" + name + "(" +
        parameters + "int64_t* whole, double* real, int64_t* wholes, int64_t* reals) {\n    Program all(whole, real);\n" + taken +
        "    try {\n        all.run();\n    } catch (const heap::Raised& raised) {\n        return raised.why;\n    }\n"
        "    *wholes = all.result.wholes, *reals = all.result.reals;\n    return 0;\n}\n}\n}\n";
    state.state().nodes[tasklet].metadata.where = where;
    for (const auto& [container, connector] : inputs)
        state.edge(state.access(container), "", tasklet, connector, ir::memlet(container));
    for (const auto& [connector, type] : out)
        state.edge(tasklet, connector, state.access(connector == "out_why" ? "__why" : connector.substr(3)), "",
                   ir::memlet(connector == "out_why" ? "__why" : connector.substr(3)));

    ir::StateBuilder checks = ir::add_state_after(sdfg.body, ir::BlockId(0), "checks");
    const auto check = [&](std::size_t why, const std::string& message, std::uint32_t line) {
        const ir::NodeId one =
            checks.tasklet("check", {{"given", Scalar::Int64}}, {},
                           "assert (given != " + std::to_string(why) + "), raised(" + code::to_string(*make_text(message)) + ")");
        std::get<ir::Tasklet>(checks.state().nodes[one].kind).side_effects = true;
        Span at = where;
        if (line > 0) at.line = at.end_line = line, at.column = at.end_column = 1;
        checks.state().nodes[one].metadata.where = at;
        checks.edge(checks.access("__why"), "", one, "given", ir::memlet("__why[0]"));
    };
    std::size_t why = 1;
    for (const char* reason : kReasons) check(why++, reason, 0);
    for (const Raise& one : raises_) check(why++, one.message, one.line);
    return sdfg;
}

}  // namespace sluice::frontend
