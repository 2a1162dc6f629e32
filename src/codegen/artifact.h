// What a printer makes of a module: units of text, and what whoever compiles, loads and calls them has to know. Every target has
// the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/check.h"
#include "support/diagnostic.h"

namespace sluice::codegen {

/// What a check of the program says where it does not hold.
struct Check {
    std::string message;  ///< With `{}` where the library's sentence has a value.
    std::string error;    ///< Python's exception; empty: ValueError.
    bool filled = false;  ///< There are such values.
    Span where;
};

/// A file of text.
struct Unit {
    enum class Kind : std::uint8_t {
        HostCpp,      // compiled to the library
        HostC,        // the same, in C
        Header,       // of the exported functions, for C and C++
        OpenCl,       // of the device: part of the host's text, which hands it to the device's compiler
        Cuda,         // the same, in CUDA C++
        Hls,          // the same, in C++ for a synthesis
        Connections,  // of a synthesis: which bank of memory a kernel's argument lies in
    };
    Kind kind = Kind::HostCpp;
    std::string text;
    /// Line of `text` (from 1) -> place in the user's source, in line order.
    std::vector<std::pair<std::uint32_t, Span>> line_map = {};
};
/// How the unit's file ends: `.cpp`
inline const char* suffix(Unit::Kind kind) {
    switch (kind) {
        case Unit::Kind::HostCpp:
            return ".cpp";
        case Unit::Kind::HostC:
            return ".c";
        case Unit::Kind::Header:
            return ".h";
        case Unit::Kind::OpenCl:
            return ".cl";
        case Unit::Kind::Cuda:
            return ".cu";
        case Unit::Kind::Hls:
            return ".hls.cpp";
        case Unit::Kind::Connections:
            return ".cfg";
    }
    return "";
}
/// Is the unit what is compiled to the library?
inline bool is_host(Unit::Kind kind) {
    return kind == Unit::Kind::HostCpp || kind == Unit::Kind::HostC;
}

/// A function of the runtime with the types that a unit calls it with, which may be compiled to an object of its own: many programs
/// call it. The unit expects that where SLUICE_APART is defined.
struct Apart {
    std::string declaration;           ///< `void sluice::sorting::sort(int64_t, const double*, int64_t, double*, int64_t)`
    std::vector<std::string> headers;  ///< That define it: `sluice/sort.h`.
    auto operator<=>(const Apart&) const = default;
};

struct Artifact {
    std::vector<Unit> units;                   ///< One of each kind at most.
    std::vector<std::string> runtime_headers;  ///< Which files of runtime/ they include.
    std::vector<Apart> apart = {};             ///< What of them need not be compiled with the host's unit.
    std::vector<std::string> link_words;       ///< For the linker: `-l:libopenblas.so`
    /// Check i ends the program with status runtime/abi.h's kFirstCheck + i.
    std::vector<Check> checks;
    std::vector<std::size_t> size_parameters;  ///< Positions of <sizes> among the program's parameters.
    bool is_timed = false;                     ///< The library exports `_profile`.
    bool is_counted = false;                   ///< It exports `_counts` and `_count_with` too.
    bool looks = false;                        ///< It can be asked to end (`_interruption`).
    bool over_objects = false;                 ///< Lists and texts (runtime/heap.h), in loops that have no lanes.
    bool sizes_matter = false;                 ///< Persistent memory depends on them: run needs the sizes that init had.

    const Unit& unit(Unit::Kind kind) const {
        const auto found = std::ranges::find(units, kind, &Unit::kind);
        check(found != units.end(), "an artifact has no unit of kind ", suffix(kind));
        return *found;
    }
    /// What is compiled to the library.
    const Unit& host_unit() const {
        const auto found = std::ranges::find_if(units, is_host, &Unit::kind);
        check(found != units.end(), "an artifact has no unit for the host");
        return *found;
    }
    const std::string& host() const { return host_unit().text; }
};

}  // namespace sluice::codegen
