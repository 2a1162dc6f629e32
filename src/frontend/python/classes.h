// What a class of the user's has, read from the sources of its methods and of those of its bases.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "code/ast.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

struct ObjectClass {
    struct Method {
        code::StmtPtr kept;
        const code::FunctionStmt* function = nullptr;
        std::size_t owner = 0;  ///< The place of its class in `order`.
    };
    std::string name;
    std::vector<std::string> order;  ///< The class and its bases, as Python looks methods up.
    std::map<std::string, std::vector<Method>> methods;
    std::set<std::string> properties, statics, of_class;
    std::set<std::string> fields, shared;  ///< shared: attributes of the class that objects assign.
    std::map<std::string, std::string> constants;
    std::vector<std::string> matched = {};  ///< Attributes that patterns name by their places: `__match_args__`.

    /// The first of that name in `order` from a place on; null if there is none.
    const Method* method(const std::string& called, std::size_t from = 0) const;
    /// The place of a class among `order`; its size if it is none of these.
    std::size_t place_of(const std::string& of_name) const;
};

ObjectClass read_class(const std::string& name, const ClassSource& source);
/// A function of the user's.
code::StmtPtr read_function(const FunctionSource& source);

/// The method that Python calls for an operator; empty where it has none here.
std::string operator_method(code::BinaryOp op);
std::string operator_method(code::CompareOp op);
/// That of the right operand, where the left one has none.
std::string mirrored_method(code::CompareOp op);

}  // namespace sluice::frontend
