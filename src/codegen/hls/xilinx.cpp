// Pragmas and their options: AMD, Vitis High-Level Synthesis User Guide (UG1399).
#include "codegen/hls/print.h"

#include <fmt/format.h>

#include <array>

#include "codegen/hls/beginning.h"
#include "codegen/hls/dataflow_printer.h"

namespace sluice::codegen {

namespace {

using loop::Parameter;

class XilinxPrinter final : public DataflowPrinter {
public:
    using DataflowPrinter::DataflowPrinter;
    using DataflowPrinter::print;

private:
    void pragma(const std::string& text) { out_.flush_left("#pragma HLS " + text); }

    std::string off_chip(const std::string& element, bool constant) const override {
        return std::string("sluice_off_chip<") + (constant ? "const " : "") + element + ">";
    }

    // ---- statements ----
    void print(const loop::Allocate& s) override {
        KernelPrinter::print(s);
        if (s.place == loop::Place::Registers) pragma("ARRAY_PARTITION variable=" + s.name + " complete dim=1");
    }
    void pragmas(const loop::For& s, bool in_front) override {
        if (in_front) return;
        if (s.mode == loop::LoopMode::Unroll)
            pragma("UNROLL" + (s.unroll_factor > 0 ? " factor=" + std::to_string(s.unroll_factor) : ""));
        if (s.mode == loop::LoopMode::Pipeline) pragma(s.interval > 0 ? "PIPELINE II=" + std::to_string(s.interval) : "PIPELINE");
        for (const std::string& buffer : independent(s)) pragma("DEPENDENCE variable=" + buffer + " inter false");
    }
    void pragmas_of_copy(bool in_front) override {
        if (!in_front) pragma("PIPELINE II=1");
    }
    void print(const loop::Push& s) override { out_.line(queue(s.stream, s.index) + ".write(" + value(s.value) + ");"); }
    void print(const loop::Pop& s) override { out_.line(s.variable + " = " + queue(s.stream, s.index) + ".read();"); }

    // ---- streams: one alone is handed on by its name, one of an array by its constant place, or the whole array ----
    std::string of_place(const std::string& stream, std::int64_t place) const { return own(fmt::format("{}_{}", stream, place)); }
    std::string queue(const std::string& stream, const loop::ValuePtr& index) {
        if (streams_.at(stream).count == 1) return stream;
        if (whole_.contains(stream)) return stream + "[" + subscript(index) + "]";
        return of_place(stream, place_of(index).value());
    }
    std::string queue_type(const Streams& of) { return fmt::format("hls::stream<{}, {}>", stream_type(of), of.depth); }
    /// What an element takes of a stream, as parameters and as arguments.
    std::vector<std::pair<std::string, std::string>> parts_of(const std::string& stream, const loop::Body& body) {
        const Streams& of = streams_.at(stream);
        const std::string type = queue_type(of);
        if (of.count == 1) return {{type + "& " + stream, stream}};
        const auto places = places_of(stream, body);
        if (!places) {
            whole_.insert(stream);
            return {{fmt::format("{} (&{})[{}]", type, stream, of.count), stream}};
        }
        std::vector<std::pair<std::string, std::string>> parts;
        for (const std::int64_t place : *places)
            parts.emplace_back(type + "& " + of_place(stream, place), fmt::format("{}[{}]", stream, place));
        return parts;
    }

    // ---- the unit ----
    /// A processing element as a function; its arguments.
    std::string element(const loop::Element& element) {
        begin(element);
        whole_.clear();
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
    void dataflow(const loop::Kernel& kernel, const std::vector<loop::Element>& elements) override {
        std::vector<std::pair<std::string, std::string>> calls;
        for (const loop::Element& one : elements) calls.emplace_back(one.name, element(one));
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
            out_.line(queue_type(of) + " " + name + many + ";");
            pragma(fmt::format("STREAM variable={} depth={}", name, of.depth));
            if (of.count != 1) out_.line("SLUICE_NAMED(" + name + ");");
        }
        out_.line("SLUICE_ELEMENTS(\"" + kernel.launch->kernel + "\");");
        for (const auto& [name, arguments] : calls) out_.line("SLUICE_ELEMENT(" + name + arguments + ");");
        out_.line("SLUICE_ELEMENTS_END;");
        out_.close();
    }

    std::set<std::string> whole_;  ///< Arrays of streams that the element takes as they are.
};

/// What Vitis' linker is given by `v++ --config`: ports of kernels and the banks of memory that they reach.
std::string connections(const std::vector<loop::Kernel>& kernels) {
    std::string text;
    for (const loop::Kernel& kernel : kernels)
        for (const Parameter& p : kernel.parameters)
            if (!p.bank.empty()) text += fmt::format("sp={}_1.{}:{}\n", kernel.launch->kernel, p.name, p.bank);
    return text.empty() ? text : "[connectivity]\n" + text;
}

std::string print_kernels_for_xilinx(const loop::Module& module, const std::vector<loop::Kernel>& kernels,
                                     const KernelLanguage& language) {
    return text_of(module, kernels, language, XilinxPrinter(module, language));
}

const KernelLanguage& xilinx_language() {
    // Macros of arithmetic.h and the C library's math.h, and the vendor's namespace.
    static constexpr std::array kTaken{"hls", "signbit", "isnan", "isinf", "isfinite"};
    static const KernelLanguage language{.runtime = "hls",
                                         .unit = Unit::Kind::Hls,
                                         .beginning = hls_xilinx_beginning(),
                                         .taken = kTaken,
                                         .kernel = "extern \"C\"",
                                         .global = "",
                                         .shared = "",
                                         .constant = "static const",
                                         .large_constant = "static const",
                                         .restricted = "",
                                         .long_suffix = "LL",
                                         .memory_begins_anywhere = true,
                                         .simulated = print_kernels_for_xilinx,
                                         .short_axes = false};
    return language;
}

Artifact connected(Artifact result, const loop::Module& module) {
    if (std::string text = connections(loop::kernels(module)); !text.empty())
        result.units.push_back({Unit::Kind::Connections, std::move(text)});
    return result;
}

}  // namespace

Artifact print_hls_xilinx(const loop::Module& module) {
    return connected(print_launching(module, xilinx_language()), module);
}

Artifact print_hls_xilinx_and_threads(const KernelLanguage& threads, const loop::Module& module) {
    return connected(print_launching(module, std::array{&threads, &xilinx_language()}), module);
}

}  // namespace sluice::codegen
