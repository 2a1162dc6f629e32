// Containers, and what every element of an SDFG is made of: field lists, metadata, code blocks. The first third of the grammar;
// read sdfg.h for the whole.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "code/dtype.h"
#include "ir/enums.h"
#include "support/cow.h"
#include "support/diagnostic.h"
#include "support/ordered_map.h"
#include "symbolic/subset.h"

namespace sluice::ir {

using code::DType;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

/// One entry of a field list: the property's name in the .sdfg format and the member that holds it.
template <class Struct, class T> struct Field {
    std::string_view name;
    T Struct::*member;
};
template <class Struct, class T> Field(std::string_view, T Struct::*) -> Field<Struct, T>;

/// What tools attach to an element and the program's meaning does not depend on; never part of equality.
struct Metadata {
    Span where;         ///< Place in the user's source.
    std::string guid;   ///< UUID of the .sdfg format.
    std::string extra;  ///< JSON object text: attributes and keys that we do not know, written back as they came.
    bool operator==(const Metadata&) const { return true; }
};

/// Source text in a language. Python text is parsed where it is used (parsed_body, parsed_expr of code_block.h).
struct CodeBlock {
    std::string text;
    Language language = Language::Python;
    bool operator==(const CodeBlock&) const = default;
};

// ---- containers ---------------------------------------------------------------------------------------------------------
struct Container;

/// The first extent of an array whose length only the run knows. Its addresses are reserved; a page of it exists once it is
/// touched.
inline constexpr std::int64_t kReservedExtent = 2147483647;

/// N-dimensional array. Element (i, j, ...) lies at start_offset + sum (i_d + offset_d) * strides_d elements from its base.
struct Array {
    std::vector<Expr> strides;  ///< In elements; empty: C order.
    std::vector<Expr> offset;   ///< Added to every index; empty: zeros.
    Expr total_size = 0;        ///< Elements to allocate; 0: product of the shape.
    Expr start_offset = 0;
    std::int64_t alignment = 0;  ///< Bytes; 0: the default of the storage.
    bool may_alias = false;      ///< The pointer may overlap another argument: not `restrict`.
    bool allow_conflicts = false;
    std::optional<bool> optional;  ///< The argument may be null.
    bool pool = false;
    bool operator==(const Array&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"strides", &Array::strides}, Field{"total_size", &Array::total_size},
                          Field{"offset", &Array::offset}, Field{"start_offset", &Array::start_offset},
                          Field{"alignment", &Array::alignment}, Field{"may_alias", &Array::may_alias},
                          Field{"allow_conflicts", &Array::allow_conflicts}, Field{"optional", &Array::optional},
                          Field{"pool", &Array::pool});
    }
};
/// One element; shape is empty. Passed by value as an argument unless written.
struct Scalar {
    bool allow_conflicts = false;
    bool operator==(const Scalar&) const = default;
    static constexpr auto fields() { return std::tuple(Field{"allow_conflicts", &Scalar::allow_conflicts}); }
};
/// An array (of the container's shape) of multi-producer multi-consumer queues.
struct Stream {
    Expr buffer_size = 0;  ///< Capacity in elements; 0: unbounded.
    std::vector<Expr> offset;
    bool operator==(const Stream&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"buffer_size", &Stream::buffer_size}, Field{"offset", &Stream::offset});
    }
};
struct Structure {
    std::string name;
    OrderedMap<Cow<Container>> members;
    bool operator==(const Structure&) const = default;
    static constexpr auto fields() { return std::tuple(Field{"name", &Structure::name}, Field{"members", &Structure::members}); }
};
/// An array whose elements are containers (structures or arrays): an array of pointers.
struct ContainerArray {
    Array layout;
    std::optional<Cow<Container>> element;
    bool operator==(const ContainerArray&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"layout", &ContainerArray::layout}, Field{"stype", &ContainerArray::element});
    }
};
/// A descriptor that we keep but cannot compile (Tensor, ProcessGrid, SubArray, RedistrArray, unknown classes).
struct ForeignContainer {
    std::string type;  ///< Class name in the .sdfg format; everything else is in Metadata::extra.
    bool operator==(const ForeignContainer&) const = default;
    static constexpr auto fields() { return std::tuple(Field{"type", &ForeignContainer::type}); }
};
struct Container {
    DType dtype = code::Scalar::Int32;
    std::vector<Expr> shape;  ///< Empty for Scalar and Structure.
    bool transient = false;   ///< Allocated by the SDFG, not an argument.
    Binding binding = Binding::Own;
    Storage storage = Storage::Default;
    Lifetime lifetime = Lifetime::Scope;
    std::map<std::string, std::string> location;
    std::variant<Array, Scalar, Stream, Structure, ContainerArray, ForeignContainer> kind;
    Metadata metadata;
    bool operator==(const Container&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"dtype", &Container::dtype}, Field{"shape", &Container::shape},
                          Field{"transient", &Container::transient}, Field{"storage", &Container::storage},
                          Field{"lifetime", &Container::lifetime}, Field{"location", &Container::location});
    }
};

}  // namespace sluice::ir
