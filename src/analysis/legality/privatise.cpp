#include "analysis/legality/privatise.h"

#include <algorithm>

#include "analysis/legality/clash.h"
#include "analysis/legality/outside.h"

namespace sluice::analysis {

std::string not_private(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const AccessModel& model,
                        const Group& group, const std::string& name, const symbolic::Assumptions& known) {
    const ir::Container* container = sdfg.containers.find(name);
    if (container && (!container->transient || container->binding != ir::Binding::Own ||
                      (container->lifetime != ir::Lifetime::Scope && container->lifetime != ir::Lifetime::State &&
                       container->lifetime != ir::Lifetime::SDFG)))
        return "`" + name + "` is no transient of the SDFG";
    if (!container && name.starts_with("$")) return "the order matters";
    if (container && std::holds_alternative<ir::Stream>(container->kind)) return "`" + name + "` is a stream";
    if (sees_only_its_own(model, group, name) != Answer::Yes) return "`" + name + "` carries a value from one iteration to another";
    const bool observed =
        container ? observed_outside(sdfg, region, block, name, known) : symbol_observed_outside(sdfg, region, block, name);
    return observed ? "what `" + name + "` holds after the loop is used" : "";
}

Verdict privatisable(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, const std::string& name,
                     const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, LoopRoot{.region = &region, .loop = loop}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const Group all = everything(model, 1);
    const std::string why = not_private(sdfg, region, loop, model, all, name, known);
    if (why.empty()) return {.answer = Answer::Yes, .why = {}};
    const auto carries = [&] { return sees_only_its_own(model, all, name); };
    if (why.find(" carries ") == std::string::npos) return {.answer = Answer::No, .why = why};
    if (carries() == Answer::Unknown) return {.answer = Answer::Unknown, .why = "the question about `" + name + "` is too costly"};
    // What an iteration may read before it writes: a witness, if an earlier iteration certainly wrote it.
    const poly::Map any = poly::Map::universe(executions(1, "a"), executions(1, "b"));
    const poly::Map earlier = model.iterators.front().direction > 0 ? any.order_less(0, 0) : any.order_greater(0, 0);
    std::vector<Clash> found = clashes({.model = model, .first = all, .second = all, .together = earlier});
    std::erase_if(found, [&](const Clash& clash) { return clash.container != name; });
    if (found.empty()) return {.answer = Answer::No, .why = "an iteration reads `" + name + "` from before the loop"};
    Verdict verdict = verdict_of(found, "two iterations");
    if (verdict.no()) verdict.why = why + ": " + to_string(*verdict.witness);
    return verdict;
}

}  // namespace sluice::analysis
