// The loop-nest IR: which loops, buffers, copies, updates and calls carry out an SDFG. Every decision (parallel or not, where
// memory lives, how a conflict is resolved) is taken before a Module exists, so a target only prints it.
//
// A Module is one native library. Names are unique within a function and valid C identifiers; integer index arithmetic is
// symbolic (64-bit, exact types known), everything else is a typed Value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "loop/statements.h"

namespace sluice::loop {

// ---- modules ------------------------------------------------------------------------------------------------------------
struct Parameter {
    enum class Kind : std::uint8_t { Buffer, Value, Stream };
    std::string name;
    DType type;  ///< Element type of a buffer or a stream.
    Kind kind = Kind::Buffer;
    bool written = true;       ///< A buffer that is only read is a pointer to const.
    bool restricted = true;    ///< No other parameter reaches the same memory.
    Space space = Space::Own;  ///< Of a buffer.
    std::string bank = {};     ///< Of a kernel's buffer: that of its Allocate.
};
struct Function {
    std::string name;
    std::vector<Parameter> parameters;
    Body body;
    Span where;
    bool on_device = false;  ///< Launches and functions of the device call it, and nobody else.
};
/// What a module takes from outside.
struct Library {
    std::vector<std::string> headers;     ///< `sluice/blas.h` of the runtime, others as they stand in an include: `<fftw3.h>`.
    std::vector<std::string> link_words;  ///< Of the compiler's command: `-l:libopenblas.so`.
    /// Its functions are large templates without results, which may be compiled apart from the program.
    bool apart = false;
    bool operator==(const Library&) const = default;
};
/// A compile-time constant table, row-major.
struct ConstantTable {
    std::string name;
    DType type;
    std::vector<std::pair<double, double>> values;
    std::vector<std::int64_t> integers;  ///< Instead of `values` for integer and bool types.
    bool scalar = false;
    Space space = Space::Constant;  ///< For launches: Constant, or Global.
};
inline std::int64_t bytes_of(const ConstantTable& table) {
    return static_cast<std::int64_t>((table.values.size() + table.integers.size()) * code::size_in_bytes(table.type));
}
/// What a device's memory of constants holds.
inline constexpr std::int64_t kConstantBytes = 64 * 1024;
struct StructType {
    std::string name;
    std::vector<std::pair<std::string, DType>> fields;
};
struct Module {
    std::string name;
    /// The program: parameters in the order of the C signature, sizes (64-bit values) last.
    Function program;
    /// Callees before callers.
    std::vector<Function> functions;
    std::vector<ConstantTable> constants;
    std::vector<StructType> structs;
    /// Persistent buffers: sizes depend on the program's integer parameters only.
    std::vector<Allocate> persistent;
    std::string global_code, init_code, exit_code;  ///< The user's C++, verbatim.
    std::map<std::string, Library> libraries;       ///< By name: `openblas`.
    std::vector<std::string> origins;               ///< Graph paths that statements name: `axpy/main/n3`.
};

}  // namespace sluice::loop
