#include "rewrite/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/nearest.h"

namespace sluice::rewrite {

void Registry::add(Transformation transformation) {
    std::string name = transformation.descriptor.name;
    transformations_[std::move(name)] = std::make_shared<const Transformation>(std::move(transformation));
}

const Transformation* Registry::find(std::string_view name) const {
    const auto at = transformations_.find(name);
    return at == transformations_.end() ? nullptr : at->second.get();
}

const Transformation& Registry::at(std::string_view name) const {
    return *find(meanings(name).front().transformation);
}

void Registry::add_name(Synonym synonym) {
    std::string name = synonym.name;
    synonyms_.insert_or_assign(std::move(name), std::move(synonym));
}

std::vector<Meaning> Registry::meanings(std::string_view name) const {
    if (find(name)) return {{.transformation = std::string(name)}};
    const auto synonym = synonyms_.find(name);
    if (synonym == synonyms_.end()) {
        std::vector<std::string> names;
        for (const auto& [other, transformation] : transformations_) names.push_back(other);
        for (const auto& [other, meaning] : synonyms_) names.push_back(other);
        fail({.code = "E001",
              .message = fmt::format("there is no transformation named {}", name),
              .where = {},
              .path = {},
              .remedy = fmt::format("perhaps you mean one of: {}", fmt::join(nearest(name, names), ", ")),
              .notes = {}});
    }
    return synonym->second.meanings;
}

std::shared_ptr<const Descriptor> Registry::descriptor(const Transformation& transformation) const {
    const auto at = transformations_.find(transformation.descriptor.name);
    check(at != transformations_.end() && at->second.get() == &transformation, "a transformation of another registry");
    return {at->second, &transformation.descriptor};
}

std::vector<const Transformation*> Registry::all() const {
    std::vector<const Transformation*> found;
    for (const auto& [name, transformation] : transformations_) found.push_back(transformation.get());
    return found;
}

}  // namespace sluice::rewrite
