// What C and its kin without templates spell alike: literals, casts, and functions of runtime/arithmetic.h by the name of a type.
#pragma once

#include "codegen/c_like/printer.h"

namespace sluice::codegen {

class CDialectPrinter : protected CLikePrinter {
protected:
    using CLikePrinter::CLikePrinter;
    using CLikePrinter::print;
    ~CDialectPrinter() = default;

    std::string type(const loop::DType& type) override;
    std::string integer(std::int64_t value, const loop::DType& type) override;
    std::string real(double value, double imaginary, const loop::DType& type) override;
    std::string converted(const std::string& type, const std::string& value) override;
    std::string pointer_cast(const std::string& target, const std::string& pointer, bool constant) override;
    Text print_cast(const loop::Value& v, const loop::Cast& n) override;
    Text print_call(const loop::Value& v, const loop::Call& n) override;
    std::string combined_by_function(const char* name, const loop::DType& type, const std::string& before,
                                     const std::string& incoming) override;
    const char* restricted() const override { return "restrict"; }
    const char* null_pointer() const override { return "NULL"; }

    /// `sluice_minimum_int32`
    std::string by_type(const std::string& function, const loop::DType& type);
    /// `static const double roots[] = {1.0, 2.0};`, after the words in front.
    std::string table(const std::string& words, const std::string& element, const loop::ConstantTable& table);
};
/// The end of the names of functions for a type: `boolean` (bool is a macro in C), `int32`.
std::string type_suffix(const code::DType& type);

}  // namespace sluice::codegen
