// Statements that C-like languages spell alike, and the refusal of those that a target has no word for.
#include "codegen/c_like/printer.h"
#include "support/check.h"
#include "support/result.h"

namespace sluice::codegen {

namespace {

// The buffer that an address leads to, or empty.
std::string root_of(const loop::ValuePtr& address) {
    if (!address) return {};
    if (const auto* n = std::get_if<loop::Address>(&address->node)) return n->buffer;
    if (const auto* n = std::get_if<loop::Cast>(&address->node)) return root_of(n->operand);
    return {};
}

}  // namespace

void CLikePrinter::body(const loop::Body& statements) {
    for (const loop::Statement& each : statements) statement(each);
}

void CLikePrinter::statement(const loop::Statement& s) {
    out_.at(s.where);
    where_ = s.where;
    std::visit([&](const auto& n) { print(n); }, s.node);
}

void CLikePrinter::print(const loop::Declare& s) {
    scope_[s.name] = {s.type};
    const std::string declared = (s.constant ? "const " : "") + type(s.type) + " " + s.name;
    out_.line(s.value ? declared + " = " + value(s.value) + ";" : declared + ";");
}

void CLikePrinter::print(const loop::Assign& s) {
    out_.line(s.name + " = " + value(s.value) + ";");
}

void CLikePrinter::print(const loop::Store& s) {
    out_.line(element(s.buffer, s.index, s.value->type) + " = " + value(s.value) + ";");
}

std::string CLikePrinter::pointer_type(const loop::DType& element, bool constant, loop::Space) {
    return (constant ? "const " : "") + type(element) + "*";
}

void CLikePrinter::print(const loop::Alias& s) {
    const auto root = scope_.find(root_of(s.address));
    const bool constant = root != scope_.end() && root->second.constant;
    const loop::Space space = root == scope_.end() ? loop::Space::Own : root->second.space;
    std::string pointed = s.address ? value(s.address) : null_pointer();
    const std::string target = pointer_type(s.type, constant, space);
    if (root != scope_.end() && !(root->second.type == s.type)) pointed = pointer_cast(target, pointed, constant);
    scope_[s.name] = {s.type, constant, space};
    out_.line(target + (s.restricted ? std::string(" ") + restricted() + " " : " ") + s.name + " = " + pointed + ";");
}

void CLikePrinter::print(const loop::Rebind& s) {
    const auto root = scope_.find(root_of(s.address));
    const auto name = scope_.find(s.name);
    check(name != scope_.end(), "the printer knows no alias named ", s.name);
    std::string pointed = value(s.address);
    const bool constant = root != scope_.end() && root->second.constant, drops_const = constant && !name->second.constant;
    if (root != scope_.end() && (drops_const || !(root->second.type == name->second.type)))
        pointed = pointer_cast(pointer_type(name->second.type, name->second.constant, name->second.space), pointed, constant);
    out_.line(s.name + " = " + pointed + ";");
}

void CLikePrinter::print(const loop::CopyContiguous& s) {
    const std::string size = s.count.is_integer(1) ? "" : " * (" + expr(s.count) + ")";
    out_.line(builtin() + "memcpy(" + value(s.destination) + ", " + value(s.source) + ", sizeof(" + type(s.type) + ")" + size +
              ");");
}

void CLikePrinter::print(const loop::ZeroFill& s) {
    const std::string size = s.count.is_integer(1) ? "" : " * (" + expr(s.count) + ")";
    out_.line(builtin() + "memset(" + pointer_cast("void*", value(s.destination), false) + ", 0, sizeof(" + type(s.type) + ")" +
              size + ");");
}

void CLikePrinter::print(const loop::Prefetch& s) {
    out_.line(builtin() + "prefetch(" + value(s.address) + ");");
}

void CLikePrinter::print(const loop::While& s) {
    if (s.test_at_end) {
        out_.open("do {");
        round(s.body);
        out_.close(" while (" + value(s.condition) + ");");
    } else {
        out_.open("while (" + value(s.condition) + ") {");
        round(s.body);
        out_.close();
    }
}

void CLikePrinter::print(const loop::If& s) {
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

void CLikePrinter::print(const loop::Block& s) {
    out_.open_block(s.comment);
    body(s.body);
    out_.close();
}

void CLikePrinter::print(const loop::Invoke& s) {
    std::string arguments = first_argument();
    for (const loop::ValuePtr& argument : s.arguments) arguments += (arguments.empty() ? "" : ", ") + value(argument);
    out_.line(callee(s.function) + "(" + arguments + ");");
}

void CLikePrinter::print(const loop::Break&) {
    out_.line("break;");
}

void CLikePrinter::print(const loop::Continue&) {
    out_.line("continue;");
}

void CLikePrinter::print(const loop::Return&) {
    out_.line("return;");
}

void CLikePrinter::print(const loop::Label& s) {
    out_.flush_left(s.name + ":;");
}

void CLikePrinter::print(const loop::Goto& s) {
    out_.line("goto " + s.label + ";");
}

std::string CLikePrinter::sentence_format(const std::string& message) {
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

void CLikePrinter::refuse(const std::string& what) const {
    fail({"L023",
          "the target has no word for " + what,
          where_,
          {},
          "choose another target, or change what the program does there",
          {}});
}

void CLikePrinter::print(const loop::AllocateStream& s) {
    refuse("the stream `" + s.name + "`");
}
void CLikePrinter::print(const loop::Barrier&) {
    refuse("a barrier");
}
void CLikePrinter::print(const loop::Push& s) {
    refuse("the stream `" + s.stream + "`");
}
void CLikePrinter::print(const loop::Pop& s) {
    refuse("the stream `" + s.stream + "`");
}
void CLikePrinter::print(const loop::Drain& s) {
    refuse("the stream `" + s.stream + "`");
}
void CLikePrinter::print(const loop::Consume& s) {
    refuse("the stream `" + s.stream + "`");
}
void CLikePrinter::print(const loop::Extern& s) {
    refuse("the library's function `" + s.function + "`");
}
void CLikePrinter::print(const loop::Message&) {
    refuse("a message");
}
void CLikePrinter::print(const loop::WaitFor&) {
    refuse("a message");
}
void CLikePrinter::print(const loop::Collective&) {
    refuse("what ranks do together");
}
void CLikePrinter::print(const loop::Verbatim&) {
    refuse("a tasklet in another language");
}
void CLikePrinter::print(const loop::Timed& s) {
    refuse("the timer of `" + s.name + "`");
}
void CLikePrinter::print(const loop::ParallelSections&) {
    refuse("sections that run at once");
}
void CLikePrinter::print(const loop::ParallelRegion&) {
    refuse("a team of threads");
}
void CLikePrinter::print(const loop::Event& s) {
    refuse("the event `" + s.name + "`");
}
void CLikePrinter::print(const loop::Grow& s) {
    refuse("the growing buffer `" + s.buffer + "`");
}
void CLikePrinter::print(const loop::Await& s) {
    refuse("the event `" + s.event + "`");
}
void CLikePrinter::print(const loop::Launch& s) {
    refuse("the kernel `" + s.kernel + "`");
}
Text CLikePrinter::print_stream_size(const loop::StreamSize& n) {
    refuse("the stream `" + n.stream + "`");
}
Text CLikePrinter::print_lanes_choice(const loop::Value&, const loop::Select&) {
    refuse("vectors");
}
std::string CLikePrinter::lanes(const std::string&, const loop::DType&) {
    refuse("vectors");
}

}  // namespace sluice::codegen
