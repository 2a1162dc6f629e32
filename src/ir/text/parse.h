// The two halves of the parser.
#pragma once

#include "ir/text/values.h"

namespace sluice::ir::text {

/// From the word `sdfg` to the closing brace.
Sdfg read_sdfg(Cursor& in);
/// The lines of a state's block and the closing brace.
void read_state(Cursor& in, State& state);

/// Adds a value under the id that the text gives it; ids that the text skips are holes.
template <class IdType, class T> void add_at(Cursor& in, Table<IdType, T>& table, std::uint32_t at, T value, std::size_t begin) {
    const auto bound = static_cast<std::uint32_t>(table.id_bound());
    if (at < bound)
        in.error_at(in.span_from(begin), "X005", "ids must ascend, and " + std::to_string(at) + " is not above the ids before it");
    in.count_holes(at - bound);
    for (std::uint32_t hole = bound; hole < at; ++hole) table.erase(table.add(T{}));
    table.add(std::move(value));
}

}  // namespace sluice::ir::text
