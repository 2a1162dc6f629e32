// Regions, transitions, and where transients belong.
#include <algorithm>

#include "code/walk.h"
#include "interpret/plan_builder.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "support/words.h"

namespace sluice::interpret {

namespace {

// Innermost scope that holds both.
ir::NodeId common_scope(const StateView& view, ir::NodeId a, ir::NodeId b) {
    std::set<ir::NodeId> above;
    for (; a.valid(); a = view.parent[a.value]) above.insert(a);
    while (b.valid() && !above.contains(b)) b = view.parent[b.value];
    return b;
}

}  // namespace

// A transient with scope lifetime belongs to the innermost scope that holds all its access nodes, if that is in one state and
// nothing else reads it.
void PlanBuilder::find_allocation_scopes() {
    struct AllocationScope {
        const ir::State* state = nullptr;
        ir::NodeId scope;
        bool shared = false;
    };
    std::map<std::string, AllocationScope> scopes_of_allocation;
    std::vector<std::string> texts;
    ir::for_each_region(sdfg_.body, [&](const ir::Region& region) {
        const auto text = [&](const std::string& each) { texts.push_back(each); };
        ir::for_each_code(
            region, [&](const ir::CodeBlock& code) { text(code.text); }, text);
    });
    ir::for_each_state(sdfg_.body, [&](const ir::State& state) {
        const StateView view(state);
        const auto use = [&](const std::string& data, ir::NodeId scope) {
            AllocationScope& allocation = scopes_of_allocation[std::string(ir::root_name(data))];
            if (!allocation.state)
                allocation = {&state, scope, allocation.shared};
            else if (allocation.state != &state)
                allocation.shared = true;
            else
                allocation.scope = common_scope(view, allocation.scope, scope);
        };
        const auto reads = [&](const symbolic::Subset& subset) {
            for (const std::string& name : symbolic::free_symbols(subset))
                if (plan_->container_slots.contains(name)) scopes_of_allocation[name].shared = true;
        };
        for (auto [id, node] : state.nodes) {
            if (const auto* access = std::get_if<ir::Access>(&node.kind)) use(access->data, view.parent[id.value]);
            if (const auto* map = std::get_if<ir::MapEntry>(&node.kind)) reads(map->range);
            if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind); consume && consume->condition)
                texts.push_back(consume->condition->text);
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
                for (const auto& [symbol, value] : nested->symbol_mapping)
                    for (const std::string& name : symbolic::free_symbols(value)) texts.push_back(name);
        }
        for (auto [id, edge] : state.edges) {
            if (edge.memlet.subset) reads(*edge.memlet.subset);
            if (edge.memlet.other_subset) reads(*edge.memlet.other_subset);
        }
    });
    for (const auto& [name, allocation] : scopes_of_allocation) {
        const ir::Container* container = sdfg_.containers.find(name);
        if (!container || !container->transient || container->binding != ir::Binding::Own || allocation.shared || !allocation.state)
            continue;
        if (container->lifetime != ir::Lifetime::Scope && container->lifetime != ir::Lifetime::State) continue;
        if (std::ranges::any_of(texts, [&](const std::string& text) { return mentions_word(text, name); })) continue;
        if (std::holds_alternative<ir::Structure>(container->kind)) continue;
        allocation_scopes_[{allocation.state, allocation.scope}].push_back(name);
        plan_->containers[plan_->container_slots.at(name)].is_scoped = true;
    }
}

std::optional<CodePlan> PlanBuilder::condition(const ir::CodeBlock& block, const std::string& path) {
    if (block.text.find_first_not_of(" \t\n") == std::string::npos) return std::nullopt;
    return code(*ir::parsed_expr(block.text).or_fail(), true, path);
}

