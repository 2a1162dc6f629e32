// What heap.cpp does with objects, as functions of the program. `@` stands for the beginning of the names of a type's functions,
// `$` for the list of its elements, BEGIN, SIZE and ROOM for the lists of places.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace sluice::frontend {

using HeapFunction = std::pair<std::string_view, std::string_view>;  ///< Name, text.

extern const std::vector<HeapFunction> kArrayFunctions, kListFunctions, kTextFunctions, kTableFunctions;

}  // namespace sluice::frontend
