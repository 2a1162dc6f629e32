// Prints launches as kernels of a C-like language. Private to rooms that print for devices.
#pragma once

#include <string>
#include <vector>

#include "codegen/c_like/c_dialect.h"
#include "codegen/device/language.h"
#include "loop/passes/kernels.h"

namespace sluice::codegen {

/// A truth value in memory, which the host sees too, is a byte.
code::DType stored(const code::DType& type);

class KernelPrinter : protected CDialectPrinter {
public:
    KernelPrinter(const loop::Module& module, const KernelLanguage& language) : CDialectPrinter(module), language_(language) {}

    virtual ~KernelPrinter() = default;
    std::string print(const std::vector<loop::Kernel>& kernels);

protected:
    using CDialectPrinter::print;

    /// In front of the type of what lies in a space.
    const char* word(loop::Space space) const;
    static bool type_is_known(const code::DType& t);
    std::string type(const code::DType& t) override;
    std::string pointer_type(const code::DType& element, bool constant, loop::Space space) override;
    std::string integer(std::int64_t value, const code::DType& t) override;
    /// Integers wrap, as those of NumPy do; C leaves open what signed ones do.
    Text print_binary(const loop::Value& v, const loop::Binary& n) override;
    Text print_address(const loop::Address& n) override;
    const char* restricted() const override { return language_.restricted; }
    std::string callee(const std::string& function) const override { return own(module_.name + "_does_") + function; }

    // ---- statements ----
    void print(const loop::Allocate& s) override;
    void print(const loop::Fail&) override { refuse("a failure in a kernel"); }
    void print(const loop::Barrier&) override { out_.line("sluice_barrier();"); }
    // The sides may lie in different spaces, of which no function of the library knows.
    void print(const loop::CopyContiguous& s) override;
    void print(const loop::ZeroFill& s) override;
    /// As an operand of a sum or a comparison.
    std::string operand(const symbolic::Expr& e);
    void print(const loop::For& s) override;
    void print(const loop::Update& s) override;

    // ---- the unit ----
    virtual std::string parameter(const loop::Parameter& p, bool inner);
    void function(const loop::Function& f);
    virtual void kernel(const loop::Kernel& kernel);

    const KernelLanguage& language_;
};

/// A unit: what the language begins with, arithmetic, the kernels by this printer; empty without kernels.
std::string text_of(const loop::Module& module, const std::vector<loop::Kernel>& kernels, const KernelLanguage& language,
                    KernelPrinter&& printer);

}  // namespace sluice::codegen
