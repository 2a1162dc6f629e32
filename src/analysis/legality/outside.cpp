#include "analysis/legality/outside.h"

#include <algorithm>
#include <functional>
#include <set>

#include "analysis/liveness.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::analysis {

using code::Overloaded;

namespace {

bool mentions(const std::string& text, const std::string& name) {
    if (text.empty()) return false;
    const Result<code::ExprPtr> parsed = ir::parsed_expr(text);
    return !parsed.ok() || ir::free_names(**parsed).contains(name);
}
bool mentions(const std::optional<ir::CodeBlock>& block, const std::string& name) {
    if (!block) return false;
    const Result<code::Body> parsed = ir::parsed_body(*block);
    return !parsed.ok() || ir::free_names(*parsed).contains(name);
}

/// Walks every region of the SDFG but the block left out.
class UsesOutside {
public:
    UsesOutside(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId left_out, const std::string& name, bool symbol)
        : sdfg_(sdfg), region_(region), left_out_(left_out), name_(name), symbol_(symbol) {}

    bool in(const ir::Region& region) const {
        for (auto [id, transition] : region.transitions) {
            if (mentions(transition.condition.text, name_)) return true;
            for (const auto& [target, value] : transition.assignments)
                if (mentions(value, name_)) return true;
        }
        for (auto [id, block] : region.blocks)
            if (!(&region == &region_ && id == left_out_) && in(block)) return true;
        return false;
    }

private:
    bool in(const ir::Block& block) const {
        return std::visit(Overloaded{
                              [&](const Cow<ir::State>& state) { return in(*state); },
                              [&](const ir::LoopRegion& loop) {
                                  if (symbol_ && loop.variable == name_)
                                      return mentions(loop.init, name_) || holds_left_out(loop.body);
                                  return mentions(loop.init, name_) || mentions(loop.condition, name_) ||
                                         mentions(loop.update, name_) || in(loop.body);
                              },
                              [&](const ir::ConditionalBlock& conditional) {
                                  return std::ranges::any_of(conditional.branches, [&](const ir::Branch& branch) {
                                      return mentions(branch.condition ? branch.condition->text : "", name_) || in(branch.body);
                                  });
                              },
                              [](const ir::BreakBlock&) { return false; },
                              [](const ir::ContinueBlock&) { return false; },
                              [](const ir::ReturnBlock&) { return false; },
                              [&](const ir::NamedRegion& named) { return in(named.body); },
                          },
                          block.kind);
    }
    bool in(const ir::State& state) const {
        if (symbol_) return free_symbols(sdfg_, state).contains(name_);
        return std::ranges::any_of(state.nodes, [&](const auto& entry) {
            const auto* access = std::get_if<ir::Access>(&entry.second.kind);
            return access && ir::root_name(access->data) == name_;
        });
    }
    /// A loop around that has the symbol for its variable is changed by an assignment inside.
    bool holds_left_out(const ir::Region& region) const {
        bool found = false;
        ir::for_each_region(region, [&](const ir::Region& each) { found = found || &each == &region_; });
        return found;
    }

    const ir::Sdfg& sdfg_;
    const ir::Region& region_;
    ir::BlockId left_out_;
    const std::string& name_;
    bool symbol_;
};

/// The states in which control may go on after a block, collected by walking out of the regions around it.
class After {
public:
    After(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block) : target_(region), block_(block) {
        seek(sdfg.body, [this] { reaches_end = true; });
    }
    std::set<const ir::State*> states;
    bool reaches_end = false;

private:
    /// Finds the region; `leave` continues where control goes that leaves `region`.
    bool seek(const ir::Region& region, const std::function<void()>& leave) {
        if (&region == &target_) {
            successors(region, block_, leave);
            return true;
        }
        for (auto [id, block] : region.blocks) {
            const ir::BlockId at = id;
            const auto next = [&, at] { successors(region, at, leave); };
            const bool found = std::visit(Overloaded{
                                              [](const Cow<ir::State>&) { return false; },
                                              [&](const ir::LoopRegion& loop) {
                                                  return seek(loop.body, [&] {
                                                      enter(loop.body, next);
                                                      next();
                                                  });
                                              },
                                              [&](const ir::ConditionalBlock& conditional) {
                                                  return std::ranges::any_of(conditional.branches, [&](const ir::Branch& branch) {
                                                      return seek(branch.body, next);
                                                  });
                                              },
                                              [](const ir::BreakBlock&) { return false; },
                                              [](const ir::ContinueBlock&) { return false; },
                                              [](const ir::ReturnBlock&) { return false; },
                                              [&](const ir::NamedRegion& named) { return seek(named.body, next); },
                                          },
                                          block.kind);
            if (found) return true;
        }
        return false;
    }
    void successors(const ir::Region& region, ir::BlockId of, const std::function<void()>& leave) {
        bool always = false;
        for (auto [id, transition] : region.transitions) {
            if (transition.src != of) continue;
            always |= transition.condition.text.empty();
            begin(region, transition.dst, leave);
        }
        if (!always) leave();
    }
    void enter(const ir::Region& region, const std::function<void()>& leave) {
        if (region.start.valid() && region.blocks.contains(region.start))
            begin(region, region.start, leave);
        else
            leave();
    }
    void begin(const ir::Region& region, ir::BlockId id, const std::function<void()>& leave) {
        const ir::Block& block = region.blocks[id];
        if (!seen_.insert(&block).second) return;
        const auto next = [&] { successors(region, id, leave); };
        std::visit(Overloaded{
                       [&](const Cow<ir::State>& state) { states.insert(&*state); },
                       [&](const ir::LoopRegion& loop) {
                           enter(loop.body, next);
                           next();
                       },
                       [&](const ir::ConditionalBlock& conditional) {
                           for (const ir::Branch& branch : conditional.branches) enter(branch.body, next);
                           next();
                       },
                       [&](const ir::BreakBlock&) { uncertain(); },
                       [&](const ir::ContinueBlock&) { uncertain(); },
                       [](const ir::ReturnBlock&) {},
                       [&](const ir::NamedRegion& named) { enter(named.body, next); },
                   },
                   block.kind);
    }
    void uncertain() { jumps = true; }

    const ir::Region& target_;
    ir::BlockId block_;
    std::set<const ir::Block*> seen_;

public:
    bool jumps = false;
};

}  // namespace

bool observed_outside(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const std::string& container,
                      const symbolic::Assumptions& known) {
    if (!UsesOutside(sdfg, region, block, container, false).in(sdfg.body)) return false;
    // Control flow reads it: nothing more is tried.
    bool steers = false;
    ir::for_each_region(sdfg.body, [&](const ir::Region& each) {
        ir::for_each_code(
            each, [&](const ir::CodeBlock& statement) { steers = steers || mentions(std::optional(statement), container); },
            [&](const std::string& expression) { steers = steers || mentions(expression, container); });
    });
    if (steers) return true;
    const After after(sdfg, region, block);
    if (after.jumps) return true;
    const LiveSets live = live_in(sdfg, known);
    return std::ranges::any_of(after.states, [&](const ir::State* state) {
        const auto at = live.find(state);
        return at == live.end() || std::ranges::find(at->second, container) != at->second.end();
    });
}

bool symbol_observed_outside(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const std::string& symbol) {
    return UsesOutside(sdfg, region, block, symbol, true).in(sdfg.body);
}

}  // namespace sluice::analysis
