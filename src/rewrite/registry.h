// The transformations that a program knows by name: the built-in ones (transform/registry.h) and the user's own.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/transformation.h"

namespace sluice::rewrite {

/// What a name of the papers stands for: a transformation, with options of its own where none are given.
struct Meaning {
    std::string transformation;
    std::map<std::string, std::string> options = {};  ///< As recipes write them.
    bool operator==(const Meaning&) const = default;
};
/// A further name.
struct Synonym {
    std::string name;
    std::vector<Meaning> meanings = {};  ///< Several: the first that fits the place.
};

class Registry {
public:
    /// A name that is taken is replaced: the user's own stands before the built-in one. A copy of the registry does not change.
    void add(Transformation transformation);
    void add(const CheckedEdit& checked) { add(Transformation(checked)); }
    /// Null if there is none.
    const Transformation* find(std::string_view name) const;
    /// Of a further name, the first that it stands for. Failure E001 proposes the nearest names.
    const Transformation& at(std::string_view name) const;
    /// A name that is taken by a transformation stands for that.
    void add_name(Synonym synonym);
    /// What the name stands for, itself for a transformation's own. Failure E001.
    std::vector<Meaning> meanings(std::string_view name) const;
    /// By name.
    const std::map<std::string, Synonym, std::less<>>& synonyms() const { return synonyms_; }
    /// By name.
    std::vector<const Transformation*> all() const;
    /// The descriptor of one of these transformations, which lives as long as somebody holds it.
    std::shared_ptr<const Descriptor> descriptor(const Transformation& transformation) const;

private:
    std::map<std::string, std::shared_ptr<const Transformation>, std::less<>> transformations_;
    std::map<std::string, Synonym, std::less<>> synonyms_;
};

}  // namespace sluice::rewrite
