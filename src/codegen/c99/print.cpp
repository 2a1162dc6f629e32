#include "codegen/c99/print.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/c_like/c_dialect.h"
#include "codegen/c_like/exported.h"
#include "codegen/c_like/types.h"
#include "loop/identifier.h"

namespace sluice::codegen {

namespace {

using code::DType;
using code::Scalar;
using loop::Parameter;

class C99Printer final : CDialectPrinter {
public:
    explicit C99Printer(const loop::Module& module) : CDialectPrinter(module) {}

    Artifact print() {
        Writer unit;
        unit.line("// " + module_.name +
                  ": printed by Sluice from its loop IR, for a compiler whose integers wrap (-fwrapv) and that");
        unit.line("// takes memory for what it is accessed as (-fno-strict-aliasing). Entry points are at the end.");
        unit.line("#include \"sluice/c99.h\"");
        for (const loop::StructType& structure : module_.structs) {
            unit.open("struct " + loop::identifier(structure.name) + " {");
            for (const auto& [name, field] : structure.fields) unit.line(type(field) + " " + loop::identifier(name) + ";");
            unit.close(";");
        }
        for (const loop::ConstantTable& table : module_.constants) constant(unit, table);
        for (const loop::Function& f : module_.functions) function(f, false);
        function(module_.program, true);
        unit.append(out_);
        out_ = {};
        entry_points();
        unit.append(out_);
        Artifact result{.units = {{Unit::Kind::HostC, unit.text(), unit.line_map()}, {Unit::Kind::Header, print_header(module_)}},
                        .runtime_headers = {"c99.h"},
                        .link_words = {"-lm"},
                        .checks = checks_,
                        .size_parameters = size_parameters(module_),
                        .sizes_matter = !module_.persistent.empty()};
        return result;
    }

private:
    using CDialectPrinter::print;

    // A function has the name of its module in front: what it would be called may be a variable's name, or exported.
    std::string callee(const std::string& function) const override { return own(module_.name + "_does_") + function; }
    std::string run() const { return own("sluice_run_state"); }
    std::string first_argument() const override { return run(); }
    std::string builtin() const override { return "sluice_"; }

    // ---- memory: what a body takes leaves with it ----
    void body(const loop::Body& statements) override {
        const bool takes = std::ranges::any_of(statements, [&](const loop::Statement& s) {
            const auto* buffer = std::get_if<loop::Allocate>(&s.node);
            return buffer && !on_stack(*buffer);
        });
        marks_.push_back(takes ? own("mark" + std::to_string(marks_.size())) : "");
        if (takes) out_.line("sluice_block* const " + marks_.back() + " = " + run() + "->top;");
        CLikePrinter::body(statements);
        if (takes) release(marks_.back());
        marks_.pop_back();
    }
    static bool on_stack(const loop::Allocate& s) { return s.place == loop::Place::Stack && s.alignment <= 0; }
    void release(const std::string& mark) { out_.line("sluice_release(" + run() + ", " + mark + ");"); }
    /// Before a jump out of the bodies from number `first` on.
    void leave(std::size_t first) {
        for (std::size_t at = first; at < marks_.size(); ++at)
            if (!marks_[at].empty()) return release(marks_[at]);
    }
    std::string taken(const loop::Allocate& s, const std::string& run) {
        const bool known = s.size.is_integer();
        return fmt::format("sluice_allocate({}, \"{}\", \" {}\", {}, {}, sizeof({}), {}, {})", run, s.name,
                           known ? "" : "= " + symbolic::to_string(s.size) + " = ", expr(s.size),
                           known ? "0" : extent(s.size, "(double)(", ")"), type(s.type), std::max<std::int64_t>(s.alignment, 64),
                           s.zero);
    }
    void print(const loop::Allocate& s) override {
        scope_[s.name] = {s.type};
        if (on_stack(s))
            out_.line(fmt::format("{} {}[{}]{};", type(s.type), s.name, std::max<std::int64_t>(s.size.constant().value(), 1),
                                  s.zero ? " = {0}" : ""));
        else
            out_.line(type(s.type) + "* restrict " + s.name + " = " + taken(s, run()) + ";");
    }
    void print(const loop::For& s) override {
        loops_.push_back(marks_.size());
        CLikePrinter::print(s);
        loops_.pop_back();
    }
    void print(const loop::While& s) override {
        loops_.push_back(marks_.size());
        CLikePrinter::print(s);
        loops_.pop_back();
    }
    void print(const loop::Break& s) override { leave(loops_.back()), CLikePrinter::print(s); }
    void print(const loop::Continue& s) override { leave(loops_.back()), CLikePrinter::print(s); }
    void print(const loop::Return& s) override { leave(0), CLikePrinter::print(s); }
    void print(const loop::Fail& s) override {
        std::string values;
        for (const loop::ValuePtr& argument : s.arguments)
            values += (values.empty() ? "" : ", ") + ("(long long)(" + value(argument) + ")");
        out_.line(fmt::format("sluice_fail({}, SLUICE_FIRST_CHECK + {}, {}, (const long long[8]){{{}}});", run(), checks_.size(),
                              sentence_format(s.message), values.empty() ? "0" : values));
        checks_.push_back({s.message, s.error, !s.arguments.empty(), where_});
    }

