// The places of the graph that statements came from. Lowering says them, passes hand them on.
#pragma once

#include <map>
#include <string>

#include "loop/ir.h"

namespace sluice::loop {

/// Fills Module::origins, each path once.
class Origins {
public:
    explicit Origins(Module& module) : module_(module) {}
    OriginId of(const std::string& path);
    /// `path` for the statements of `body` from place `first` on, but for what lies in one that has an origin.
    void give(const std::string& path, Body& body, std::size_t first = 0);

private:
    Module& module_;
    std::map<std::string, OriginId> ids_;
};

/// `origin` for a statement and what lies in it; what has one keeps it, with all that lies in it.
void give_origin(Statement& statement, OriginId origin);
/// Empty: none is known.
const std::string& path_of_origin(const Module& module, const Statement& statement);
/// Behind a sentence about a statement: `, from axpy/main/n3`. Empty without a statement, or where no origin is known.
std::string from_where(const Module& module, const Statement* statement);

}  // namespace sluice::loop