std::vector<AssignmentPlan> PlanBuilder::statements(const std::optional<ir::CodeBlock>& block, const std::string& path) {
    std::vector<AssignmentPlan> result;
    if (!block) return result;
    for (const code::StmtPtr& s : ir::parsed_body(*block).or_fail()) {
        const auto* assign = std::get_if<code::AssignStmt>(&s->node);
        const auto* augmented = std::get_if<code::AugAssignStmt>(&s->node);
        const code::Expr* target = assign ? assign->targets[0].get() : augmented ? augmented->target.get() : nullptr;
        const auto* name = target ? std::get_if<code::NameExpr>(&target->node) : nullptr;
        if (!name) fail({"I007", "a loop is steered by `" + block->text + "`", s->span, path, "assign a symbol", {}});
        if (assign) {
            result.push_back({slot(name->id), code(*assign->value, false, path)});
        } else {
            const code::Expr value{code::BinaryExpr{augmented->op, augmented->target, augmented->value}, s->span};
            result.push_back({slot(name->id), code(value, false, path)});
        }
    }
    return result;
}

BlockPlan PlanBuilder::block(const ir::Block& block) {
    BlockPlan plan;
    plan.label = block.label;
    const std::string path = path_ + "/" + block.label;
    const auto inner = [&](const ir::Region& body) { return std::make_shared<RegionPlan>(region(body)); };
    std::visit(code::Overloaded{
                   [&](const Cow<ir::State>& state) {
                       StateView view(*state);
                       view.path = path;
                       auto body = scope(view, {});
                       plan_->blocks = plan_->blocks || body->blocks;
                       plan.kind = std::move(body);
                   },
                   [&](const ir::LoopRegion& loop) {
                       LoopPlan result;
                       result.init = statements(loop.init, path);
                       result.update = statements(loop.update, path);
                       const auto test = loop.condition ? condition(*loop.condition, path) : std::nullopt;
                       if (!test) fail({"I007", "the loop has no condition", {}, path, "give it one", {}});
                       result.condition = *test;
                       result.inverted = loop.inverted;
                       result.update_before_condition = loop.update_before_condition;
                       result.body = inner(loop.body);
                       plan.kind = std::move(result);
                   },
                   [&](const ir::ConditionalBlock& conditional) {
                       ConditionalPlan result;
                       // `else` is last whatever its place.
                       for (const bool otherwise : {false, true})
                           for (const ir::Branch& branch : conditional.branches)
                               if (!branch.condition == otherwise)
                                   result.branches.push_back(
                                       {branch.condition ? condition(*branch.condition, path) : std::nullopt, inner(branch.body)});
                       plan.kind = std::move(result);
                   },
                   [&](const ir::BreakBlock&) { plan.kind = Jump::Break; },
                   [&](const ir::ContinueBlock&) { plan.kind = Jump::Continue; },
                   [&](const ir::ReturnBlock&) { plan.kind = Jump::Return; },
                   [&](const ir::NamedRegion& named) { plan.kind = inner(named.body); },
               },
               block.kind);
    return plan;
}

RegionPlan PlanBuilder::region(const ir::Region& region) {
    RegionPlan plan;
    std::map<ir::BlockId, std::uint32_t> places;
    for (auto [id, part] : region.blocks) {
        places[id] = static_cast<std::uint32_t>(plan.blocks.size());
        plan.blocks.push_back(block(part));
    }
    if (plan.blocks.empty()) return plan;
    plan.start = places.at(region.start);
    for (auto [id, transition] : region.transitions) {
        TransitionPlan step;
        const std::string path = path_ + "/" + region.blocks[transition.src].label;
        step.destination = places.at(transition.dst);
        step.condition = condition(transition.condition, path);
        for (const auto& [name, value] : transition.assignments)
            step.assignments.push_back({slot(name), code(*ir::parsed_expr(value).or_fail(), false, path)});
        plan.blocks[places.at(transition.src)].transitions.push_back(std::move(step));
    }
    return plan;
}

std::shared_ptr<SdfgPlan> PlanBuilder::build() {
    declare();
    find_allocation_scopes();
    plan_->body = region(sdfg_.body);
    return plan_;
}

std::shared_ptr<SdfgPlan> make_plan(const ir::Sdfg& sdfg, const Options& options) {
    return PlanBuilder(sdfg, options, sdfg.name).build();
}

}  // namespace sluice::interpret
