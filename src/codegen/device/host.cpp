#include <fmt/format.h>

#include <algorithm>

#include "codegen/c_like/exported.h"
#include "codegen/cpu/printer.h"
#include "codegen/device/kernel_printer.h"
#include "codegen/device/kernels.h"

namespace sluice::codegen {

namespace {

using loop::Space;

class HostPrinter final : public Printer {
public:
    HostPrinter(const loop::Module& module, const KernelLanguage& language)
        : Printer(module), language_(language), kernels_(loop::kernels(module)), uses_device_(loop::uses_device(module)) {
        if (uses_device_) need(std::string(language.runtime) + ".h");
    }
    Artifact print_all() {
        source_ = simulated() ? language_.simulated(module_, kernels_, language_) : print_kernels(module_, kernels_, language_);
        Artifact result = Printer::print();
        if (simulated()) result.units.front().text += "\n" + source_;
        result.units.push_back({language_.unit, source_});
        return result;
    }

private:
    using Printer::print;

    bool simulated() const { return language_.simulated != nullptr; }
    std::string runtime_of_device(const char* name) const { return std::string("sluice::") + language_.runtime + "::" + name; }
    std::string memory(const loop::DType& element) { return runtime_of_device("Memory<") + type(element) + ">"; }
    std::string pointer_type(const loop::DType& element, bool constant, Space space) override {
        return space == Space::Global ? memory(element) : Printer::pointer_type(element, constant, space);
    }
    Text print_address(const loop::Address& n) override {
        const auto found = scope_.find(n.buffer);
        if (found == scope_.end() || found->second.space != Space::Global) return Printer::print_address(n);
        const std::string index = subscript(n.index);
        return index == "0" ? Text{n.buffer} : Text{n.buffer + " + (" + index + ")", Level::Sum};
    }
    const Entry* root_of(const loop::ValuePtr& address) const {
        if (!address) return nullptr;
        if (const auto* n = std::get_if<loop::Cast>(&address->node)) return root_of(n->operand);
        const auto* n = std::get_if<loop::Address>(&address->node);
        const auto found = n ? scope_.find(n->buffer) : scope_.end();
        return found == scope_.end() ? nullptr : &found->second;
    }
    bool on_device(const loop::ValuePtr& address) const {
        const Entry* root = root_of(address);
        return root && root->space == Space::Global;
    }

    // ---- statements ----
    void print(const loop::Allocate& s) override {
        if (s.place == loop::Place::Pinned) return pinned(s);
        if (s.space != Space::Global) return Printer::print(s);
        scope_[s.name] = {s.type, false, Space::Global};
        const std::string owner = own(s.name + "_memory");
        out_.line(fmt::format("{}<{}> {}({}, {}{});", runtime_of_device("DeviceBuffer"), type(s.type), owner, claim(s.name, s.size),
                              checked_extent(s.size, runtime("Extent")), s.zero ? ", true" : ""));
        out_.line(memory(s.type) + " " + s.name + " = " + owner + ".data();");
    }
    void print(const loop::Grow& s) override {
        const std::string owner = own(s.buffer + "_memory");
        out_.line(fmt::format("{}.grow({}, {});", owner, claim(s.buffer, s.size), checked_extent(s.size, runtime("Extent"))));
        out_.line(s.buffer + " = " + owner + ".data();");
    }
    void pinned(const loop::Allocate& s) {
        scope_[s.name] = {s.type};
        const std::string owner = own(s.name + "_memory");
        out_.line(fmt::format("{}<{}> {}({}, {}{});", runtime_of_device("PinnedBuffer"), type(s.type), owner, claim(s.name, s.size),
                              checked_extent(s.size, runtime("Extent")), s.zero ? ", true" : ""));
        out_.line(type(s.type) + "* __restrict__ " + s.name + " = " + owner + ".data();");
    }
    void print(const loop::Event& s) override { out_.line(runtime_of_device("Event") + " " + s.name + ";"); }
    void print(const loop::Await& s) override { out_.line(s.event + ".wait();"); }
    void print(const loop::Alias& s) override {
        const Entry* root = root_of(s.address);
        if (!root || root->space != Space::Global) return Printer::print(s);
        const std::string part = root->type == s.type ? "" : ".as<" + type(s.type) + ">()";
        const std::string address = part.empty() ? value(s.address) : "(" + value(s.address) + ")" + part;
        scope_[s.name] = {s.type, false, Space::Global};
        out_.line(memory(s.type) + " " + s.name + " = " + address + ";");
    }
    void print(const loop::CopyContiguous& s) override {
        if (!on_device(s.destination) && !on_device(s.source)) return Printer::print(s);
        const std::string queue = s.queue == 0 ? "" : fmt::format(", {}, {}", s.queue, s.event);
        out_.line(fmt::format("{}({}, {}, {}{});", runtime_of_device("copy"), value(s.destination), value(s.source), expr(s.count),
                              queue));
    }
    void print(const loop::ZeroFill& s) override {
        if (!on_device(s.destination)) return Printer::print(s);
        out_.line(fmt::format("{}({}, {});", runtime_of_device("zero"), value(s.destination), expr(s.count)));
    }
    void print(const loop::Launch& s) override {
        const auto kernel = std::ranges::find(kernels_, &s, &loop::Kernel::launch);
        check(kernel != kernels_.end(), "the launch of ", s.kernel, " is none of the module's");
        const auto extents = [&](const std::array<symbolic::Expr, 3>& of) {
            return fmt::format("{{{}, {}, {}}}", expr(of[0]), expr(of[1]), expr(of[2]));
        };
        std::string arguments;
        for (const loop::Parameter& p : kernel->parameters) arguments += ", " + p.name;
        if (simulated()) return out_.line(runtime_of_device("launch") + "(::" + s.kernel + arguments + ");");
        out_.line(fmt::format("{}.launch({}, {}, {}{});  // {}", own("kernels"), kernel - kernels_.begin(), extents(s.grid),
                              extents(s.block), arguments, s.kernel));
    }

