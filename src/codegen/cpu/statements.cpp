// Statements that are neither loops nor concurrent: variables, memory, branches, streams, calls.
#include <fmt/format.h>

#include "codegen/cpu/printer.h"
#include "codegen/cpu/types.h"
#include "loop/walk.h"
#include "support/check.h"

namespace sluice::codegen {

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
    std::string arguments = claim(s.name, s.size) + ", " + checked_extent(s.size, runtime("Extent"));
    if (s.place == loop::Place::Mapped)
        arguments += ", " + fmt::format("{:?}", s.file);
    else if (s.alignment > 0 || s.zero)
        arguments += ", " + std::to_string(s.alignment > 64 ? s.alignment : 64);
    if (s.zero) arguments += ", true";
    const std::string pointer = element_type + "* __restrict__ " + s.name + " = ";
    if (s.place == loop::Place::ThreadLocal) {
        out_.line("static thread_local " + runtime("ThreadBuffer") + "<" + element_type + "> " + memory + ";");
        out_.line(pointer + memory + ".reserve(" + arguments + ");");
    } else {
        check(s.place != loop::Place::Persistent, "the persistent buffer ", s.name, " is allocated inside a function");
        const std::string owner = runtime(s.place == loop::Place::Reserved ? "Reservation"
                                          : s.place == loop::Place::Mapped ? "MappedFile"
                                                                           : "Buffer");
        out_.line(owner + "<" + element_type + "> " + memory + "(" + arguments + ");");
        out_.line(pointer + memory + ".data();");
    }
}

void Printer::print(const loop::AllocateStream& s) {
    need("stream.h");
    scope_[s.name] = {s.type};
    out_.line(runtime("Streams") + "<" + type(s.type) + "> " + s.name + "(" + claim(s.name, s.count) + ", " +
              checked_extent(s.count, runtime("Extent")) + ", " + expr(s.capacity) + ");");
}

void Printer::print(const loop::Barrier&) {
    out_.flush_left("#pragma omp barrier");
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
    const loop::Library& library = module_.libraries.at(s.library);
    if (!library.apart) return;
    std::string declaration = "void " + s.function + "(";
    for (std::size_t i = 0; i < s.arguments.size(); ++i) {
        const bool read = std::ranges::find(s.read, i) != s.read.end();
        declaration += (i ? ", " : "") + std::string(read ? "const " : "") + qualified_type(s.arguments[i]->type);
    }
    apart_.insert({declaration + ")", library.headers});
}

void Printer::print(const loop::Verbatim& s) {
    need("math.h");
    foreign_headers_.insert({"<cmath>", "<cstdio>"});
    out_.open("{");
    out_.verbatim(s.text);
    out_.close();
}

void Printer::print(const loop::CopyContiguous& s) {
    need("copy.h");
    out_.line(runtime("copy_elements") + "<" + type(s.type) + ">(" + value(s.destination) + ", " + value(s.source) + ", " +
              expr(s.count) + ");");
}

void Printer::print(const loop::Timed& s) {
    need("timer.h");
    std::size_t index = 0;
    while (index < timers_.size() && timers_[index] != s.name) ++index;
    if (index == timers_.size()) timers_.push_back(s.name);
    counts_ = counts_ || s.counts;
    const std::string entry = own("profile") + "[" + std::to_string(index) + "]";
    out_.open_block("timed: " + s.name);
    if (s.counts)
        out_.line("const " + runtime("Counting") + " " + own("counting") + "(" + entry + ", " + own("counts") + "[" +
                  std::to_string(index) + "], " + own("counter_reader") + ");");
    else
        out_.line("const " + runtime("Timing") + " " + own("timing") + "(" + entry + ");");
    body(s.body);
    out_.close();
}

}  // namespace sluice::codegen
