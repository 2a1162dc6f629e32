#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "codegen/c_like/exported.h"
#include "codegen/cpu/printer.h"
#include "codegen/device/kernel_printer.h"
#include "codegen/device/kernels.h"
#include "loop/walk.h"

namespace sluice::codegen {

namespace {

using loop::Space;

/// A device of the host's: what it runs, and as which text.
struct Device {
    const KernelLanguage& language;
    std::vector<loop::Kernel> kernels;
    std::string source;

    bool simulated() const { return language.simulated != nullptr; }
    std::string runtime(const char* name) const { return std::string("sluice::") + language.runtime + "::" + name; }
};

/// The buffer that an address leads to, or empty.
std::string root_of(const loop::ValuePtr& address) {
    if (!address) return {};
    if (const auto* n = std::get_if<loop::Cast>(&address->node)) return root_of(n->operand);
    const auto* n = std::get_if<loop::Address>(&address->node);
    return n ? n->buffer : std::string();
}

/// The addresses that processing elements of a function's launches take, by the names of the memory that they lead to.
std::set<std::string> taken_by_elements(const loop::Body& body, const std::vector<loop::Kernel>& kernels) {
    std::set<std::string> names;
    std::map<std::string, loop::ValuePtr> aliases;
    loop::for_each_statement(body, [&](const loop::Statement& s) {
        if (const auto* alias = std::get_if<loop::Alias>(&s.node)) aliases[alias->name] = alias->address;
        const auto* launch = std::get_if<loop::Launch>(&s.node);
        if (!launch || !launch->dataflow) return;
        for (const loop::Parameter& p : std::ranges::find(kernels, launch, &loop::Kernel::launch)->parameters)
            if (p.kind == loop::Parameter::Kind::Buffer) names.insert(p.name);
    });
    for (std::size_t known = 0; known < names.size();) {
        known = names.size();
        for (const auto& [alias, address] : aliases)
            if (names.contains(alias)) names.insert(root_of(address));
    }
    return names;
}

class HostPrinter final : public Printer {
public:
    /// The device of threads comes first where there are two.
    HostPrinter(const loop::Module& module, std::span<const KernelLanguage* const> languages)
        : Printer(module), uses_device_(loop::uses_device(module)) {
        for (const KernelLanguage* one : languages) {
            devices_.push_back({*one, {}, {}});
            if (uses_device_) need(std::string(one->runtime) + ".h");
        }
        std::vector<loop::Kernel> all = loop::kernels(module);
        const auto note = [&](const loop::Function& f) {
            const std::set<std::string> names = taken_by_elements(f.body, all);
            loop::for_each_statement(f.body, [&](const loop::Statement& s) {
                if (const auto* memory = std::get_if<loop::Allocate>(&s.node); memory && names.contains(memory->name))
                    of_elements_.insert(memory);
            });
        };
        if (devices_.size() > 1) {
            for (const loop::Function& f : module.functions) note(f);
            note(module.program);
        }
        for (loop::Kernel& one : all) (one.launch->dataflow ? devices_.back() : devices_.front()).kernels.push_back(std::move(one));
    }
    Artifact print_all() {
        for (Device& one : devices_)
            one.source = one.simulated() ? one.language.simulated(module_, one.kernels, one.language)
                                         : print_kernels(module_, one.kernels, one.language);
        Artifact result = Printer::print();
        for (const Device& one : devices_) {
            if (one.simulated()) result.units.front().text += "\n" + one.source;
            result.units.push_back({one.language.unit, one.source});
        }
        return result;
    }

private:
    using Printer::print;

    /// Whose memory a name leads to.
    const Device& device_of(const std::string& name) const {
        const auto found = lies_on_.find(name);
        return found == lies_on_.end() ? devices_.front() : *found->second;
    }
    std::string memory(const Device& device, const loop::DType& element) { return device.runtime("Memory<") + type(element) + ">"; }
    std::string pointer_type(const loop::DType& element, bool constant, Space space) override {
        return lies_on_device(space) ? memory(devices_.front(), element) : Printer::pointer_type(element, constant, space);
    }
    Text print_address(const loop::Address& n) override {
        const auto found = scope_.find(n.buffer);
        if (found == scope_.end() || !lies_on_device(found->second.space)) return Printer::print_address(n);
        const std::string index = subscript(n.index);
        return index == "0" ? Text{n.buffer} : Text{n.buffer + " + (" + index + ")", Level::Sum};
    }
    /// Null: it leads to memory of the host.
    const Device* device_at(const loop::ValuePtr& address) const {
        const std::string root = root_of(address);
        const auto found = scope_.find(root);
        return found == scope_.end() || !lies_on_device(found->second.space) ? nullptr : &device_of(root);
    }