    // ---- the unit ----
    std::string parameter(const loop::Parameter& p) override {
        if (p.kind != loop::Parameter::Kind::Buffer || p.space != Space::Global) return Printer::parameter(p);
        return "[[maybe_unused]] " + memory(p.type) + " " + p.name;
    }
    void declarations(Writer& unit) override {
        if (!uses_device_ || simulated()) return;
        std::string names;
        for (const loop::Kernel& kernel : kernels_) names += "\"" + kernel.launch->kernel + "\", ";
        unit.blank();
        unit.flush_left("constexpr const char " + own("kernel_source") + "[] = R\"kernels(" + source_ + ")kernels\";");
        unit.line("constexpr const char* " + own("kernel_names") + "[] = {" + names + "nullptr};");
        unit.line(fmt::format("{} {}({}, {}, {});", runtime_of_device("Kernels"), own("kernels"), own("kernel_source"),
                              own("kernel_names"), kernels_.size()));
    }
    /// Kernels stand behind the host's text.
    void declarations_outside(Writer& unit) override {
        if (!simulated() || kernels_.empty()) return;
        unit.blank();
        for (const loop::Kernel& kernel : kernels_) {
            std::string all;
            for (const loop::Parameter& p : kernel.parameters)
                all += (all.empty() ? "" : ", ") +
                       (p.kind == loop::Parameter::Kind::Buffer
                            ? runtime_of_device("OffChip<") + (p.written ? "" : "const ") + type(stored(p.type)) + ">"
                            : type(stored(p.type)));
            unit.line("extern \"C\" void " + kernel.launch->kernel + "(" + all + ");");
        }
    }
    std::string at_start() const override {
        if (!uses_device_ || simulated()) return {};
        return "sluice::generated::" + own("kernels") + ".start();";
    }
    std::string given_memory() const override { return runtime_of_device("given"); }
    std::string at_end() const override { return uses_device_ && !simulated() ? runtime_of_device("device.finish();") : ""; }
    void further_entry_points(Writer& out) override {
        out.blank();
        out.open("__attribute__((visibility(\"default\"))) void " + exported_name(module_.name, "_traffic") +
                 "(int64_t* counts) {");
        const std::string traffic = runtime_of_device("traffic.");
        if (uses_device_)
            out.line("counts[0] = " + traffic + "launches, counts[1] = " + traffic + "to_device, counts[2] = " + traffic +
                     "from_device, counts[3] = " + traffic + "within_device;");
        else
            out.line("counts[0] = counts[1] = counts[2] = counts[3] = 0;");
        if (uses_device_ && simulated())
            out.line("counts[4] = " + runtime_of_device("done.elements") + ", counts[5] = " +
                     runtime_of_device("done.off_chip_reads") + ", counts[6] = " + runtime_of_device("done.off_chip_writes") + ";");
        else
            out.line("counts[4] = counts[5] = counts[6] = 0;");
        out.close();
    }

    const KernelLanguage& language_;
    const std::vector<loop::Kernel> kernels_;
    const bool uses_device_;
    std::string source_;
};

}  // namespace

Artifact print_launching(const loop::Module& module, const KernelLanguage& language) {
    return HostPrinter(module, language).print_all();
}

}  // namespace sluice::codegen
