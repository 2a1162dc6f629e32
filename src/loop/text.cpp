#include "loop/text.h"

#include <fmt/format.h>

#include "loop/walk.h"

namespace sluice::loop {

namespace {

std::string join(const std::vector<ValuePtr>& values) {
    std::string text;
    for (const ValuePtr& value : values) text += (text.empty() ? "" : ", ") + to_text(*value);
    return text;
}

std::string text_of(const ValuePtr& value) {
    return value ? to_text(*value) : "null";
}

std::string number(const FloatLiteral& n) {
    return n.imaginary == 0 ? fmt::format("{}", n.real) : fmt::format("({}, {})", n.real, n.imaginary);
}

const char* name_of(UnaryOp op) {
    switch (op) {
        case UnaryOp::Negate:
            return "-";
        case UnaryOp::LogicalNot:
            return "not ";
        case UnaryOp::BitNot:
            return "~";
    }
    return "";
}

const char* name_of(BinaryOp op) {
    static constexpr const char* kNames[] = {"+",  "-",  "*",  "/", "%",  "&", "|",  "^",   "<<",
                                             ">>", "==", "!=", "<", "<=", ">", ">=", "and", "or"};
    return kNames[static_cast<std::size_t>(op)];
}

const char* name_of(ReductionOp op) {
    static constexpr const char* kNames[] = {"sum",        "product",     "min",         "max",        "logical_and",
                                             "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
                                             "sub",        "div",         "exchange",    "custom"};
    return kNames[static_cast<std::size_t>(op)];
}

const char* name_of(Conflict conflict) {
    static constexpr const char* kNames[] = {"plain", "atomic", "compare_exchange", "critical"};
    return kNames[static_cast<std::size_t>(conflict)];
}

const char* name_of(Place place) {
    static constexpr const char* kNames[] = {"stack", "heap", "thread_local", "persistent"};
    return kNames[static_cast<std::size_t>(place)];
}

class TextPrinter {
public:
    std::string text;

    void line(const std::string& words) { text.append(static_cast<std::size_t>(level_) * 2, ' ').append(words).append("\n"); }
    void block(const std::string& head, const Body& statements) {
        line(head);
        ++level_;
        body(statements);
        --level_;
    }
    void body(const Body& statements) {
        for (const Statement& s : statements) std::visit([&](const auto& n) { print(n); }, s.node);
    }

    void print(const Declare& n) {
        line((n.constant ? "const " : "var ") + n.name + ": " + code::to_string(n.type) +
             (n.value ? " = " + text_of(n.value) : ""));
    }
    void print(const Assign& n) { line(n.name + " = " + text_of(n.value)); }
    void print(const Store& n) { line(n.buffer + "[" + text_of(n.index) + "] = " + text_of(n.value)); }
    void print(const Update& n) {
        const std::string target = n.index ? n.buffer + "[" + text_of(n.index) + "]" : n.buffer;
        const std::string combine = n.combine ? " by (" + n.old_name + ", " + n.new_name + ") -> " + text_of(n.combine) : "";
        line(std::string("update ") + name_of(n.conflict) + " " + name_of(n.op) + " " + target + " with " + text_of(n.value) +
             combine);
    }
    void print(const Allocate& n) { line("allocate " + described(n)); }
    void print(const AllocateStream& n) {
        line("stream " + n.name + ": " + code::to_string(n.type) + "[" + symbolic::to_string(n.count) + "] capacity " +
             symbolic::to_string(n.capacity));
    }
    void print(const Alias& n) {
        line("alias " + n.name + ": " + code::to_string(n.type) + " = " + text_of(n.address) + (n.restricted ? " restricted" : ""));
    }
    void print(const Rebind& n) { line("rebind " + n.name + " = " + text_of(n.address)); }
    void print(const CopyContiguous& n) {
        line("copy " + symbolic::to_string(n.count) + " " + code::to_string(n.type) + " " + text_of(n.source) + " -> " +
             text_of(n.destination));
    }
    void print(const ZeroFill& n) {
        line("zero " + symbolic::to_string(n.count) + " " + code::to_string(n.type) + " " + text_of(n.destination));
    }
    void print(const For& n) { block(described(n), n.body); }
    void print(const While& n) { block((n.test_at_end ? "repeat while " : "while ") + text_of(n.condition), n.body); }
    void print(const If& n) {
        block("if " + text_of(n.condition), n.then_body);
        if (!n.else_body.empty()) block("else", n.else_body);
    }
    void print(const ParallelSections& n) {
        line("sections");
        ++level_;
        for (const Body& section : n.sections) block("section", section);
        --level_;
    }
    void print(const ParallelRegion& n) {
        block("region" + (n.thread_variable.empty() ? "" : " thread " + n.thread_variable) +
                  (n.count_variable.empty() ? "" : " of " + n.count_variable) +
                  (n.num_threads ? " threads(" + std::to_string(n.num_threads) + ")" : ""),
              n.body);
    }
    void print(const Barrier&) { line("barrier"); }
    void print(const Block& n) { block("block" + (n.comment.empty() ? "" : " # " + n.comment), n.body); }
    void print(const Push& n) { line("push " + n.stream + "[" + text_of(n.index) + "] " + text_of(n.value)); }
    void print(const Pop& n) { line("pop " + n.stream + "[" + text_of(n.index) + "] " + n.variable); }
    void print(const Drain& n) {
        line("drain " + n.stream + "[" + text_of(n.index) + "] " + text_of(n.destination) +
             (n.limit ? " at most " + text_of(n.limit) : ""));
    }
    void print(const Consume& n) {
        block(std::string(n.parallel ? "consume parallel " : "consume ") + n.stream + "[" + text_of(n.index) + "] pes " +
                  symbolic::to_string(n.pes) + " chunk " + std::to_string(n.chunk) + " (" + n.pe_variable + ", " +
                  n.element_variable + ": " + code::to_string(n.element_type) + ")" + (n.stop ? " until " + text_of(n.stop) : ""),
              n.body);
    }
    void print(const Invoke& n) { line("invoke " + n.function + "(" + join(n.arguments) + ")"); }
    void print(const Verbatim& n) { line("verbatim " + std::to_string(n.text.size()) + " bytes"); }
    void print(const Timed& n) { block("timed " + n.name, n.body); }
    void print(const Break&) { line("break"); }
    void print(const Continue&) { line("continue"); }
    void print(const Return&) { line("return"); }
    void print(const Label& n) { line(n.name + ":"); }
    void print(const Goto& n) { line("goto " + n.label); }

