// The C compiler of users' programs that tests build: the words of CC, with the flags that go with SLUICE_CXXFLAGS; cc where it is
// not set.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace sluice::test {

inline std::vector<std::string> c_compiler(const std::vector<std::string>& arguments) {
    const char* given = std::getenv("CC");
    std::istringstream words(given ? given : "cc");
    std::vector<std::string> command;
    for (std::string word; words >> word;) command.push_back(word);
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

}  // namespace sluice::test
