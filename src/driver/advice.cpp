#include "driver/advice.h"

#include <time.h>

#include <algorithm>
#include <set>

#include "support/activity.h"

namespace sluice::driver {

namespace {

constexpr double kMostSeconds = 5;
constexpr std::size_t kPlacesOfEach = 3;

/// Of the processor: what is found does not depend on what else the machine does.
double seconds_of_thread() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Where it applies, or where its pattern fits. `what` may be a name of the papers with options of its own.
std::size_t places_of(Session& session, const std::string& what, bool fitting) {
    const std::vector<Proposal> places = session.matches(what);
    if (fitting) return places.size();
    return static_cast<std::size_t>(std::ranges::count_if(places, [](const Proposal& one) { return !one.refusal; }));
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

std::vector<Application> ways_to(const Session& session, const std::string& transformation, std::size_t most) {
    const Activity activity("looking for what would bring " + transformation + " about");
    const double end = seconds_of_thread() + kMostSeconds;
    Session asked = session;
    const bool fitting = asked.matches(transformation).empty();
    const std::size_t present = places_of(asked, transformation, fitting);
    std::vector<Application> first, more;
    for (const Descriptor* descriptor : tried_in_order(session)) {
        if (descriptor->name == transformation || seconds_of_thread() > end) continue;
        std::size_t tried = 0, found = 0;
        for (const Proposal& proposal : asked.matches(descriptor->name)) {
            if (proposal.refusal || tried++ == kPlacesOfEach) continue;
            tick();
            if (seconds_of_thread() > end) break;
            Session changed = session;
            if (!changed.apply(proposal.application) || places_of(changed, transformation, fitting) <= present) continue;
            (found++ == 0 ? first : more).push_back(proposal.application);
        }
    }
    first.insert(first.end(), more.begin(), more.end());
    if (first.size() > most) first.resize(most);
    return first;
}

std::vector<Application> instead_of(const Session& session, const Application& refused) {
    Session asked = session;
    std::vector<Application> found;
    std::set<std::string> wanted;
    for (const auto& [role, node] : refused.nodes) wanted.insert(node);
    if (wanted.size() < 2) return found;  // What else fits a single node is what --list says.
    for (const Descriptor* descriptor : session.transformations().all()) {
        if (descriptor->name == refused.transformation || !is_tried(session, *descriptor)) continue;
        for (const Proposal& proposal : asked.matches(descriptor->name)) {
            std::set<std::string> nodes;
            for (const auto& [role, node] : proposal.application.nodes) nodes.insert(node);
            if (!proposal.refusal && proposal.application.path == refused.path && std::ranges::includes(nodes, wanted))
                found.push_back(proposal.application);
        }
    }
    return found;
}

}  // namespace sluice::driver
