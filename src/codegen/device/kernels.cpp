#include "codegen/device/kernel_printer.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "codegen/c_like/types.h"
#include "codegen/device/kernels.h"

namespace sluice::codegen {

using code::DType;
using code::Scalar;
using loop::Parameter;
using loop::Space;

std::string constant_variable(const std::string& name) {
    return "sluice_constant_" + name;
}

DType stored(const DType& type) {
    return type == DType(Scalar::Bool) ? DType(Scalar::UInt8) : type;
}

std::string KernelPrinter::print(const std::vector<loop::Kernel>& kernels) {
    for (const char* name : language_.taken)
        if (identifiers_.contains(name)) out_.flush_left(fmt::format("#define {0} {1}", name, own(std::string(name) + "_")));
    in_table_ = true;
    for (const loop::ConstantTable& one : module_.constants)
        if (type_is_known(one.type))
            out_.line(
                table(one.space == Space::Global ? language_.large_constant : language_.constant, type(stored(one.type)), one));
    in_table_ = false;
    if (!has_constant_arguments(language_))
        for (const loop::Allocate* one : loop::constant_buffers(module_))
            out_.line(fmt::format("{} {} {}[{}];", language_.constant, type(stored(one->type)), constant_variable(one->name),
                                  std::max<std::int64_t>(one->size.constant().value(), 1)));
    const std::set<std::string> called = loop::called_by(module_, kernels);
    for (const loop::Function& f : module_.functions)
        if (called.contains(f.name)) function(f);
    for (const loop::Kernel& one : kernels) kernel(one);
    return out_.text();
}

const char* KernelPrinter::word(Space space) const {
    if (space == Space::Constant) return language_.constant_argument;
    return space == Space::Global ? language_.global : space == Space::Shared ? language_.shared : "";
}

bool KernelPrinter::type_is_known(const DType& t) const {
    return !t.compound && t.lanes == 1 && t.scalar != Scalar::Float16 && (has_complex() || !code::is_complex(t.scalar));
}

std::string KernelPrinter::type(const DType& t) {
    if (t.compound) refuse("structures and pointers to them in a kernel");
    if (t.lanes == 1 && code::is_complex(t.scalar) && has_complex()) {
        uses_complex_ = true;
        return c_type(t);
    }
    return CDialectPrinter::type(t);
}

std::string KernelPrinter::pointer_type(const DType& element, bool constant, Space space) {
    return word(space) + CDialectPrinter::pointer_type(stored(element), constant, space);
}

std::string KernelPrinter::integer(std::int64_t value, const DType& t) {
    if (code::is_complex(t.scalar)) return real(static_cast<double>(value), 0, t);
    if (t == DType(Scalar::Int64) && value != INT64_MIN) return std::to_string(value) + language_.long_suffix;
    if (t == DType(Scalar::UInt64)) return fmt::format("{}U{}", static_cast<std::uint64_t>(value), language_.long_suffix);
    return CDialectPrinter::integer(value, t);
}

Text KernelPrinter::print_binary(const loop::Value& v, const loop::Binary& n) {
    using loop::BinaryOp;
    if (code::is_complex(n.left->type.scalar)) return binary_of_complex(n);
    const char* op = n.op == BinaryOp::Add ? " + " : n.op == BinaryOp::Sub ? " - " : n.op == BinaryOp::Mul ? " * " : nullptr;
    const bool wraps = v.type == DType(Scalar::Int64) || v.type == DType(Scalar::Int32);
    if (!op || !wraps) return CDialectPrinter::print_binary(v, n);
    const std::string around = "(u" + type(v.type) + ")";
    const std::string text = around + value(n.left, Level::Unary) + op + around + value(n.right, Level::Unary);
    return {converted(type(v.type), text), Level::Unary};
}

Text KernelPrinter::print_address(const loop::Address& n) {
    if (globals_.contains(n.buffer)) refuse("the address of the constant `" + n.buffer + "` in a kernel");
    return CDialectPrinter::print_address(n);
}

void KernelPrinter::print(const loop::Allocate& s) {
    scope_[s.name] = {s.type, false, s.space};
    const std::int64_t count = std::max<std::int64_t>(s.size.constant().value(), 1);
    const bool shared = s.space == Space::Shared;
    out_.line(fmt::format("{}{} {}[{}]{};", word(s.space), type(stored(s.type)), s.name, count, s.zero && !shared ? " = {0}" : ""));
    if (!s.zero || !shared) return;
    const std::string at = own("at");
    out_.line(fmt::format("for (int64_t {0} = 0; {0} < {1}; ++{0}) {2}[{0}] = {3};", at, count, s.name, zero(s.type)));
    out_.line("sluice_barrier();");
}

void KernelPrinter::print(const loop::CopyContiguous& s) {
    const std::string at = own("at");
    out_.line(fmt::format("for (int64_t {0} = 0; {0} < {1}; ++{0}) ({2})[{0}] = ({3})[{0}];", at, operand(s.count),
                          value(s.destination), value(s.source)));
}

void KernelPrinter::print(const loop::ZeroFill& s) {
    const std::string at = own("at");
    out_.line(fmt::format("for (int64_t {0} = 0; {0} < {1}; ++{0}) ({2})[{0}] = {3};", at, operand(s.count), value(s.destination),
                          zero(s.type)));
}

std::string KernelPrinter::operand(const symbolic::Expr& e) {
    const bool binds_less = e.kind() == symbolic::Kind::Select || e.kind() == symbolic::Kind::Less;
    return binds_less ? "(" + expr(e) + ")" : expr(e);
}

void KernelPrinter::print(const loop::For& s) {
    if (s.mode != loop::LoopMode::Axis) return CDialectPrinter::print(s);
    static constexpr std::array kUnits{"sluice_grid_unit", "sluice_block_unit", "sluice_thread_unit"};
    const std::string unit = kUnits[static_cast<std::size_t>(s.level)];
    const std::string& i = s.variable;
    const std::string begin = s.begin.is_integer(0) ? "" : operand(s.begin) + " + ";
    const std::string step = s.step.is_integer(1) ? "" : " * (" + expr(s.step) + ")";
    const auto constant = s.step.constant();
    const std::string first = fmt::format("{}{}({}){}", begin, unit, s.axis, step);
    const std::string test = fmt::format("{} {} {}", i, constant && *constant < 0 ? ">" : "<", operand(s.end));
    const bool covered = s.covered && (s.axis == 0 || s.level == loop::AxisLevel::Thread || !language_.short_axes);
    scope_[i] = {Scalar::Int64};
    if (covered) {
        out_.open("{");
        out_.line("const int64_t " + i + " = " + first + ";");
        out_.open("if (" + test + ") {");
    } else {
        out_.open(fmt::format("for (int64_t {} = {}; {}; {} += {}s({}){}) {{", i, first, test, i, unit, s.axis, step));
    }
    loop_body(s);
    if (covered) out_.close();
}

void KernelPrinter::print(const loop::Update& s) {
    const auto target = scope_.find(s.buffer);
    if (code::is_complex(s.value->type.scalar))
        return update_complex(s, s.index ? element(s.buffer, s.index, s.value->type) : s.buffer,
                              s.index && target != scope_.end() ? target->second.space : Space::Own);
    if (s.conflict == loop::Conflict::None || !s.index || target == scope_.end() || target->second.space == Space::Own) {
        if (!s.before.empty()) out_.line(s.before + " = " + element(s.buffer, s.index, s.value->type) + ";");
        return plain_update(s, s.index ? element(s.buffer, s.index, s.value->type) : s.buffer);
    }
    const DType& of = s.value->type;
    const std::string spelled = type(of), held = type(stored(of));
    const bool custom = s.op == code::ReductionType::Custom;
    const std::string before = custom ? s.old_name : own("before"), incoming = custom ? s.new_name : own("incoming");
    if (custom) scope_[before] = scope_[incoming] = {of};
    out_.open("{");
    out_.line("const " + spelled + " " + incoming + " = " + value(s.value) + ";");
    out_.line(fmt::format(
        "SLUICE_UPDATE_{}({}, {}, {}, &{}, {}, ({}))", code::size_in_bytes(of), word(target->second.space), type_suffix(of), held,
        element(s.buffer, s.index, of), before,
        s.before.empty() ? combined(s, before, incoming) : s.before + " = " + before + ", " + combined(s, before, incoming)));
    out_.close();
}

void KernelPrinter::print(const loop::Verbatim& s) {
    out_.open("{");
    out_.verbatim(s.text);
    out_.close();
}

std::string KernelPrinter::parameter(const Parameter& p, bool inner) {
    if (p.kind != Parameter::Kind::Buffer) return "const " + type(inner ? p.type : stored(p.type)) + " " + p.name;
    return pointer_type(p.type, !p.written, p.space) + (p.restricted ? std::string(" ") + language_.restricted + " " : " ") +
           p.name;
}

void KernelPrinter::function(const loop::Function& f) {
    enter_function(f);
    out_.at(f.where);
    std::string all;
    for (const Parameter& p : f.parameters) all += (all.empty() ? "" : ", ") + parameter(p, true);
    out_.blank();
    out_.open("static void " + callee(f.name) + "(" + (all.empty() ? "void" : all) + ") {");
    body(f.body);
    out_.close();
}

void KernelPrinter::kernel(const loop::Kernel& kernel) {
    scope_ = globals_;
    open_loops_.clear();
    enter(kernel.parameters);
    std::string all;
    std::vector<std::string> first;
    for (const Parameter& p : kernel.parameters) {
        if (p.space == Space::Constant && !has_constant_arguments(language_)) {
            first.push_back(pointer_type(p.type, !p.written, p.space) + " const " + p.name + " = " + constant_variable(p.name) +
                            ";");
            continue;
        }
        if (p.kind != Parameter::Kind::Buffer || language_.memory_begins_anywhere) {
            all += (all.empty() ? "" : ", ") + parameter(p, false);
            continue;
        }
        const std::string memory = own(p.name + "_memory"), at = own(p.name + "_first");
        const std::string pointer = pointer_type(p.type, !p.written, p.space);
        all += (all.empty() ? "" : ", ") + pointer + " " + memory + ", const int64_t " + at;
        first.push_back(pointer + " const " + p.name + " = " + memory + " + " + at + ";");
    }
    out_.blank();
    out_.open(std::string(language_.kernel) + " void " + kernel.launch->kernel + "(" + all + ") {");
    for (const std::string& line : first) out_.line(line);
    body(kernel.launch->body);
    out_.close();
}

std::string text_of(const loop::Module& module, const std::vector<loop::Kernel>& kernels, const KernelLanguage& language,
                    KernelPrinter&& printer) {
    if (kernels.empty()) return {};
    std::string text(language.beginning);
    text += arithmetic_of_c();
    const std::string printed = printer.print(kernels);
    if (printer.uses_complex_) text += complex_of_kernels();
    return text + "\n/* The kernels of " + module.name + ". */\n" + printed;
}

std::string print_kernels(const loop::Module& module, const std::vector<loop::Kernel>& kernels, const KernelLanguage& language) {
    return text_of(module, kernels, language, KernelPrinter(module, language));
}

}  // namespace sluice::codegen
