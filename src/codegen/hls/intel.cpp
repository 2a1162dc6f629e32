// Channels, attributes and pragmas: Intel, FPGA SDK for OpenCL Pro Edition, Programming Guide (UG-OCL002).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codegen/device/kernels.h"
#include "codegen/hls/beginning.h"
#include "codegen/hls/dataflow_printer.h"
#include "codegen/hls/print.h"

namespace sluice::codegen {

namespace {

using loop::Parameter;

/// Processing elements are kernels of one work-item, streams are channels of the file. What takes no argument starts itself.
class IntelPrinter final : public DataflowPrinter {
public:
    using DataflowPrinter::DataflowPrinter;
    using DataflowPrinter::print;

private:
    void pragma(const std::string& text) { out_.flush_left("#pragma " + text); }

    std::string off_chip(const std::string& element, bool constant) const override {
        return std::string("sluice_off_chip(") + (constant ? "const " : "") + element + ")";
    }
    std::string parameter(const Parameter& p, bool inner) override {
        if (p.kind != Parameter::Kind::Buffer) return DataflowPrinter::parameter(p, inner);
        std::string bank = p.bank;  // `HBM[3]` is HBM3 in the description of a board.
        std::erase_if(bank, [](char c) { return c == '[' || c == ']'; });
        if (!bank.empty()) bank = "SLUICE_BANK(\"" + bank + "\") ";
        return bank + pointer_type(p.type, !p.written, p.space) + (p.restricted ? " restrict " : " ") + p.name;
    }

    // ---- statements ----
    void print(const loop::Allocate& s) override {
        if (s.place != loop::Place::Registers) return KernelPrinter::print(s);
        scope_[s.name] = {s.type, false, s.space};
        out_.line(fmt::format("{} __attribute__((register)) {}[{}]{};", type(stored(s.type)), s.name,
                              std::max<std::int64_t>(s.size.constant().value(), 1), s.zero ? " = {0}" : ""));
    }
    void print(const loop::For& s) override {
        const bool unrolled = s.mode == loop::LoopMode::Unroll && s.unroll_factor == 0;
        if (unrolled) unrolled_.insert(s.variable);
        DataflowPrinter::print(s);
        if (unrolled) unrolled_.erase(s.variable);
    }
    void pragmas(const loop::For& s, bool in_front) override {
        if (!in_front) return;
        if (s.mode == loop::LoopMode::Unroll) pragma("unroll" + (s.unroll_factor > 0 ? " " + std::to_string(s.unroll_factor) : ""));
        if (s.mode == loop::LoopMode::Pipeline && s.interval > 0) pragma("ii " + std::to_string(s.interval));
        for (const std::string& buffer : independent(s)) pragma("ivdep array(" + buffer + ")");
    }
    void pragmas_of_copy(bool in_front) override {
        if (in_front) pragma("ii 1");
    }
    void print(const loop::Push& s) override {
        out_.line("write_channel_intel(" + channel(s.stream, s.index) + ", " + value(s.value) + ");");
    }
    void print(const loop::Pop& s) override {
        out_.line(s.variable + " = read_channel_intel(" + channel(s.stream, s.index) + ");");
    }

    // ---- streams ----
    std::string channels(const std::string& stream) const { return kernel_ + "_" + stream; }
    std::string channel(const std::string& stream, const loop::ValuePtr& index) {
        if (streams_.at(stream).count == 1) return channels(stream);
        if (const auto place = place_of(index)) return fmt::format("{}[{}]", channels(stream), *place);
        const auto* n = std::get_if<loop::Index>(&index->node);
        if (!n || !std::ranges::includes(unrolled_, symbolic::free_symbols(n->expr)))
            refuse("a place among the streams `" + stream + "` that no unrolled loop says");
        return channels(stream) + "[" + subscript(index) + "]";
    }
    void declare(const std::string& stream, const Streams& of) {
        const std::string many = of.count == 1 ? "" : fmt::format("[{}]", of.count);
        const std::string called = of.count == 1 ? fmt::format("(\"{}\")", stream) : "";
        out_.flush_left("#ifdef __OPENCL_VERSION__");
        out_.line(fmt::format("channel {} {}{} __attribute__((depth({})));", stream_type(of), channels(stream), many, of.depth));
        out_.flush_left("#else");
        out_.line(fmt::format("static hls::stream<{}, {}> {}{}{};", stream_type(of), of.depth, channels(stream), many, called));
        out_.flush_left("#endif");
    }

