// The oracle: runs a verified SDFG by its operational semantics, over the caller's memory.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/meaning.h"
#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::interpret {

using SymbolValue = std::variant<std::int64_t, double>;

struct Arguments {
    /// Container -> its first element; extents follow from the descriptor. A scalar is a pointer to its value. A structure is
    /// given member by member (`csr.indptr`), or whole, as a pointer to the struct of ir::structure_type.
    std::map<std::string, void*, std::less<>> memory;
    std::map<std::string, SymbolValue, std::less<>> symbols;
};

/// A tasklet in another language than Python, for the caller to compile: `text` is a statement list that knows each connector
/// by its name, as a reference to a value or (pointer) as a pointer to its elements, and each symbol as an integer or double.
struct ForeignTasklet {
    struct Name {
        std::string name;
        code::DType type;
        bool pointer = false;
        bool constant = false;  ///< An input or a symbol: not written.
    };
    std::string label;
    ir::Language language = ir::Language::CPP;
    std::string text, global_text;
    std::vector<Name> names;
};
/// Called with one address for each name: of the value, or for a pointer of its first element.
using TaskletFunction = std::function<void(void* const*)>;

struct Options {
    /// 0: elements run in canonical order (topological, ties by id; map points lexicographically). Otherwise the seed picks
    /// among all ready elements and map points of the state, so that a race shows as different results.
    std::uint64_t seed = 0;
    /// Called with one line for each rule as it fires.
    std::function<void(std::string_view)> trace = {};
    bool detect_conflicts = true;
    bool detect_uninitialised = true;
    /// Conflicts and reads of uninitialised elements end the run (I003, I004) rather than being listed in the report.
    bool strict = false;
    /// Rules that may fire before the run ends with I008; 0: no limit.
    std::uint64_t step_limit = 0;
    std::function<Result<TaskletFunction>(const ForeignTasklet&)> compile_tasklet = {};
    /// What library nodes mean. Reductions have a rule of their own; what this does not know is I007.
    ir::MeaningOf library = {};
};

struct Report {
    /// I003 and I004, each place once, in the order in which they were found.
    std::vector<Diagnostic> findings;
    std::uint64_t steps = 0;  ///< Rules that fired.
    /// A number was converted that fits no integer of 64 bits. C leaves its value open; here it is the smallest, as of the
    /// processor.
    bool beyond_range = false;
};

/// Errors: I001 subset out of bounds, I002 missing argument or symbol, I003 read of an element that nobody wrote, I004 unordered
/// conflicting accesses, I005 deadlock on a stream, I006 overflow of a symbol, I007 construct that the interpreter does not
/// carry out, I008 step limit. Types that do not go together are reported as in code/infer.h. What ran before an error stays
/// written.
Result<Report> interpret(const ir::Sdfg& sdfg, const Arguments& arguments, const Options& options = {});

}  // namespace sluice::interpret
