// Identifiers of one function: a name is taken while the scope that declared it is open, so siblings may both call their loop `i`
// and an inner declaration never hides an outer one.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sluice::lower {

class Names {
public:
    /// `base`, or `base_0`, `base_1`, ...: the first that is free; taken until the present scope closes. Characters that no C
    /// identifier has become underscores; words of C++ get a suffix.
    std::string fresh(std::string_view base);
    /// The same, but no other scope of the function has or had the name, and none will: for what the function as a whole declares.
    std::string fresh_everywhere(std::string_view base);
    bool taken(const std::string& name) const { return taken_.contains(name); }

    void open() { opened_.emplace_back(); }
    void close();

private:
    std::unordered_map<std::string, int> taken_;
    std::unordered_set<std::string> used_;
    std::unordered_map<std::string, int> next_suffix_;
    std::vector<std::vector<std::string>> opened_{1};
};

}  // namespace sluice::lower