    // ---- statements ----
    void print(const loop::Allocate& s) override {
        if (s.place == loop::Place::Pinned) return pinned(s);
        if (!lies_on_device(s.space)) return Printer::print(s);
        scope_[s.name] = {s.type, false, s.space};
        const Device& device = of_elements_.contains(&s) ? devices_.back() : devices_.front();
        lies_on_[s.name] = &device;
        const std::string owner = own(s.name + "_memory");
        if (s.space == Space::Constant && !has_constant_arguments(device.language)) return variable(s, device, owner);
        out_.line(fmt::format("{}<{}> {}({}, {}{});", device.runtime("DeviceBuffer"), type(s.type), owner, claim(s.name, s.size),
                              checked_extent(s.size, runtime("Extent")), s.zero ? ", true" : ""));
        out_.line(memory(device, s.type) + " " + s.name + " = " + owner + ".data();");
    }
    /// A variable of the kernels' text, which is this call's until the end of the scope.
    void variable(const loop::Allocate& s, const Device& device, const std::string& owner) {
        const std::vector<const loop::Allocate*> all = loop::constant_buffers(module_);
        out_.line(fmt::format("{}<{}> {}({}, {}{});", device.runtime("ConstantBuffer"), type(s.type), owner, own("kernels"),
                              std::ranges::find(all, &s) - all.begin(), s.zero ? fmt::format(", {}", expr(s.size)) : ""));
        out_.line(memory(device, s.type) + " " + s.name + " = " + owner + ".data();");
    }
    void print(const loop::Grow& s) override {
        const std::string owner = own(s.buffer + "_memory");
        out_.line(fmt::format("{}.grow({}, {});", owner, claim(s.buffer, s.size), checked_extent(s.size, runtime("Extent"))));
        out_.line(s.buffer + " = " + owner + ".data();");
    }
    void pinned(const loop::Allocate& s) {
        scope_[s.name] = {s.type};
        const std::string owner = own(s.name + "_memory");
        out_.line(fmt::format("{}<{}> {}({}, {}{});", devices_.front().runtime("PinnedBuffer"), type(s.type), owner,
                              claim(s.name, s.size), checked_extent(s.size, runtime("Extent")), s.zero ? ", true" : ""));
        out_.line(type(s.type) + "* __restrict__ " + s.name + " = " + owner + ".data();");
    }
    void print(const loop::Event& s) override { out_.line(devices_.front().runtime("Event") + " " + s.name + ";"); }
    void print(const loop::Await& s) override { out_.line(s.event + ".wait();"); }
    void print(const loop::Alias& s) override {
        const Device* device = device_at(s.address);
        if (!device) return Printer::print(s);
        const std::string part = scope_.at(root_of(s.address)).type == s.type ? "" : ".as<" + type(s.type) + ">()";
        const std::string address = part.empty() ? value(s.address) : "(" + value(s.address) + ")" + part;
        scope_[s.name] = {s.type, false, scope_.at(root_of(s.address)).space};
        lies_on_[s.name] = device;
        out_.line(memory(*device, s.type) + " " + s.name + " = " + address + ";");
    }
    void print(const loop::CopyContiguous& s) override {
        const Device *to = device_at(s.destination), *from = device_at(s.source);
        if (!to && !from) return Printer::print(s);
        check(!to || !from || to == from, "a copy leads from one device to another");
        const std::string queue = s.queued ? fmt::format(", {}, {}", s.queued.queue, s.queued.event) : "";
        out_.line(fmt::format("{}({}, {}, {}{});", (to ? to : from)->runtime("copy"), value(s.destination), value(s.source),
                              expr(s.count), queue));
    }
    void print(const loop::ZeroFill& s) override {
        const Device* device = device_at(s.destination);
        if (!device) return Printer::print(s);
        out_.line(fmt::format("{}({}, {});", device->runtime("zero"), value(s.destination), expr(s.count)));
    }
    void print(const loop::Launch& s) override {
        const Device& device = s.dataflow ? devices_.back() : devices_.front();
        const auto kernel = std::ranges::find(device.kernels, &s, &loop::Kernel::launch);
        check(kernel != device.kernels.end(), "the launch of ", s.kernel, " is none of the module's");
        const auto extents = [&](const std::array<symbolic::Expr, 3>& of) {
            return fmt::format("{{{}, {}, {}}}", expr(of[0]), expr(of[1]), expr(of[2]));
        };
        std::string arguments;
        for (const loop::Parameter& p : kernel->parameters)
            if (p.space != Space::Constant || has_constant_arguments(device.language)) arguments += ", " + p.name;
        if (device.simulated()) return out_.line(device.runtime("launch") + "(::" + s.kernel + arguments + ");");
        const std::string call =
            s.queued ? fmt::format("launch_on({}, {}, ", s.queued.queue, s.queued.event) : std::string("launch(");
        out_.line(fmt::format("{}.{}{}, {}, {}{});  // {}", own("kernels"), call, kernel - device.kernels.begin(), extents(s.grid),
                              extents(s.block), arguments, s.kernel));
    }

