// Operations of a user's: from shared libraries, and made by faces whose definitions and expansions are calls into them.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/meaning.h"
#include "ir/sdfg.h"

namespace sluice::driver {

using OperationProperties = std::map<std::string, ir::Property>;

struct UserOperand {
    code::DType type;
    std::vector<ir::Expr> shape, strides;  ///< In elements.
};
/// A node that is being expanded.
struct UserNode {
    ir::Sdfg body;  ///< Has a container for each connector, and waits to be filled.
    std::map<std::string, UserOperand> operands;
    OperationProperties properties;
    bool parallel = false;  ///< Points of a scope around it may run at the same time.
};
/// Another operation in the node's place: connectors of the node to connectors of that one.
struct UserReplacement {
    std::string operation;
    std::map<std::string, std::string> inputs, outputs;
    OperationProperties properties;
};
struct UserExpansion {
    std::string name, summary;
    std::string environment;     ///< That must be installed; empty: nothing.
    bool one_at_a_time = false;  ///< It calls what has threads of its own.
    /// Fills `body`, or answers with what stands in the node's place.
    std::function<std::optional<UserReplacement>(UserNode&)> expand;
};
struct UserOperation {
    std::string name, classpath, summary;
    std::vector<std::pair<std::string, OperationProperties>> forms = {};
    std::vector<std::tuple<std::string, ir::Property, std::string>> properties = {};  ///< Name, default, sentence.
    std::vector<std::string> types = {};
    bool element_wise = false;
    /// Elements of the outputs by connector, in row-major order.
    std::function<std::map<std::string, std::vector<ir::Number>>(const ir::Operands&, const OperationProperties&)> reference = {};
    std::vector<UserExpansion> expansions = {};
};

/// Failure B006: a contract that contradicts itself, or a type that does not exist.
void add_operation(UserOperation operation);
/// To an operation that is there, before its others. Failure B001.
void add_expansion(const std::string& operation, UserExpansion expansion);
/// The names that a shared library (library/plugin.h) added or replaced. Failures E009, E010, B006.
std::vector<std::string> load_operations(const std::filesystem::path& library);

/// Headers and libraries of generated code (library/environment.h).
struct UserEnvironment {
    std::string name;
    std::vector<std::string> headers, library_files, compiler_flags;
    std::string init_code, exit_code;
};
void add_environment(UserEnvironment environment);
/// A folder in which libraries are looked for before the system's.
void add_library_folder(const std::string& folder);

struct OperationDescription {
    std::string name, classpath, summary;
    std::vector<std::string> forms, expansions;
};
/// Failure B001 lists the names there are.
OperationDescription describe_operation(const std::string& name);
std::vector<std::string> operation_names();

/// What one execution of a library node costs by its operation's contract, as expressions of the program's symbols.
struct NodeCost {
    std::string sdfg, label, operation;
    std::string flops, bytes;  ///< Arithmetic operations; bytes that are read and written.
};
/// Of every library node that fits its contract, nested SDFGs included; calls of libraries have none.
std::vector<NodeCost> node_costs(const ir::Sdfg& program);

}  // namespace sluice::driver
