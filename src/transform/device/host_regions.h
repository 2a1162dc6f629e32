// What a part of the host needs of arrays that lie on a device, and what it changes there.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "ir/sdfg.h"

namespace sluice::transform {

/// One contiguous run of an array to copy; both missing: nothing.
struct HostRegion {
    std::optional<symbolic::Subset> in;   ///< From the device, before.
    std::optional<symbolic::Subset> out;  ///< To the device, behind.
};
/// Of the containers that the block uses, `written` of which it changes; the whole container where it is not known better. Symbols
/// in a region have the same values before the block and behind it.
std::map<std::string, HostRegion> host_regions(const ir::Sdfg& sdfg, const ir::Block& block,
                                               const std::map<std::string, bool>& used);

}  // namespace sluice::transform