    // ---- the unit ----
    std::string parameter(const loop::Parameter& p) override {
        if (p.kind != loop::Parameter::Kind::Buffer || p.space != Space::Global) return Printer::parameter(p);
        lies_on_.erase(p.name);
        return "[[maybe_unused]] " + memory(devices_.front(), p.type) + " " + p.name;
    }
    /// Further arguments of Kernels: variables of the memory of constants, of which each has a place and a lock.
    std::string constants_of(const Device& device, Writer& unit) {
        const std::vector<const loop::Allocate*> all = loop::constant_buffers(module_);
        if (all.empty() || has_constant_arguments(device.language)) return {};
        std::string entries;
        for (const loop::Allocate* one : all) entries += "{\"" + constant_variable(one->name) + "\"}, ";
        unit.line(fmt::format("{} {}[] = {{{}}};", device.runtime("ConstantVariable"), own("kernel_constants"), entries));
        return fmt::format(", {}, {}", own("kernel_constants"), all.size());
    }
    void declarations(Writer& unit) override {
        for (const Device& device : devices_) {
            if (!uses_device_ || device.simulated()) continue;
            std::string names;
            for (const loop::Kernel& kernel : device.kernels) names += "\"" + kernel.launch->kernel + "\", ";
            unit.blank();
            unit.flush_left("constexpr const char " + own("kernel_source") + "[] = R\"kernels(" + device.source + ")kernels\";");
            unit.line("constexpr const char* " + own("kernel_names") + "[] = {" + names + "nullptr};");
            const std::string variables = constants_of(device, unit);
            unit.line(fmt::format("void* {}[{}];", own("kernel_handles"), device.kernels.size() + 1));
            unit.line(fmt::format("{} {}({}, {}, {}, {}{});", device.runtime("Kernels"), own("kernels"), own("kernel_source"),
                                  own("kernel_names"), device.kernels.size(), own("kernel_handles"), variables));
        }
    }
    /// Kernels stand behind the host's text.
    void declarations_outside(Writer& unit) override {
        for (const Device& device : devices_) {
            if (!device.simulated() || device.kernels.empty()) continue;
            unit.blank();
            for (const loop::Kernel& kernel : device.kernels) {
                std::string all;
                for (const loop::Parameter& p : kernel.parameters)
                    all += (all.empty() ? "" : ", ") +
                           (p.kind == loop::Parameter::Kind::Buffer
                                ? device.runtime("OffChip<") + (p.written ? "" : "const ") + type(stored(p.type)) + ">"
                                : type(stored(p.type)));
                unit.line("extern \"C\" void " + kernel.launch->kernel + "(" + all + ");");
            }
        }
    }
    /// The device of threads has a driver.
    bool drives() const { return uses_device_ && !devices_.front().simulated(); }
    std::string at_start() const override { return drives() ? "sluice::generated::" + own("kernels") + ".start();" : ""; }
    std::string given_memory() const override { return devices_.front().runtime("given"); }
    std::string at_end() const override { return drives() ? devices_.front().runtime("device.finish();") : ""; }
    void further_entry_points(Writer& out) override {
        out.blank();
        out.open("__attribute__((visibility(\"default\"))) void " + exported_name(module_.name, "_traffic") +
                 "(int64_t* counts) {");
        const std::string traffic = devices_.front().runtime("traffic.");  // Of all devices (runtime/offload.h).
        if (uses_device_)
            out.line("counts[0] = " + traffic + "launches, counts[1] = " + traffic + "to_device, counts[2] = " + traffic +
                     "from_device, counts[3] = " + traffic + "within_device;");
        else
            out.line("counts[0] = counts[1] = counts[2] = counts[3] = 0;");
        if (const Device& last = devices_.back(); uses_device_ && last.simulated())
            out.line("counts[4] = " + last.runtime("done.elements") + ", counts[5] = " + last.runtime("done.off_chip_reads") +
                     ", counts[6] = " + last.runtime("done.off_chip_writes") + ";");
        else
            out.line("counts[4] = counts[5] = counts[6] = 0;");
        out.close();
    }

    std::vector<Device> devices_;
    const bool uses_device_;
    std::set<const loop::Allocate*> of_elements_;   ///< Memory of the FPGA beside that of a GPU.
    std::map<std::string, const Device*> lies_on_;  ///< By the name of memory, or of a part of it.
};

}  // namespace

Artifact print_launching(const loop::Module& module, std::span<const KernelLanguage* const> languages) {
    return HostPrinter(module, languages).print_all();
}

Artifact print_launching(const loop::Module& module, const KernelLanguage& language) {
    return print_launching(module, std::array{&language});
}

}  // namespace sluice::codegen
