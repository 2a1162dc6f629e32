#pragma once

#include <cstdlib>
#include <iostream>
#include <string>

namespace tiramisu {

inline void str_dump(const std::string& text) {
    std::cout << text;
}
/// Says what is wrong, and ends the program if asked to.
inline void error(const std::string& message, bool ends) {
    std::cerr << "Error: " << message << std::endl;
    if (ends) std::exit(1);
}

}  // namespace tiramisu

#define ERROR(message, ends) ::tiramisu::error(message, ends)
