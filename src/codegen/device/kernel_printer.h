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

/// The variable of the kernels' text that is a buffer in the memory of constants.
std::string constant_variable(const std::string& name);

class KernelPrinter : protected CDialectPrinter {
public:
    KernelPrinter(const loop::Module& module, const KernelLanguage& language) : CDialectPrinter(module), language_(language) {}

    virtual ~KernelPrinter() = default;
    std::string print(const std::vector<loop::Kernel>& kernels);

protected:
    using CDialectPrinter::print;

    /// In front of the type of what lies in a space.
    const char* word(loop::Space space) const;
    bool type_is_known(const code::DType& t) const;
    std::string type(const code::DType& t) override;
    std::string pointer_type(const code::DType& element, bool constant, loop::Space space) override;
    std::string integer(std::int64_t value, const code::DType& t) override;
    /// Integers wrap, as those of NumPy do; C leaves open what signed ones do.
    Text print_binary(const loop::Value& v, const loop::Binary& n) override;

    // ---- complex numbers, structures with functions of runtime/kernel_complex.h: complex_values.cpp ----
    virtual bool has_complex() const { return true; }
    std::string real(double value, double imaginary, const code::DType& t) override;
    Text print_unary(const loop::Value& v, const loop::Unary& n) override;
    Text print_cast(const loop::Value& v, const loop::Cast& n) override;
    Text print_call(const loop::Value& v, const loop::Call& n) override;
    std::string combined(const loop::Update& s, const std::string& before, const std::string& incoming) override;
    Text binary_of_complex(const loop::Binary& n);
    std::string truth(const loop::ValuePtr& v);
    void update_complex(const loop::Update& s, const std::string& place, loop::Space space);
    std::string zero(const code::DType& t) { return code::is_complex(t.scalar) ? real(0, 0, t) : "0"; }

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
    void print(const loop::Verbatim& s) override;

    // ---- the unit ----
    virtual std::string parameter(const loop::Parameter& p, bool inner);
    void function(const loop::Function& f);
    virtual void kernel(const loop::Kernel& kernel);

    const KernelLanguage& language_;
    bool uses_complex_ = false;
    bool in_table_ = false;  ///< Where no function may be called.

private:
    friend std::string text_of(const loop::Module& module, const std::vector<loop::Kernel>& kernels, const KernelLanguage& language,
                               KernelPrinter&& printer);
};

/// A unit: what the language begins with, arithmetic, the kernels by this printer; empty without kernels.
std::string text_of(const loop::Module& module, const std::vector<loop::Kernel>& kernels, const KernelLanguage& language,
                    KernelPrinter&& printer);

}  // namespace sluice::codegen