    void function(const char* kind, const Function& f) {
        std::string head = std::string(kind) + " " + f.name + "(";
        for (std::size_t i = 0; i < f.parameters.size(); ++i) head += (i ? ", " : "") + described(f.parameters[i]);
        block(head + ")", f.body);
    }
    static std::string described(const Allocate& n) {
        return n.name + ": " + code::to_string(n.type) + "[" + symbolic::to_string(n.size) + "] " + name_of(n.place) +
               (n.alignment ? " align " + std::to_string(n.alignment) : "") + (n.zero ? " zero" : "");
    }

private:
    static std::string described(const Parameter& p) {
        switch (p.kind) {
            case Parameter::Kind::Value:
                return p.name + ": " + code::to_string(p.type);
            case Parameter::Kind::Stream:
                return p.name + ": stream " + code::to_string(p.type);
            case Parameter::Kind::Buffer:
                break;
        }
        return p.name + ": " + (p.written ? "" : "const ") + code::to_string(p.type) + "[]" + (p.restricted ? "" : " aliased");
    }
    static std::string described(const For& n) {
        static constexpr const char* kModes[] = {"for ", "parallel for ", "simd for ", "unroll for "};
        static constexpr const char* kSchedules[] = {"", " static", " dynamic", " guided"};
        std::string head = kModes[static_cast<std::size_t>(n.mode)] + n.variable + " in " + symbolic::to_string(n.begin) + ":" +
                           symbolic::to_string(n.end);
        if (!n.step.is_integer(1)) head += ":" + symbolic::to_string(n.step);
        if (n.collapse > 1) head += " collapse " + std::to_string(n.collapse);
        head += kSchedules[static_cast<std::size_t>(n.schedule)];
        if (n.chunk) head += " chunk " + std::to_string(n.chunk);
        if (n.parallel_if) head += " if " + text_of(n.parallel_if);
        if (n.num_threads) head += " threads " + std::to_string(n.num_threads);
        if (n.unroll_factor) head += " factor " + std::to_string(n.unroll_factor);
        for (const Reduction& r : n.reductions)
            head +=
                std::string(" reduce ") + name_of(r.op) + " " + r.name + (r.elements ? "[" + std::to_string(r.elements) + "]" : "");
        return head;
    }

    int level_ = 0;
};

}  // namespace

std::string to_text(const Value& value) {
    return std::visit(
        Overloaded{
            [](const IntegerLiteral& n) { return std::to_string(n.value); },
            [](const FloatLiteral& n) { return number(n); },
            [](const Variable& n) { return n.name; },
            [](const Index& n) { return "<" + symbolic::to_string(n.expr) + ">"; },
            [](const Load& n) { return n.buffer + "[" + text_of(n.index) + "]"; },
            [](const Address& n) { return "&" + n.buffer + "[" + text_of(n.index) + "]"; },
            [](const Unary& n) { return name_of(n.op) + text_of(n.operand); },
            [](const Binary& n) { return "(" + text_of(n.left) + " " + name_of(n.op) + " " + text_of(n.right) + ")"; },
            [](const Select& n) {
                return "(" + text_of(n.if_true) + " if " + text_of(n.condition) + " else " + text_of(n.if_false) + ")";
            },
            [&](const Cast& n) { return code::to_string(value.type) + "(" + text_of(n.operand) + ")"; },
            [](const Call& n) { return n.function + "(" + join(n.arguments) + ")"; },
            [](const Member& n) { return text_of(n.object) + "." + n.name; },
            [](const StreamSize& n) { return "len(" + n.stream + "[" + text_of(n.index) + "])"; },
        },
        value.node);
}

std::string to_text(const Module& module) {
    TextPrinter printer;
    printer.line("module " + module.name);
    for (const std::string& library : module.libraries) printer.line("library " + library);
    for (const StructType& structure : module.structs) {
        std::string fields;
        for (const auto& [name, type] : structure.fields)
            fields += (fields.empty() ? "" : ", ") + name + ": " + code::to_string(type);
        printer.line("struct " + structure.name + " {" + fields + "}");
    }
    for (const ConstantTable& table : module.constants)
        printer.line("constant " + table.name + ": " + code::to_string(table.type) + "[" +
                     std::to_string(table.values.size() + table.integers.size()) + "]");
    for (const Allocate& buffer : module.persistent) printer.line("persistent " + TextPrinter::described(buffer));
    for (const Function& function : module.functions) printer.function("function", function);
    printer.function("program", module.program);
    return std::move(printer.text);
}

}  // namespace sluice::loop
