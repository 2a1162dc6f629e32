// What printers of high-level synthesis share: processing elements that are joined by streams, loops that are pipelines, memory off
// the chip.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/device/kernel_printer.h"
#include "loop/passes/kernels.h"

namespace sluice::codegen {

class DataflowPrinter : public KernelPrinter {
public:
    using KernelPrinter::KernelPrinter;
    using KernelPrinter::print;

protected:
    /// A stream, or an array of them.
    struct Streams {
        loop::DType type;
        std::int64_t count = 1, depth = 1;
    };

    // ---- what a vendor spells in its own way ----
    /// Behind the header of a loop, or in front of it.
    virtual void pragmas(const loop::For& s, bool in_front) = 0;
    /// Behind, or in front of, the header of a copying loop of interval 1.
    virtual void pragmas_of_copy(bool in_front) = 0;
    /// The type of an argument that points off the chip.
    virtual std::string off_chip(const std::string& element, bool constant) const = 0;
    virtual void dataflow(const loop::Kernel& kernel, const std::vector<loop::Element>& elements) = 0;

    bool has_complex() const final { return false; }
    /// The constant place of a stream in its array.
    static std::optional<std::int64_t> place_of(const loop::ValuePtr& index);
    /// The places of an array of streams at which a body pushes or pops; nullopt: not all are constant.
    static std::optional<std::set<std::int64_t>> places_of(const std::string& stream, const loop::Body& body);
    std::string stream_type(const Streams& of) { return type(stored(of.type)); }
    /// The names of an element's parameters are known from here on.
    void begin(const loop::Element& element);
    std::string parameter(const loop::Parameter& p, bool inner) override;
    std::string pointer_type(const code::DType& element, bool constant, loop::Space space) override;
    Text print_address(const loop::Address& n) override;
    void print(const loop::For& s) override;
    void print(const loop::CopyContiguous& s) override;
    void print(const loop::ZeroFill& s) override;
    void kernel(const loop::Kernel& kernel) final;

    /// The loop's proof: no iteration reads of these what another one writes. Arguments in an interface of their own order their
    /// accesses themselves.
    std::vector<std::string> independent(const loop::For& s) const;

    std::map<std::string, Streams> streams_;  ///< Of the kernel.

private:
    void copy(const symbolic::Expr& count, const std::string& destination, const std::string& source);
};

}  // namespace sluice::codegen
