#include "lower/names.h"

#include "loop/identifier.h"

namespace sluice::lower {

std::string Names::fresh(std::string_view base) {
    const std::string stem = loop::identifier(base);
    std::string name = stem;
    if (taken(name)) {
        int& suffix = next_suffix_[stem];
        do name = stem + "_" + std::to_string(suffix++);
        while (taken(name));
    }
    ++taken_[name];
    used_.insert(name);
    opened_.back().push_back(name);
    return name;
}

std::string Names::fresh_everywhere(std::string_view base) {
    const std::string stem = loop::identifier(base);
    std::string name = stem;
    for (int suffix = 0; used_.contains(name); ++suffix) name = stem + "_" + std::to_string(suffix);
    ++taken_[name];
    used_.insert(name);
    opened_.front().push_back(name);
    return name;
}

void Names::close() {
    for (const std::string& name : opened_.back()) taken_.erase(name);
    opened_.pop_back();
}

}  // namespace sluice::lower
