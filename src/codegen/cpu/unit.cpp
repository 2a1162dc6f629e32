// The translation unit: includes, tables, functions, the handle and the exported entry points.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/c_like/exported.h"
#include "codegen/cpu/printer.h"
#include "codegen/cpu/types.h"
#include "loop/identifier.h"
#include "support/check.h"

namespace sluice::codegen {

namespace {

using code::DType;
using code::Scalar;
using loop::Parameter;

// float16 values travel as their bits: C has no portable type for them.
bool by_bits(const Parameter& p) {
    return p.kind == Parameter::Kind::Value && p.type == DType(Scalar::Float16);
}

}  // namespace

Printer::Printer(const loop::Module& module) : CLikePrinter(module), effects_(module) {}

std::string Printer::parameter(const Parameter& p) {
    const std::string restricted = p.restricted ? "__restrict__ " : "";
    switch (p.kind) {
        case Parameter::Kind::Buffer:
            return (p.written ? "" : "const ") + type(p.type) + "* " + restricted + p.name;
        case Parameter::Kind::Value:
            return "[[maybe_unused]] " + type(p.type) + " " + p.name;
        case Parameter::Kind::Stream:
            need("stream.h");
            return runtime("Streams") + "<" + type(p.type) + ">& " + p.name;
    }
    return {};
}

void Printer::function(const loop::Function& f, bool is_program) {
    enter_function(f);
    sizes_.clear();
    std::string head = "void " + f.name + "(";
    std::string separator;
    for (const Parameter& p : f.parameters) {
        head += separator + parameter(p);
        separator = ", ";
        if (is_program && p.kind == Parameter::Kind::Value) sizes_.insert(p.name);
    }
    if (is_program && !module_.persistent.empty()) head += separator + "::" + module_.name + "_handle& " + own("handle");
    out_.blank();
    out_.at(f.where);
    out_.open(head + ") {");
    if (is_program)
        for (const loop::Allocate& buffer : module_.persistent) {
            scope_[buffer.name] = {buffer.type};
            out_.line(type(buffer.type) + "* __restrict__ " + buffer.name + " = " + own("handle") + "." + buffer.name + ".data();");
        }
    in_program_ = is_program;
    body(f.body);
    out_.close();
}

void Printer::constants(Writer& out) {
    for (const loop::ConstantTable& table : module_.constants) {
        const auto literal = [&](std::size_t i) {
            if (!table.integers.empty()) return integer_literal(table.integers[i], table.type);
            return float_literal(table.values[i].first, table.values[i].second, table.type);
        };
        const std::size_t count = table.integers.empty() ? table.values.size() : table.integers.size();
        if (table.scalar) {
            check(count == 1, "the constant ", table.name, " has ", count, " values");
            out.line("constexpr " + type(table.type) + " " + table.name + " = " + literal(0) + ";");
            continue;
        }
        out.open("alignas(64) constexpr " + type(table.type) + " " + table.name + "[" +
                 std::to_string(std::max<std::size_t>(count, 1)) + "] = {");
        std::string row;
        for (std::size_t i = 0; i < count; ++i) {
            row += literal(i) + (i + 1 < count ? ", " : "");
            if (row.size() > 100 || i + 1 == count) {
                out.line(row);
                row.clear();
            }
        }
        out.close(";");
    }
}

void Printer::structs(Writer& out) {
    for (const loop::StructType& structure : module_.structs) {
        out.open("struct " + loop::identifier(structure.name) + " {");
        for (const auto& [name, field] : structure.fields)
            type(field), out.line(qualified_type(field) + " " + loop::identifier(name) + ";");
        out.close(";");
    }
}

void Printer::handle_struct(Writer& out) {
    out.blank();
    out.line("// What lives from init to finalise.");
    out.open("struct " + module_.name + "_handle {");
    for (const std::size_t i : size_parameters(module_)) out.line("int64_t " + module_.program.parameters[i].name + " = 0;");
    for (const loop::Allocate& buffer : module_.persistent)
        out.line("sluice::Buffer<" + qualified_type(buffer.type) + "> " + buffer.name + ";");
    out.close(";");
}

void Printer::user_blocks(Writer& out) {
    for (const auto& [name, text] : {std::pair{"user_init", &module_.init_code}, {"user_exit", &module_.exit_code}}) {
        if (text->empty()) continue;
        out.blank();
        out.open("void " + own(name) + "() {");
        out.verbatim(*text);
        out.close();
    }
}

namespace {

// One exported function after the other, around calls into sluice::generated.
class EntryPoints {
public:
    /// `allocated`: the arguments of allocate() for each persistent buffer.
    /// Statements: at the end of init, after a run, at the end of finalise.
    struct Hooks {
        std::string init, run, exit;
        std::string given;  ///< What makes memory of the device of an address.
        bool looks;         ///< Its loops look whether they are asked to end.
    };
    EntryPoints(const loop::Module& module, Hooks hooks, const std::vector<std::string>& allocated, Writer& out)
        : module_(module), handle_("::" + module.name + "_handle"), hooks_(std::move(hooks)), allocated_(allocated), out_(out) {
        for (std::string* own : {&made_, &place_, &status_, &ended_})
            while (is_parameter(*own)) *own += "_";
        for (const Parameter& p : module.program.parameters) {
            all_ += ", " + outer(p);
            passed_ += (passed_.empty() ? "" : ", ") + inner(p);
            forwarded_ += ", " + p.name;
        }
        for (const std::size_t i : size_parameters(module)) {
            sizes_ += ", int64_t " + module.program.parameters[i].name;
            size_names_ += ", " + module.program.parameters[i].name;
        }
    }

