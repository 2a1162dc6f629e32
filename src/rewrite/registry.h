// The transformations that a program knows by name: the built-in ones (transform/registry.h) and the user's own.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/transformation.h"

namespace sluice::rewrite {

class Registry {
public:
    /// A name that is taken is replaced: the user's own stands before the built-in one. A copy of the registry does not change.
    void add(Transformation transformation);
    /// Null if there is none.
    const Transformation* find(std::string_view name) const;
    /// Failure E001 proposes the nearest names.
    const Transformation& at(std::string_view name) const;
    /// By name.
    std::vector<const Transformation*> all() const;

private:
    std::map<std::string, std::shared_ptr<const Transformation>, std::less<>> transformations_;
};

}  // namespace sluice::rewrite
