// Statements that are neither loops nor concurrent: variables, memory, branches, streams, calls.
#include "codegen/cpu/printer.h"
#include "loop/walk.h"
#include "support/check.h"

namespace sluice::codegen {

void Printer::body(const loop::Body& statements) {
    for (const loop::Statement& each : statements) statement(each);
}

void Printer::statement(const loop::Statement& s) {
    out_.at(s.where);
    where_ = s.where;
    std::visit([&](const auto& n) { print(n); }, s.node);
}

void Printer::print(const loop::Declare& s) {
    scope_[s.name] = {s.type};
    const std::string declared = (s.constant ? "const " : "") + type(s.type) + " " + s.name;
    out_.line(s.value ? declared + " = " + value(s.value) + ";" : declared + ";");
}

void Printer::print(const loop::Assign& s) {
    out_.line(s.name + " = " + value(s.value) + ";");
}

void Printer::print(const loop::Store& s) {
    out_.line(element(s.buffer, s.index, s.value->type) + " = " + value(s.value) + ";");
}

void Printer::print(const loop::Allocate& s) {
    scope_[s.name] = {s.type};
    const std::string element_type = type(s.type);
    if (s.place == loop::Place::Stack) {
        const std::string alignment = s.alignment > 0 ? "alignas(" + std::to_string(s.alignment) + ") " : "";
        const auto count = s.size.constant();
        check(count.has_value(), "the stack buffer ", s.name, " has no constant size");
        out_.line(alignment + element_type + " " + s.name + "[" + std::to_string(*count > 0 ? *count : 1) + "]" +
                  (s.zero ? " = {};" : ";"));
        return;
    }
    need("memory.h");
    const std::string memory = own(s.name + "_memory");
    std::string arguments = claim(s.name, s.size) + ", " + extent(s.size, runtime("Extent"));
    if (s.alignment > 0 || s.zero) arguments += ", " + std::to_string(s.alignment > 64 ? s.alignment : 64);
    if (s.zero) arguments += ", true";
    const std::string pointer = element_type + "* __restrict__ " + s.name + " = ";
    if (s.place == loop::Place::ThreadLocal) {
        out_.line("static thread_local " + runtime("ThreadBuffer") + "<" + element_type + "> " + memory + ";");
        out_.line(pointer + memory + ".reserve(" + arguments + ");");
    } else {
        check(s.place != loop::Place::Persistent, "the persistent buffer ", s.name, " is allocated inside a function");
        const std::string owner = runtime(s.place == loop::Place::Reserved ? "Reservation" : "Buffer");
        out_.line(owner + "<" + element_type + "> " + memory + "(" + arguments + ");");
        out_.line(pointer + memory + ".data();");
    }
}

void Printer::print(const loop::AllocateStream& s) {
    need("stream.h");
    scope_[s.name] = {s.type};
    out_.line(runtime("Streams") + "<" + type(s.type) + "> " + s.name + "(" + claim(s.name, s.count) + ", " +
              extent(s.count, runtime("Extent")) + ", " + expr(s.capacity) + ");");
}

namespace {

// The buffer that an address leads to, or empty.
std::string root_of(const loop::ValuePtr& address) {
    if (!address) return {};
    if (const auto* n = std::get_if<loop::Address>(&address->node)) return n->buffer;
    if (const auto* n = std::get_if<loop::Cast>(&address->node)) return root_of(n->operand);
    return {};
}

}  // namespace

void Printer::print(const loop::Alias& s) {
    const auto root = scope_.find(root_of(s.address));
    const bool constant = root != scope_.end() && root->second.constant;
    std::string pointed = s.address ? value(s.address) : "nullptr";
    const std::string target = std::string(constant ? "const " : "") + type(s.type) + "*";
    if (root != scope_.end() && !(root->second.type == s.type)) pointed = "reinterpret_cast<" + target + ">(" + pointed + ")";
    scope_[s.name] = {s.type, constant};
    out_.line(target + (s.restricted ? " __restrict__ " : " ") + s.name + " = " + pointed + ";");
}

void Printer::print(const loop::Rebind& s) {
    const auto root = scope_.find(root_of(s.address));
    const auto name = scope_.find(s.name);
    check(name != scope_.end(), "the printer knows no alias named ", s.name);
    std::string pointed = value(s.address);
    const bool drops_const = root != scope_.end() && root->second.constant && !name->second.constant;
    if (drops_const) pointed = "const_cast<" + type(root->second.type) + "*>(" + pointed + ")";
    if (root != scope_.end() && !(root->second.type == name->second.type))
        pointed = "reinterpret_cast<" + std::string(name->second.constant ? "const " : "") + type(name->second.type) + "*>(" +
                  pointed + ")";
    out_.line(s.name + " = " + pointed + ";");
}

void Printer::print(const loop::CopyContiguous& s) {
    const std::string size = s.count.is_integer(1) ? "" : " * (" + expr(s.count) + ")";
    out_.line("__builtin_memcpy(" + value(s.destination) + ", " + value(s.source) + ", sizeof(" + type(s.type) + ")" + size + ");");
}

void Printer::print(const loop::ZeroFill& s) {
    const std::string size = s.count.is_integer(1) ? "" : " * (" + expr(s.count) + ")";
    out_.line("__builtin_memset(static_cast<void*>(" + value(s.destination) + "), 0, sizeof(" + type(s.type) + ")" + size + ");");
}

void Printer::print(const loop::While& s) {
    if (s.test_at_end) {
        out_.open("do {");
        body(s.body);
        out_.close(" while (" + value(s.condition) + ");");
    } else {
        out_.open("while (" + value(s.condition) + ") {");
        body(s.body);
        out_.close();
    }
}

void Printer::print(const loop::If& s) {
    out_.open("if (" + value(s.condition) + ") {");
    const loop::If* branch = &s;
    for (;;) {
        body(branch->then_body);
        const loop::Body& rest = branch->else_body;
        if (rest.empty()) break;
        const loop::If* chained = rest.size() == 1 ? std::get_if<loop::If>(&rest[0].node) : nullptr;
        if (!chained) {
            out_.turn("} else {");
            body(rest);
            break;
        }
        out_.turn("} else if (" + value(chained->condition) + ") {");
        branch = chained;
    }
    out_.close();
}

void Printer::print(const loop::Barrier&) {
    out_.flush_left("#pragma omp barrier");
}

void Printer::print(const loop::Block& s) {
    out_.open_block(s.comment);
    body(s.body);
    out_.close();
}

void Printer::print(const loop::Push& s) {
    if (const auto collector = collectors_.find(s.stream); collector != collectors_.end())
        return out_.line(collector->second + ".push(" + value(s.value) + ");");
    out_.line(s.stream + "[" + (s.index ? subscript(s.index) : "0") + "].push(" + value(s.value) + ");");
}

void Printer::print(const loop::Pop& s) {
    out_.line(s.variable + " = " + s.stream + "[" + (s.index ? subscript(s.index) : "0") + "].pop();");
}

void Printer::print(const loop::Drain& s) {
    const std::string limit = s.limit ? ", " + value(s.limit) : "";
    out_.line(s.stream + "[" + (s.index ? subscript(s.index) : "0") + "].drain(" + value(s.destination) + limit + ");");
}

void Printer::print(const loop::Invoke& s) {
    std::string text = callee(s.function) + "(";
    for (std::size_t i = 0; i < s.arguments.size(); ++i) text += (i ? ", " : "") + value(s.arguments[i]);
    out_.line(text + ");");
}

namespace {

/// The message as a literal for printf, with `%lld` for each `{}`.
std::string sentence_format(const std::string& message) {
    std::string text;
    for (std::size_t at = 0; at < message.size(); ++at) {
        const char c = message[at];
        if (c == '{' && at + 1 < message.size() && message[at + 1] == '}') {
            text += "%lld";
            ++at;
        } else if (c == '%') {
            text += "%%";
        } else {
            if (c == '"' || c == '\\') text += '\\';
            text += c == '\n' ? ' ' : c;
        }
    }
    return '"' + text + '"';
}

}  // namespace

void Printer::print(const loop::Fail& s) {
    need("abi.h");
    const auto number = std::to_string(checks_.size());
    checks_.push_back({s.message, s.error, !s.arguments.empty(), where_});
    std::string values;
    for (const loop::ValuePtr& argument : s.arguments)
        values += (values.empty() ? "" : ", ") + ("int64_t(" + value(argument) + ")");
    values = ", {" + sentence_format(s.message) + "}, 0, true, 0, {" + values + "}";
    out_.line("throw " + runtime("Failure") + "{" + runtime("kFirstCheck") + " + " + number + values + "};");
}

void Printer::print(const loop::Extern& s) {
    std::string text = "::" + s.function + "(";
    for (std::size_t i = 0; i < s.arguments.size(); ++i) text += (i ? ", " : "") + value(s.arguments[i]);
    out_.line(text + ");");
}

void Printer::print(const loop::Verbatim& s) {
    need("math.h");
    out_.open("{");
    out_.verbatim(s.text);
    out_.close();
}

void Printer::print(const loop::Timed& s) {
    need("timer.h");
    std::size_t index = 0;
    while (index < timers_.size() && timers_[index] != s.name) ++index;
    if (index == timers_.size()) timers_.push_back(s.name);
    out_.open_block("timed: " + s.name);
    out_.line(runtime("Timing") + " " + own("timing") + "(" + own("profile") + "[" + std::to_string(index) + "]);");
    body(s.body);
    out_.close();
}

void Printer::print(const loop::Break&) {
    out_.line("break;");
}

void Printer::print(const loop::Continue&) {
    out_.line("continue;");
}

void Printer::print(const loop::Return&) {
    out_.line("return;");
}

void Printer::print(const loop::Label& s) {
    out_.flush_left(s.name + ":;");
}

void Printer::print(const loop::Goto& s) {
    out_.line("goto " + s.label + ";");
}

}  // namespace sluice::codegen
