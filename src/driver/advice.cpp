#include "driver/advice.h"

#include <algorithm>
#include <set>

#include "ir/walk.h"
#include "poly/allowance.h"
#include "support/activity.h"

namespace sluice::driver {

namespace {

/// Of one advice: what all plans together may ask isl, and how many nodes the programs have that it tries. Each is some seconds.
constexpr unsigned long kMostAllocations = 5'000'000;
constexpr std::size_t kMostNodes = 20'000;
constexpr std::size_t kPlacesOfEach = 3;

/// Where it applies, or where its pattern fits.
std::size_t count_of(const std::vector<Proposal>& places, bool fitting) {
    if (fitting) return places.size();
    return static_cast<std::size_t>(std::ranges::count_if(places, [](const Proposal& one) { return !one.refusal; }));
}

std::size_t nodes_of(const ir::Sdfg& program) {
    std::size_t count = 0;
    ir::for_each_sdfg(program, [&](const ir::Sdfg& sdfg) {
        ir::for_each_state(sdfg.body, [&](const ir::State& state) { count += state.nodes.size(); });
    });
    return count;
}

bool is_tried(const Session& session, const Descriptor& descriptor) {
    return descriptor.group != "decision" && !session.disabled.contains(descriptor.name);
}

/// Those that plan a new order of all instances come last: one of them may take as long as all others.
std::vector<const Descriptor*> tried_in_order(const Session& session) {
    std::vector<const Descriptor*> all = session.transformations().all();
    std::erase_if(all, [&](const Descriptor* one) { return !is_tried(session, *one); });
    std::ranges::stable_partition(
        all, [](const Descriptor* one) { return std::ranges::count(one->decided_by.predicates, "reorder") == 0; });
    return all;
}

}  // namespace

Advice ways_to(const Session& session, const std::string& transformation, const std::vector<Proposal>& places, std::size_t most) {
    const Activity activity("looking for what would bring " + transformation + " about");
    const poly::Allowance allowance(kMostAllocations);
    std::size_t nodes = 0;
    const std::size_t nodes_of_each = nodes_of(session.program());
    Session asked = session;
    const bool fitting = places.empty();
    const std::size_t present = count_of(places, fitting);
    const auto brings_it = [&](const Application& application) {
        tick();
        Session changed = session;
        return changed.apply(application) && count_of(changed.matches(transformation), fitting) > present;
    };
    Advice result;
    std::vector<Application> more;
    for (const Descriptor* descriptor : tried_in_order(session)) {
        if (descriptor->name == transformation) continue;
        std::size_t tried = 0, found = 0;
        for (const Proposal& proposal : asked.matches(descriptor->name)) {
            if (proposal.refusal || tried++ >= kPlacesOfEach) continue;
            nodes += nodes_of_each;
            if (nodes > kMostNodes || allowance.used_up()) break;
            if (brings_it(proposal.application)) (found++ == 0 ? result.applications : more).push_back(proposal.application);
        }
    }
    result.complete = nodes <= kMostNodes && !allowance.used_up();
    result.applications.insert(result.applications.end(), more.begin(), more.end());
    if (result.applications.size() > most) result.applications.resize(most);
    return result;
}

std::vector<Advice> instead_of(const Session& session, const std::vector<Application>& refused) {
    std::vector<Advice> result(refused.size());
    std::vector<std::set<std::string>> wanted;
    for (const Application& one : refused) {
        std::set<std::string>& nodes = wanted.emplace_back();
        for (const auto& [role, node] : one.nodes) nodes.insert(node);
    }
    // What else fits a single node is what --list says.
    if (std::ranges::all_of(wanted, [](const auto& nodes) { return nodes.size() < 2; })) return result;
    const poly::Allowance allowance(kMostAllocations);
    Session asked = session;
    for (const Descriptor* descriptor : session.transformations().all()) {
        if (!is_tried(session, *descriptor)) continue;
        for (const Proposal& proposal : asked.matches(descriptor->name)) {
            std::set<std::string> nodes;
            for (const auto& [role, node] : proposal.application.nodes) nodes.insert(node);
            for (std::size_t i = 0; i < refused.size() && !proposal.refusal; ++i)
                if (descriptor->name != refused[i].transformation && wanted[i].size() > 1 &&
                    proposal.application.path == refused[i].path && std::ranges::includes(nodes, wanted[i]))
                    result[i].applications.push_back(proposal.application);
        }
    }
    for (Advice& one : result) one.complete = !allowance.used_up();
    return result;
}

}  // namespace sluice::driver
