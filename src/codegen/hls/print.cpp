// Pragmas and their options: AMD, Vitis High-Level Synthesis User Guide (UG1399).
#include "codegen/hls/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codegen/device/kernel_printer.h"
#include "codegen/device/kernels.h"
#include "codegen/hls/beginning.h"
#include "loop/passes/pipelines.h"

namespace sluice::codegen {

namespace {

using loop::Parameter;
using loop::Space;

class XilinxPrinter final : public KernelPrinter {
public:
    using KernelPrinter::KernelPrinter;
    using KernelPrinter::print;

private:
    void pragma(const std::string& text) { out_.flush_left("#pragma HLS " + text); }

    std::string pointer_type(const code::DType& element, bool constant, Space space) override {
        if (space != Space::Global) return KernelPrinter::pointer_type(element, constant, space);
        return std::string("sluice_off_chip<") + (constant ? "const " : "") + type(stored(element)) + ">";
    }
    Text print_address(const loop::Address& n) override {
        const auto found = scope_.find(n.buffer);
        if (found == scope_.end() || found->second.space != Space::Global) return KernelPrinter::print_address(n);
        const std::string index = subscript(n.index);
        return index == "0" ? Text{n.buffer} : Text{n.buffer + " + (" + index + ")", Level::Sum};
    }

    // ---- statements ----
    void print(const loop::Allocate& s) override {
        KernelPrinter::print(s);
        if (s.place == loop::Place::Registers) pragma("ARRAY_PARTITION variable=" + s.name + " complete dim=1");
    }
    void print(const loop::For& s) override {
        loop_header(s, false);
        if (s.mode == loop::LoopMode::Unroll)
            pragma("UNROLL" + (s.unroll_factor > 0 ? " factor=" + std::to_string(s.unroll_factor) : ""));
        if (s.mode == loop::LoopMode::Pipeline) pragma(s.interval > 0 ? "PIPELINE II=" + std::to_string(s.interval) : "PIPELINE");
        // The loop's proof; arguments in an interface of their own order their accesses themselves.
        if (s.mode == loop::LoopMode::Pipeline && s.interval == 1)
            for (const std::string& buffer : loop::reread(s))
                if (const auto found = scope_.find(buffer); found != scope_.end() && found->second.space == Space::Own)
                    pragma("DEPENDENCE variable=" + buffer + " inter false");
        loop_body(s);
    }
    void print(const loop::CopyContiguous& s) override {
        each(s.count, [&](const std::string& at) {
            return fmt::format("({})[{}] = ({})[{}];", value(s.destination), at, value(s.source), at);
        });
    }
    void print(const loop::ZeroFill& s) override {
        each(s.count, [&](const std::string& at) { return fmt::format("({})[{}] = 0;", value(s.destination), at); });
    }
    template <class Line> void each(const symbolic::Expr& count, const Line& line) {
        const std::string at = own("at");
        out_.open(fmt::format("for (int64_t {0} = 0; {0} < {1}; ++{0}) {{", at, operand(count)));
        pragma("PIPELINE II=1");
        out_.line(line(at));
        out_.close();
    }
    void print(const loop::Push& s) override { out_.line(queue(s.stream, s.index) + ".write(" + value(s.value) + ");"); }
    void print(const loop::Pop& s) override { out_.line(s.variable + " = " + queue(s.stream, s.index) + ".read();"); }

    // ---- streams: one alone is handed on by its name, one of an array by its constant place, or the whole array ----
    struct Streams {
        loop::DType type;
        std::int64_t count = 1, depth = 1;
    };
    static std::optional<std::int64_t> place_of(const loop::ValuePtr& index) {
        if (!index) return 0;
        if (const auto* n = std::get_if<loop::IntegerLiteral>(&index->node)) return n->value;
        const auto* n = std::get_if<loop::Index>(&index->node);
        return n ? n->expr.constant() : std::nullopt;
    }
    std::string of_place(const std::string& stream, std::int64_t place) const { return own(fmt::format("{}_{}", stream, place)); }
    std::string queue(const std::string& stream, const loop::ValuePtr& index) {
        if (streams_.at(stream).count == 1) return stream;
        if (whole_.contains(stream)) return stream + "[" + subscript(index) + "]";
        return of_place(stream, place_of(index).value());
    }
    std::string stream_type(const Streams& of) { return fmt::format("hls::stream<{}, {}>", type(stored(of.type)), of.depth); }
    /// What an element takes of a stream, as parameters and as arguments.
    std::vector<std::pair<std::string, std::string>> parts_of(const std::string& stream, const loop::Body& body) {
        const Streams& of = streams_.at(stream);
        const std::string type = stream_type(of);
        if (of.count == 1) return {{type + "& " + stream, stream}};
        std::set<std::int64_t> places;
        bool known = true;
        loop::for_each_statement(body, [&](const loop::Statement& s) {
            const auto* push = std::get_if<loop::Push>(&s.node);
            const auto* pop = std::get_if<loop::Pop>(&s.node);
            if (!(push && push->stream == stream) && !(pop && pop->stream == stream)) return;
            const auto place = place_of(push ? push->index : pop->index);
            known = known && place;
            if (place) places.insert(*place);
        });
        if (!known) {
            whole_.insert(stream);
            return {{fmt::format("{} (&{})[{}]", type, stream, of.count), stream}};
        }
        std::vector<std::pair<std::string, std::string>> parts;
        for (const std::int64_t place : places)
            parts.emplace_back(type + "& " + of_place(stream, place), fmt::format("{}[{}]", stream, place));
        return parts;
    }