    Text print_call(const loop::Value& v, const loop::Call& n) override {
        if (n.function != "checked_index") return CDialectPrinter::print_call(v, n);
        std::string arguments;
        for (const loop::ValuePtr& argument : n.arguments) arguments += value(argument) + ", ";
        checks_.push_back({"an index is out of bounds", "IndexError", true, where_});
        return {fmt::format("sluice_checked_index({}, {}SLUICE_FIRST_CHECK + {})", run(), arguments, checks_.size() - 1)};
    }

    // ---- the unit ----
    void constant(Writer& unit, const loop::ConstantTable& table) {
        if (exported_name(table.name, "") != table.name) refuse("a constant with the name `" + table.name + "` of the C library");
        unit.line(this->table("static const", type(table.type), table));
    }
    std::string parameters(const loop::Function& f, const std::string& first, bool inner) {
        std::string text = first;
        for (const Parameter& p : f.parameters) {
            if (p.kind == Parameter::Kind::Stream) refuse("the stream `" + p.name + "`");
            const bool buffer = p.kind == Parameter::Kind::Buffer;
            text += (text.empty() ? "" : ", ") + std::string(buffer && !p.written ? "const " : "") + type(p.type) +
                    (buffer ? inner && p.restricted ? "* restrict " : "* " : " ") + p.name;
        }
        return text.empty() ? "void" : text;
    }
    void function(const loop::Function& f, bool is_program) {
        enter_function(f);
        sizes_.clear();
        if (is_program)
            for (const Parameter& p : f.parameters)
                if (p.kind == Parameter::Kind::Value) sizes_.insert(p.name);
        out_.blank();
        out_.at(f.where);
        std::string own_first = "sluice_run* " + run();
        if (is_program)
            for (const loop::Allocate& buffer : module_.persistent) {
                scope_[buffer.name] = {buffer.type};
                own_first += ", " + type(buffer.type) + "* restrict " + buffer.name;
            }
        out_.open("static void " + callee(f.name) + "(" + parameters(f, own_first, true) + ") {");
        std::string unused = "(void)" + run();
        for (const Parameter& p : f.parameters) unused += ", (void)" + p.name;
        out_.line(unused + ";");
        body(f.body);
        out_.close();
    }
    void open(const std::string& suffix, const std::string& parameters) {
        out_.blank();
        out_.open("int " + exported_name(module_.name, suffix) + "(" + parameters + ") {");
    }
    void entry_points() {
        const std::string handle = module_.name + "_handle", sign = "struct " + handle + "* handle",
                          by_address = ", void* const* arguments";
        const std::vector<Parameter>& all = module_.program.parameters;
        std::string sizes, names, forwarded, buffers, addresses, size_addresses;
        out_.blank();
        out_.open("struct " + handle + " {");
        out_.line("sluice_run run;");
        for (const std::size_t i : size_parameters(module_)) out_.line("int64_t " + all[i].name + ";");
        for (const loop::Allocate& buffer : module_.persistent) out_.line(type(buffer.type) + "* " + buffer.name + ";");
        out_.close(";");
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool buffer = all[i].kind == Parameter::Kind::Buffer;
            forwarded += ", " + all[i].name;
            addresses +=
                buffer ? fmt::format(", arguments[{}]", i) : fmt::format(", *(const {}*)arguments[{}]", type(all[i].type), i);
        }
        for (const std::size_t i : size_parameters(module_)) {
            sizes += ", int64_t " + all[i].name, names += ", " + all[i].name;
            size_addresses += fmt::format(", *(const int64_t*)arguments[{}]", i);
        }
        for (const loop::Allocate& buffer : module_.persistent) buffers += ", handle->" + buffer.name;
        const std::string made = own("made"), status = own("status");
        open("_init", "struct " + handle + "** " + made + sizes);
        out_.line("struct " + handle + "* handle;");
        out_.line("if (!" + made + ") return SLUICE_BAD_ARGUMENT;");
        out_.line("handle = *" + made + " = sluice_begin(sizeof *handle);");
        out_.line("if (!handle) return SLUICE_OUT_OF_MEMORY;");
        out_.open("if (setjmp(handle->run.escape)) {");
        out_.line("handle = *" + made + ";");
        out_.line("*" + made + " = NULL;");
        out_.line("return sluice_end(&handle->run);");
        out_.close();
        for (const std::size_t i : size_parameters(module_)) out_.line("handle->" + all[i].name + " = " + all[i].name + ";");
        for (const loop::Allocate& buffer : module_.persistent)
            out_.line("handle->" + buffer.name + " = " + taken(buffer, "&handle->run") + ";");
        out_.line("handle->run.kept = handle->run.top;");
        out_.line("return SLUICE_OK;");
        out_.close();
        open("_run", parameters(module_.program, sign, false));
        out_.line("if (!handle) return SLUICE_BAD_ARGUMENT;");
        if (!module_.persistent.empty())
            for (const std::size_t i : size_parameters(module_))
                out_.line("if (handle->" + all[i].name + " != " + all[i].name + ") return SLUICE_BAD_ARGUMENT;");
        out_.line("if (setjmp(handle->run.escape)) return sluice_left(&handle->run);");
        out_.line(callee(module_.program.name) + "(&handle->run" + buffers + forwarded + ");");
        out_.line("return SLUICE_OK;");
        out_.close();
        open("_finalise", sign);
        out_.line("return handle ? sluice_end(&handle->run) : SLUICE_BAD_ARGUMENT;");
        out_.close();
        open("", parameters(module_.program, "", false));
        out_.line("struct " + handle + "* handle;");
        out_.line("int " + status + " = " + exported_name(module_.name, "_init") + "(&handle" + names + ");");
        out_.line("if (" + status + " != SLUICE_OK) return " + status + ";");
        out_.line(status + " = " + exported_name(module_.name, "_run") + "(handle" + forwarded + ");");
        out_.line(exported_name(module_.name, "_finalise") + "(handle);");
        out_.line("return " + status + ";");
        out_.close();
        open("_init_invoke", "struct " + handle + "** handle" + by_address);
        out_.line("(void)arguments;");
        out_.line("return " + exported_name(module_.name, "_init") + "(handle" + size_addresses + ");");
        out_.close();
        open("_invoke", sign + by_address);
        out_.line("(void)arguments;");
        out_.line("return " + exported_name(module_.name, "_run") + "(handle" + addresses + ");");
        out_.close();
        out_.blank();
        out_.line("const char* " + exported_name(module_.name, "_failure") + "(void) { return sluice_sentence; }");
    }

    std::vector<std::string> marks_;  ///< Of the open bodies; empty where one takes no memory.
    std::vector<std::size_t> loops_;  ///< The number of bodies around each open loop.
};

}  // namespace

Artifact print_c99(const loop::Module& module) {
    return C99Printer(module).print();
}

}  // namespace sluice::codegen
