// Element types: NumPy's scalars, vectors of them, and the compound types of the .sdfg format.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::code {

enum class Scalar : std::uint8_t {
    Void,
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float8E4M3,
    Float8E5M2,
    BFloat16,
    Float16,
    Float32,
    Float64,
    Complex64,
    Complex128,
    String,
};

struct Compound;

/// A scalar type, `lanes` of them as a vector, or a compound (pointer, struct, opaque, callback).
struct DType {
    Scalar scalar = Scalar::Void;
    std::uint32_t lanes = 1;
    std::shared_ptr<const Compound> compound;  ///< Set for Pointer, Struct, Opaque, Callback; then `scalar` is Void.

    DType() = default;
    DType(Scalar scalar, std::uint32_t lanes = 1) : scalar(scalar), lanes(lanes) {}  // NOLINT: a scalar is a type
    static DType pointer(DType target);
    static DType structure(std::string name, std::vector<std::pair<std::string, DType>> fields,
                           std::vector<std::pair<std::string, std::string>> lengths = {});
    static DType opaque(std::string ctype);
    static DType callback(std::vector<DType> arguments, std::vector<DType> results);

    bool is_void() const { return scalar == Scalar::Void && !compound; }
    bool is_scalar() const { return !compound && lanes == 1 && scalar != Scalar::Void; }
    bool is_vector() const { return lanes > 1; }
    bool operator==(const DType& other) const;
};

enum class CompoundKind : std::uint8_t { Pointer, Struct, Opaque, Callback };

struct Compound {
    CompoundKind kind;
    std::string name;                                          ///< Struct: its name. Opaque: the C type.
    std::vector<std::pair<std::string, DType>> fields;         ///< Struct: in order. Pointer: one, named "". Callback: arguments.
    std::vector<DType> results;                                ///< Callback only.
    std::vector<std::pair<std::string, std::string>> lengths;  ///< Struct: extents of pointer fields, as Python text.
    bool operator==(const Compound&) const = default;
};

bool is_integer(Scalar scalar);  ///< Signed or unsigned, not Bool.
bool is_signed(Scalar scalar);
bool is_floating(Scalar scalar);
bool is_complex(Scalar scalar);
/// Bytes of one element; 0 for Void, String and opaque types; a pointer has 8.
std::size_t size_in_bytes(const DType& type);

/// DaCe's and NumPy's name: `float64`; `vector<float32, 4>`, `pointer<int32>`, `struct pair`, `opaque<MPI_Comm>`.
std::string to_string(const DType& type);
/// Reads to_string's form of everything but struct and callback; also `bool_`, `int`/`float` (64 bits, as in Python).
std::optional<DType> parse_dtype(std::string_view name);
std::string_view scalar_name(Scalar scalar);

/// The narrowest float that NumPy computes with for an integer or bool: int8 float16, int16 float32, else float64.
Scalar float_for(Scalar integer);
/// NumPy 2 promotion (NEP 50) of two strongly typed operands, lanes included; void if they have no common type. bfloat16 and
/// float8 are unknown to NumPy: with anything but themselves they count as float32.
DType promote(const DType& a, const DType& b);

}  // namespace sluice::code