    void print() {
        init();
        run();
        finalise();
        whole();
        by_address();
        failure();
        interruption();
    }

private:
    static std::string outer(const Parameter& p) {
        if (by_bits(p)) return "uint16_t " + p.name;
        const std::string spelled = qualified_type(p.type);
        if (p.kind == Parameter::Kind::Value) return spelled + " " + p.name;
        return (p.written ? "" : "const ") + spelled + "* " + p.name;
    }
    std::string inner(const Parameter& p) const {
        if (p.kind == Parameter::Kind::Buffer && p.space == loop::Space::Global) return hooks_.given + "(" + p.name + ")";
        return by_bits(p) ? "__builtin_bit_cast(sluice::float16, " + p.name + ")" : p.name;
    }
    bool is_parameter(const std::string& name) const {
        return std::ranges::find(module_.program.parameters, name, &Parameter::name) != module_.program.parameters.end();
    }
    std::string exported(const std::string& suffix) const { return exported_name(module_.name, suffix); }
    void open(const std::string& suffix, const std::string& parameters) {
        out_.blank();
        out_.open("__attribute__((visibility(\"default\"))) int " + exported(suffix) + "(" + parameters + ") {");
    }

    void init() {
        open("_init", handle_ + "** handle" + sizes_);
        out_.line("if (!handle) return sluice::kBadArgument;");
        out_.line("*handle = nullptr;");
        out_.line("void* " + place_ + " = __builtin_malloc(sizeof(" + handle_ + "));");
        out_.line("if (!" + place_ + ") return sluice::kOutOfMemory;");
        out_.line("auto* " + made_ + " = new (" + place_ + ", sluice::AtPlace{}) " + handle_ + "();");
        out_.open("try {");
        for (const std::size_t i : size_parameters(module_)) {
            const std::string& name = module_.program.parameters[i].name;
            out_.line(made_ + "->" + name + " = " + name + ";");
        }
        for (std::size_t at = 0; at < allocated_.size(); ++at)
            out_.line(made_ + "->" + module_.persistent[at].name + ".allocate(" + allocated_[at] + ");");
        if (!hooks_.init.empty()) out_.line(hooks_.init);
        out_.turn("} catch (...) {");
        out_.line("const int " + status_ + " = sluice::caught_status();");
        out_.line(made_ + "->~" + module_.name + "_handle();");
        out_.line("__builtin_free(" + made_ + ");");
        out_.line("return " + status_ + ";");
        out_.close();
        out_.line("*handle = " + made_ + ";");
        out_.line("return sluice::kOk;");
        out_.close();
    }

