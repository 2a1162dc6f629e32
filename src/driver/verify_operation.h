// Checks the expansions of an operation against the reference of its contract: whoever wrote them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/compile.h"
#include "library/operation.h"

namespace sluice::driver {

struct OperationCheck {
    std::string expansion;
    std::size_t samples = 0;               ///< Nodes that it was run on.
    std::vector<std::string> passed_over;  ///< Why it was not run on others, each reason once.
    std::vector<std::string> differences;  ///< `_a[4, 3] float32 transposed, ...: _c[1, 2] is 3.5, the reference says 3.25`.
};
struct OperationReport {
    std::string operation;
    std::vector<OperationCheck> checks;  ///< One for each expansion for CPUs.
    bool ok() const;
};

/// Runs every expansion on nodes of generated sizes, element types, layouts (packed, transposed, parts of larger arrays, every
/// other element) and places (operands that lie in the output), and compares all memory with what the interpreter makes of the
/// reference. Errors: those of compile(); B007: the operation has no form or reference to be checked by.
Result<OperationReport> verify_operation(const library::Operation& operation, const CompileOptions& options = {},
                                         std::uint64_t seed = 1);

/// The same by name. Error B001.
Result<OperationReport> verify_operation(const std::string& name, const CompileOptions& options = {}, std::uint64_t seed = 1);

/// Checks the user's operations in the graph that have not been checked in this process. Failure B008 names the first difference.
void verify_new_operations(const ir::Sdfg& sdfg, const CompileOptions& options);

}  // namespace sluice::driver
