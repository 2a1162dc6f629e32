// What of an SDFG a GPU cannot carry: the host keeps it, each part for a reason.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/scopes.h"
#include "ir/walk.h"

namespace sluice::transform {

/// Asked of an SDFG as it is before or while it is moved; calls outside of maps are SDFGs of their own, with parts of their own.
class HostParts {
public:
    explicit HostParts(const ir::Sdfg& sdfg);

    /// Containers that stay in memory of the host: of a kind or type that no kernel has, of no certain size, or arguments that may
    /// be one array; and what views them. Each with the reason.
    const std::map<std::string, std::string>& kept() const { return kept_; }
    /// Why the host keeps a node at the top level of a state; nullopt: the device takes it, or it uses no array.
    std::optional<std::string> why(const ir::State& state, const analysis::ScopeTree& scopes, const ir::Adjacency& adjacency,
                                   ir::NodeId node) const;
    /// The same of a copy between two access nodes.
    std::optional<std::string> why(const ir::State& state, ir::EdgeId copy) const;
    /// Does the host run the whole block? A state with a part for the host and no map or call for the device; a loop of such states
    /// and of single tasklets; whatever holds nothing for the device. States that hold both are divided first.
    bool keeps(const ir::Block& block) const;
    /// Whether states or the whole SDFG have a part for either.
    struct Work {
        bool host = false;      ///< What the host keeps.
        bool scopes = false;    ///< Maps, and calls with maps, that the device takes.
        bool tasklets = false;  ///< Tasklets and copies of single arrays, which it takes as well.
        Work operator|(const Work& other) const;
    };
    Work work_of(const ir::State& state) const;
    Work work_of(const ir::Block& block) const;
    Work work() const;

    /// States outside of what the host keeps.
    template <class Visit> void for_each_device_state(const ir::Region& region, const Visit& visit) const {
        for (auto [id, block] : region.blocks) {
            if (keeps(block)) continue;
            if (const ir::State* state = ir::as_state(block)) visit(*state);
            ir::for_each_inner_region(block, [&](const ir::Region& inner) { for_each_device_state(inner, visit); });
        }
    }

private:
    void keep_views();

    const ir::Sdfg& sdfg_;
    std::map<std::string, std::string> kept_;
};

/// A map, consume scope, call of a library or tasklet with a container that no launch holds.
struct KeptPart {
    std::string what;  ///< "map `i`"
    Span where;
    std::string reason;
};
/// Of a program that has been moved, calls outside of maps included.
std::vector<KeptPart> kept_parts(const ir::Sdfg& sdfg);

/// Divides each state that holds parts for both into states that hold parts of one, in the order of its dataflow. Calls outside of
/// maps are left as they are.
void divide_states(ir::Sdfg& sdfg);

}  // namespace sluice::transform
