#include "driver/advice.h"

#include <algorithm>
#include <set>

#include "driver/purposes.h"
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

std::set<std::string> nodes_named_by(const Application& application) {
    std::set<std::string> nodes;
    for (const auto& [role, node] : application.nodes) nodes.insert(node);
    return nodes;
}

bool serve_one_purpose(const std::string& one, const std::string& other) {
    return std::ranges::any_of(purposes(), [&](const Purpose& purpose) {
        const auto serves = [&](const std::string& name) { return std::ranges::count(purpose.serve, name) > 0; };
        return serves(one) && serves(other);
    });
}

/// The block that an application rewrites as a whole (`part=`), `/` behind its path; empty for any other application.
std::string part_of(const Application& application) {
    if (application.nodes.size() != 1 || application.nodes.begin()->first != "part") return "";
    return (application.path.empty() ? "" : application.path + "/") + application.nodes.begin()->second + "/";
}

/// Whether `other` is to the same nodes, or serves the same purpose in a part of the program that holds them.
bool stands_for(const Application& other, const Application& refused) {
    if (other.transformation == refused.transformation) return false;
    if (other.path == refused.path && std::ranges::includes(nodes_named_by(other), nodes_named_by(refused))) return true;
    const std::string part = part_of(other);
    return !part.empty() && (refused.path + "/").starts_with(part) &&
           serve_one_purpose(other.transformation, refused.transformation);
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
    // What else fits a single node is what --list says.
    const auto names_several = [](const Application& one) { return nodes_named_by(one).size() > 1; };
    if (std::ranges::none_of(refused, names_several)) return result;
    const poly::Allowance allowance(kMostAllocations);
    Session asked = session;
    for (const Descriptor* descriptor : session.transformations().all()) {
        if (!is_tried(session, *descriptor)) continue;
        for (const Proposal& proposal : asked.matches(descriptor->name))
            for (std::size_t i = 0; i < refused.size() && !proposal.refusal; ++i)
                if (names_several(refused[i]) && stands_for(proposal.application, refused[i]))
                    result[i].applications.push_back(proposal.application);
    }
    for (Advice& one : result) one.complete = !allowance.used_up();
    return result;
}

}  // namespace sluice::driver
