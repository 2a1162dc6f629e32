// What both ways of nesting share. Private to the room.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "ir/sdfg.h"

namespace sluice::rewrite {

using Names = std::set<std::string>;

/// The whole container, as it is handed to a nested SDFG.
ir::Memlet whole_memlet(const std::string& name, const ir::Container& container);

struct MadeNested {
    ir::NestedSdfg nested;
    Names in, out;  ///< Connectors.
};
/// The nested SDFG around `body`, whose access nodes name containers of `sdfg`; those in `inside` are allocated in it.
/// `types`: symbols in scope.
MadeNested make_nested(const ir::Sdfg& sdfg, ir::Region body, const std::string& label, const Names& inside,
                       const std::map<std::string, code::DType>& types);

}  // namespace sluice::rewrite
