#include "analysis/legality/privatise.h"

#include <algorithm>

#include "analysis/legality/conflict.h"
#include "analysis/legality/outside.h"

namespace sluice::analysis {

std::string shared_by_its_kind(const ir::Sdfg& sdfg, const std::string& name) {
    const ir::Container* container = sdfg.containers.find(name);
    if (container && (!container->transient || container->binding != ir::Binding::Own ||
                      (container->lifetime != ir::Lifetime::Scope && container->lifetime != ir::Lifetime::State &&
                       container->lifetime != ir::Lifetime::SDFG)))
        return "`" + name + "` is no transient of the SDFG";
    if (!container && name.starts_with("$")) return "the order matters";
    if (container && std::holds_alternative<ir::Stream>(container->kind)) return "`" + name + "` is a stream";
    return "";
}

std::string not_private(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const AccessModel& model,
                        const Group& group, const std::string& name, const symbolic::Assumptions& known) {
    if (const std::string why = shared_by_its_kind(sdfg, name); !why.empty()) return why;
    if (sees_only_its_own(model, group, name) != Answer::Yes) return "`" + name + "` carries a value from one iteration to another";
    const bool observed = sdfg.containers.contains(name) ? observed_outside(sdfg, region, block, name, known)
                                                         : symbol_observed_outside(sdfg, region, block, name);
    return observed ? "what `" + name + "` holds after the loop is used" : "";
}

}  // namespace sluice::analysis