    void run() {
        open("_run", handle_ + "* handle" + all_);
        out_.line("if (!handle) return sluice::kBadArgument;");
        std::string passed = passed_;
        if (!module_.persistent.empty()) {
            for (const std::size_t i : size_parameters(module_)) {
                const std::string& name = module_.program.parameters[i].name;
                out_.line("if (handle->" + name + " != " + name + ") return sluice::kBadArgument;");
            }
            passed += std::string(passed.empty() ? "" : ", ") + "*handle";
        }
        out_.open("try {");
        out_.line("sluice::generated::" + module_.program.name + "(" + passed + ");");
        if (!hooks_.run.empty()) out_.line(hooks_.run);
        out_.turn("} catch (...) {");
        out_.line("return sluice::caught_status();");
        out_.close();
        out_.line("return sluice::kOk;");
        out_.close();
    }

    void failure() {
        out_.blank();
        out_.open("__attribute__((visibility(\"default\"))) const char* " + exported("_failure") + "() {");
        out_.line("return sluice::failure_sentence;");
        out_.close();
    }

    void interruption() {
        if (!hooks_.looks) return;
        out_.blank();
        out_.open("__attribute__((visibility(\"default\"))) volatile int* " + exported("_interruption") + "() {");
        out_.line("return &sluice::interruption;");
        out_.close();
    }

    void finalise() {
        open("_finalise", handle_ + "* handle");
        out_.line("if (!handle) return sluice::kBadArgument;");
        out_.line("int status = sluice::kOk;");
        if (!hooks_.exit.empty()) {
            out_.open("try {");
            out_.line(hooks_.exit);
            out_.turn("} catch (...) {");
            out_.line("status = sluice::caught_status();");
            out_.close();
        }
        out_.line("handle->~" + module_.name + "_handle();");
        out_.line("__builtin_free(handle);");
        out_.line("return status;");
        out_.close();
    }

    void whole() {
        open("", all_.empty() ? "" : all_.substr(2));
        out_.line(handle_ + "* handle = nullptr;");
        out_.line("int " + status_ + " = ::" + exported("_init") + "(&handle" + size_names_ + ");");
        out_.line("if (" + status_ + " != sluice::kOk) return " + status_ + ";");
        out_.line(status_ + " = ::" + exported("_run") + "(handle" + forwarded_ + ");");
        out_.line("const int " + ended_ + " = ::" + exported("_finalise") + "(handle);");
        out_.line("return " + status_ + " != sluice::kOk ? " + status_ + " : " + ended_ + ";");
        out_.close();
    }

    void by_address() {
        const std::vector<Parameter>& all = module_.program.parameters;
        const auto read = [&](std::size_t i) {
            const Parameter& p = all[i];
            const std::string place = "arguments[" + std::to_string(i) + "]";
            if (p.kind == Parameter::Kind::Buffer)
                return std::string("static_cast<") + (p.written ? "" : "const ") + qualified_type(p.type) + "*>(" + place + ")";
            return "*static_cast<const " + (by_bits(p) ? "uint16_t" : qualified_type(p.type)) + "*>(" + place + ")";
        };
        std::string sizes, everything;
        for (const std::size_t i : size_parameters(module_)) sizes += ", " + read(i);
        for (std::size_t i = 0; i < all.size(); ++i) everything += ", " + read(i);
        open("_init_invoke", handle_ + "** handle, [[maybe_unused]] void* const* arguments");
        out_.line("return ::" + exported("_init") + "(handle" + sizes + ");");
        out_.close();
        open("_invoke", handle_ + "* handle, [[maybe_unused]] void* const* arguments");
        out_.line("return ::" + exported("_run") + "(handle" + everything + ");");
        out_.close();
    }