    // ---- the unit ----
    /// A processing element as a kernel; what the simulation says to start it.
    std::vector<std::string> element(const loop::Element& element) {
        begin(element);
        std::string parameters, arguments, ends;
        for (const Parameter& p : element.parameters)
            if (p.kind != Parameter::Kind::Stream) {
                parameters += (parameters.empty() ? "" : ", ") + parameter(p, false);
                arguments += ", " + p.name;
            } else {
                const auto places = places_of(p.name, *element.body);
                if (streams_.at(p.name).count == 1 || !places)
                    ends += (ends.empty() ? "" : ", ") + channels(p.name);
                else
                    for (const std::int64_t place : *places)
                        ends += fmt::format("{}{}[{}]", ends.empty() ? "" : ", ", channels(p.name), place);
            }
        const std::string name = kernel_ + "_" + element.name;
        out_.blank();
        if (parameters.empty()) out_.line("__attribute__((autorun))");
        out_.line("__attribute__((max_global_work_dim(0)))");
        out_.open(std::string(language_.kernel) + " void " + name + "(" + (parameters.empty() ? "void" : parameters) + ") {");
        body(*element.body);
        out_.close();
        return {"sluice_elements.joins(" + ends + ");",
                fmt::format("sluice_elements.start(\"{}\", {}{});", element.name, name, arguments)};
    }
    void dataflow(const loop::Kernel& kernel, const std::vector<loop::Element>& elements) override {
        kernel_ = kernel.launch->kernel;
        out_.blank();
        for (const auto& [name, of] : streams_) declare(name, of);
        std::vector<std::string> starts;
        for (const loop::Element& one : elements)
            for (std::string& line : element(one)) starts.push_back(std::move(line));
        std::string all;
        for (const Parameter& p : kernel.parameters) all += (all.empty() ? "" : ", ") + DataflowPrinter::parameter(p, false);
        out_.blank();
        out_.flush_left("#ifndef __OPENCL_VERSION__");
        out_.open("extern \"C\" void " + kernel_ + "(" + all + ") {");
        out_.line("sluice::hls::Elements sluice_elements(\"" + kernel_ + "\", true);");
        for (const auto& [name, of] : streams_)
            if (of.count != 1) out_.line(fmt::format("sluice::hls::name_all({}, \"{}\");", channels(name), name));
        for (const std::string& line : starts) out_.line(line);
        out_.line("sluice_elements.join();");
        out_.close();
        out_.flush_left("#endif");
    }

    std::string kernel_;
    std::set<std::string> unrolled_;  ///< Variables of the open loops that are.
};

std::string print_kernels_for_intel(const loop::Module& module, const std::vector<loop::Kernel>& kernels,
                                    const KernelLanguage& language) {
    return text_of(module, kernels, language, IntelPrinter(module, language));
}

}  // namespace

Artifact print_hls_intel(const loop::Module& module) {
    static constexpr std::array kTaken{"hls",      "signbit",   "isnan",     "isinf",     "isfinite",   "channel",    "kernel",
                                       "global",   "local",     "constant",  "private",   "generic",    "half",       "uchar",
                                       "ushort",   "uint",      "ulong",     "read_only", "write_only", "read_write", "event_t",
                                       "barrier",  "sampler_t", "image1d_t", "image2d_t", "image3d_t",  "quad",       "pipe",
                                       "vec_step", "__block",   "restrict",  "depth"};
    static const std::string beginning = std::string(opencl_c()) + std::string(hls_intel_beginning());
    static const KernelLanguage language{.runtime = "hls",
                                         .unit = Unit::Kind::OpenCl,
                                         .beginning = beginning,
                                         .taken = kTaken,
                                         .kernel = "__kernel",
                                         .global = "",
                                         .shared = "",
                                         .constant = "__constant",
                                         .large_constant = "__constant",
                                         .restricted = "restrict",
                                         .long_suffix = "L",
                                         .memory_begins_anywhere = true,
                                         .simulated = print_kernels_for_intel,
                                         .short_axes = false};
    return print_launching(module, language);
}

}  // namespace sluice::codegen
