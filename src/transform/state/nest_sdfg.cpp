// NestSDFG: put a whole SDFG into a nested one, called from a single state.
//     sdfg { A; B }   ->   sdfg { state { nested { A; B } } }
// N1 the SDFG has a block and declares no code and no callbacks. N2 no reference is among its containers that stay outside.
// Arguments stay outside and are passed. Transients move inside, but for those that outlive a call (lifetimes SDFG and longer)
// and, with `promote_global_trans`, all that are used by more than one state and whose size nothing inside decides.
#include <algorithm>

#include "analysis/liveness.h"
#include "analysis/symbols.h"
#include "ir/query.h"
#include "rewrite/edit.h"
#include "rewrite/nest.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

namespace {

/// Transients that move inside.
std::set<std::string> moved_inside(const rewrite::Site& site) {
    const ir::Sdfg& sdfg = site.sdfg();
    const bool promote = site.flag("promote_global_trans");
    std::set<std::string> inside;
    const auto allocated = analysis::allocation_scopes(sdfg, site.assumptions());
    const std::vector<std::string> assigned = ir::assigned_symbols(sdfg);
    for (const auto& [name, container] : sdfg.containers) {
        if (!container.transient || container.lifetime != ir::Lifetime::Scope) continue;
        const auto allocation = allocated.find(name);
        const bool sized_inside = std::ranges::any_of(analysis::free_symbols(container), [&](const std::string& symbol) {
            return std::ranges::binary_search(assigned, symbol);
        });
        const bool global =
            !sized_inside && allocation != allocated.end() && allocation->second.level == analysis::AllocationScope::Level::Sdfg;
        if (!(promote && global && container.binding == ir::Binding::Own)) inside.insert(name);
    }
    return inside;
}

rewrite::Planned<std::set<std::string>> plan_nest_sdfg(const rewrite::Site& site) {
    const ir::Sdfg& sdfg = site.sdfg();
    if (sdfg.body.blocks.empty()) return rewrite::Refusal{.code = "N1", .why = "the SDFG has no block"};
    for (const auto& [place, code] : sdfg.global_code)
        if (!code.text.empty())
            return rewrite::Refusal{.code = "N1", .why = "the SDFG declares code of its own, which a nested SDFG would not see"};
    for (const auto& [name, type] : sdfg.symbols)
        if (type.compound) return rewrite::Refusal{.code = "N1", .why = "the symbol " + name + " is no number"};
    for (const auto& [name, container] : sdfg.containers)
        if (container.binding == ir::Binding::Reference) return rewrite::Refusal{.code = "N2", .why = name + " is a reference"};
    return moved_inside(site);
}

void apply_nest_sdfg(rewrite::Draft& draft, const std::set<std::string>& inside) {
    ir::Sdfg& sdfg = draft.sdfg();
    const std::vector<std::string> assigned = ir::assigned_symbols(sdfg);
    ir::Region body = std::move(sdfg.body);
    sdfg.body = {};
    ir::State state = rewrite::nest_region(sdfg, std::move(body), sdfg.name + "_body", inside);
    ir::add_block(sdfg.body, {.label = "call", .kind = Cow<ir::State>(std::move(state)), .metadata = {}});
    rewrite::forget_unused(sdfg, inside, assigned);
}

}  // namespace

rewrite::Transformation nest_sdfg() {
    return rewrite::transformation(
        {.name = "NestSDFG",
         .summary = "Puts a whole SDFG into a nested one, called from a single state.",
         .drawing = "sdfg { A; B }   ->   sdfg { state { nested { A; B } } }",
         .decided_by = {.structural = "Everything moves into a call, in its order."},
         .patterns = {{}},
         .conditions = {{"N1", "the SDFG has a block, and declares neither code of its own nor callbacks"},
                        {"N2", "none of its containers is a reference"}},
         .parameters =
             {{"promote_global_trans", false,
               "Transients that more than one state uses, of sizes known outside, stay outside and are allocated once."}}},
        plan_nest_sdfg, apply_nest_sdfg);
}

}  // namespace sluice::transform