    // ---- the unit ----
    /// A processing element as a function; its arguments.
    std::string element(const loop::Element& element) {
        scope_ = globals_;
        open_loops_.clear();
        whole_.clear();
        enter(element.parameters);
        std::string parameters, arguments;
        const auto add = [&](const std::string& parameter, const std::string& argument) {
            parameters += (parameters.empty() ? "" : ", ") + parameter;
            arguments += ", " + argument;
        };
        for (const Parameter& p : element.parameters) {
            if (p.kind != Parameter::Kind::Stream)
                add(parameter(p, false), p.name);
            else
                for (const auto& [one, argument] : parts_of(p.name, *element.body)) add(one, argument);
        }
        out_.blank();
        out_.open("static void " + element.name + "(" + parameters + ") {");
        body(*element.body);
        out_.close();
        return arguments;
    }
    std::string parameter(const Parameter& p, bool) override {
        if (p.kind == Parameter::Kind::Buffer) return pointer_type(p.type, !p.written, p.space) + " " + p.name;
        return "const " + type(stored(p.type)) + " " + p.name;
    }
    void kernel(const loop::Kernel& kernel) override {
        streams_.clear();
        if (!kernel.launch->dataflow) refuse("a launch of threads");
        for (const loop::Statement& s : kernel.launch->body)
            if (const auto* stream = std::get_if<loop::AllocateStream>(&s.node)) {
                const auto count = stream->count.constant();
                if (!count) refuse("as many streams `" + stream->name + "` as only the run knows");
                streams_[stream->name] = {stream->type, *count, stream->capacity.constant().value()};
            }
        std::vector<std::pair<std::string, std::string>> calls;
        for (const loop::Element& one : loop::elements(module_, kernel)) calls.emplace_back(one.name, element(one));
        std::string all;
        for (const Parameter& p : kernel.parameters) all += (all.empty() ? "" : ", ") + parameter(p, false);
        out_.blank();
        out_.open(std::string(language_.kernel) + " void " + kernel.launch->kernel + "(" + all + ") {");
        for (const Parameter& p : kernel.parameters) {
            if (p.kind == Parameter::Kind::Buffer)
                pragma(fmt::format("INTERFACE m_axi port={0} offset=slave bundle=gmem_{0}", p.name));
            pragma("INTERFACE s_axilite port=" + p.name);
        }
        pragma("INTERFACE s_axilite port=return");
        pragma("DATAFLOW");
        for (const auto& [name, of] : streams_) {
            const std::string many = of.count == 1 ? fmt::format("(\"{}\")", name) : fmt::format("[{}]", of.count);
            out_.line(stream_type(of) + " " + name + many + ";");
            pragma(fmt::format("STREAM variable={} depth={}", name, of.depth));
            if (of.count != 1) out_.line("SLUICE_NAMED(" + name + ");");
        }
        out_.line("SLUICE_ELEMENTS(\"" + kernel.launch->kernel + "\");");
        for (const auto& [name, arguments] : calls) out_.line("SLUICE_ELEMENT(" + name + arguments + ");");
        out_.line("SLUICE_ELEMENTS_END;");
        out_.close();
    }

    std::map<std::string, Streams> streams_;  ///< Of the kernel.
    std::set<std::string> whole_;             ///< Arrays of streams that the element takes as they are.
};

std::string print_kernels_for_xilinx(const loop::Module& module, const std::vector<loop::Kernel>& kernels,
                                     const KernelLanguage& language) {
    if (kernels.empty()) return {};
    std::string text(language.beginning);
    text += arithmetic_of_c();
    text += "\n/* The kernels of " + module.name + ". */\n";
    return text + XilinxPrinter(module, language).print(kernels);
}

}  // namespace

Artifact print_hls_xilinx(const loop::Module& module) {
    // Macros of arithmetic.h and the C library's math.h, and the vendor's namespace.
    static constexpr std::array kTaken{"hls", "signbit", "isnan", "isinf", "isfinite"};
    static const KernelLanguage language{.runtime = "hls",
                                         .unit = Unit::Kind::Hls,
                                         .beginning = hls_beginning(),
                                         .taken = kTaken,
                                         .kernel = "extern \"C\"",
                                         .global = "",
                                         .shared = "",
                                         .constant = "static const",
                                         .restricted = "",
                                         .long_suffix = "LL",
                                         .memory_begins_anywhere = true,
                                         .simulated = print_kernels_for_xilinx,
                                         .short_axes = false};
    return print_launching(module, language);
}

}  // namespace sluice::codegen
