// The operations that this process knows by name: those of this room and the user's own. One table for the process, over one handed
// from function to function: an operation of a graph is looked up wherever the graph goes (transformations, interpreter, lowering).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "library/operation.h"

namespace sluice::library {

class Registry {
public:
    /// A name that is taken is replaced: the user's own stands before the built-in one. Failure B006: a contract that contradicts
    /// itself.
    void add(Operation operation);
    /// Adds an expansion to an operation, before those it has. Failure B001: there is no such operation.
    void add(const std::string& operation, Expansion expansion);
    /// Null if there is none. What is found stays valid, as it was, until the process ends.
    const Operation* find(const std::string& name) const;
    /// The operation of a node: of its name and, where it has one, of its class path. Null if there is none.
    const Operation* find(const ir::LibraryNode& node) const;
    /// By name.
    std::vector<const Operation*> all() const;
    /// Does any operation have an expansion of this name (or alias)?
    bool knows_expansion(const std::string& name) const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, const Operation*> current_;
    std::vector<std::unique_ptr<const Operation>> kept_;
};

/// The registry of the process.
Registry& operations();

/// The operations of this room: one for each folder with a source of the folder's name (the build writes the list).
std::vector<Operation> builtin_operations();

}  // namespace sluice::library