    const loop::Module& module_;
    const std::string handle_;
    const Hooks hooks_;
    const std::vector<std::string>& allocated_;
    Writer& out_;
    std::string made_ = "made", place_ = "place", status_ = "status", ended_ = "ended";
    std::string all_, passed_, forwarded_, sizes_, size_names_;
};

}  // namespace

void Printer::entry_points(Writer& out) {
    out.blank();
    out.flush_left("extern \"C\" {");
    const auto called = [&](const std::string& text, const char* name) {
        return text.empty() ? "" : "sluice::generated::" + own(name) + "();";
    };
    const std::string init = called(module_.init_code, "user_init");
    std::vector<std::string> allocated;
    for (const loop::Allocate& buffer : module_.persistent)
        allocated.push_back(claim(buffer.name, buffer.size) + ", " + checked_extent(buffer.size, "sluice::Extent") + ", " +
                            std::to_string(buffer.alignment > 64 ? buffer.alignment : 64) + ", " +
                            (buffer.zero ? "true" : "false"));
    const std::string between = init.empty() || at_start().empty() ? "" : " ";
    EntryPoints::Hooks hooks{at_start() + between + init, at_end(), called(module_.exit_code, "user_exit"), given_memory(),
                             looks()};
    EntryPoints(module_, std::move(hooks), allocated, out).print();
    if (!timers_.empty()) {
        out.blank();
        out.line("/// Entry `index` of the profile; kBadArgument past the last one.");
        out.open("__attribute__((visibility(\"default\"))) int " + exported_name(module_.name, "_profile") +
                 "(int64_t index, const char** name, int64_t* nanoseconds, int64_t* count) {");
        out.line("if (index < 0 || index >= " + std::to_string(timers_.size()) + ") return sluice::kBadArgument;");
        out.line("const sluice::ProfileEntry& entry = sluice::generated::" + own("profile") + "[index];");
        out.line("*name = entry.name, *nanoseconds = entry.nanoseconds, *count = entry.count;");
        out.line("return sluice::kOk;");
        out.close();
    }
    if (counts_) {
        const std::string visible = "__attribute__((visibility(\"default\"))) ", inside = "sluice::generated::";
        out.blank();
        out.line("/// What was counted of entry `index`, as many numbers as `_count_with` said.");
        out.open(visible + "int " + exported_name(module_.name, "_counts") + "(int64_t index, int64_t* values) {");
        out.line("if (index < 0 || index >= " + std::to_string(timers_.size()) + ") return sluice::kBadArgument;");
        out.line("for (int64_t i = 0; i < " + inside + own("counter_reader") + ".number; ++i) values[i] = " + inside +
                 own("counts") + "[index][i];");
        out.line("return sluice::kOk;");
        out.close();
        out.blank();
        out.line("/// How counters are read from now on (sluice/timer.h); not while the program runs.");
        out.open(visible + "int " + exported_name(module_.name, "_count_with") +
                 "(int64_t number, void (*read)(void*, int, int64_t*), void* provider) {");
        out.line("if (number < 0 || number > sluice::kMostCounters) return sluice::kBadArgument;");
        out.line(inside + own("counter_reader") + " = {number, read, provider};");
        out.line("return sluice::kOk;");
        out.close();
    }
    further_entry_points(out);
    out.flush_left("}  // extern \"C\"");
}

Artifact Printer::print() {
    need("memory.h");
    need("failure.h");
    for (const auto& [name, library] : module_.libraries)
        for (const std::string& header : library.headers)
            header.starts_with("sluice/") ? need(header.substr(7)) : static_cast<void>(foreign_headers_.insert(header));
    if (!module_.global_code.empty() || !module_.init_code.empty() || !module_.exit_code.empty()) {
        need("math.h");
        foreign_headers_.insert({"<cmath>", "<cstdio>"});
    }
    for (const loop::Function& f : module_.functions)
        if (!f.on_device) function(f, false);
    function(module_.program, true);
    Writer handle, tables, entries, users;
    structs(handle);
    handle_struct(handle);
    constants(tables);
    user_blocks(users);
    entry_points(entries);
    Writer unit;
    unit.line("// " + module_.name + ": printed by Sluice from its loop IR. Entry points are at the end; " + module_.name +
              ".h declares them.");
    const auto has = [&](Scalar real, Scalar complex) { return precisions_.contains(real) || precisions_.contains(complex); };
    if (has(Scalar::Float32, Scalar::Complex64) && has(Scalar::Float64, Scalar::Complex128)) {
        unit.line("#if defined(__GNUC__) && !defined(__clang__)");
        unit.line("// GCC 12 takes double(float(x)) for x where straight-line code becomes vectors of AVX-512.");
        unit.line("#pragma GCC optimize(\"no-tree-slp-vectorize\")");
        unit.line("#endif");
    }
    Artifact result;
    for (const std::string& header : headers_) {
        if (header == "omp.h") {
            unit.line("#include <omp.h>");
            continue;
        }
        unit.line("#include \"sluice/" + header + "\"");
        result.runtime_headers.push_back(header);
    }
    for (const std::string& header : foreign_headers_)
        unit.line("#include " + (header.starts_with("<") ? header : '"' + header + '"'));
    if (!apart_.empty()) {
        unit.blank();
        unit.flush_left("#ifdef SLUICE_APART  // They are compiled apart and linked.");
        for (const Apart& one : apart_) unit.line("extern template " + one.declaration + ";");
        unit.flush_left("#endif");
        result.apart.assign(apart_.begin(), apart_.end());
    }
    if (!module_.global_code.empty()) {
        unit.blank();
        unit.verbatim(module_.global_code);
    }
    unit.blank();
    unit.append(handle);
    declarations_outside(unit);
    unit.blank();
    unit.line("namespace sluice::generated {");
    unit.line("namespace {");
    if (!tables.text().empty()) {
        unit.blank();
        unit.append(tables);
    }
    if (!timers_.empty()) {
        unit.blank();
        unit.open("ProfileEntry " + own("profile") + "[] = {");
        for (const std::string& name : timers_) {
            std::string quoted;
            for (const char c : name)
                quoted += c == '"' || c == '\\' ? std::string("\\") + c : c == '\n' ? std::string(" ") : std::string(1, c);
            unit.line("{\"" + quoted + "\"},");
        }
        unit.close(";");
        if (counts_) {
            unit.line("int64_t " + own("counts") + "[" + std::to_string(timers_.size()) + "][kMostCounters] = {};");
            unit.line("CounterReader " + own("counter_reader") + ";");
        }
    }
    declarations(unit);
    if (!declared_reductions_.empty()) unit.blank();
    for (const auto& [name, pragma] : declared_reductions_) unit.line(pragma);
    unit.append(users);
    unit.append(out_);
    unit.blank();
    unit.line("}  // namespace");
    unit.line("}  // namespace sluice::generated");
    unit.append(entries);
    result.units = {{Unit::Kind::HostCpp, unit.text(), unit.line_map()}, {Unit::Kind::Header, print_header(module_, looks())}};
    for (const auto& [name, library] : module_.libraries)
        result.link_words.insert(result.link_words.end(), library.link_words.begin(), library.link_words.end());
    for (const std::size_t i : size_parameters(module_)) result.size_parameters.push_back(i);
    result.is_timed = !timers_.empty();
    result.is_counted = counts_;
    result.looks = looks();
    result.over_objects = module_.global_code.find("sluice/heap.h") != std::string::npos;
    result.sizes_matter = !module_.persistent.empty();
    result.checks = checks_;
    return result;
}

namespace {

struct CpuPrinter final : Printer {
    using Printer::Printer;
};

}  // namespace

Artifact print_cpu(const loop::Module& module) {
    return CpuPrinter(module).print();
}

}  // namespace sluice::codegen
