#include "rewrite/place.h"

#include <fmt/format.h>

#include <optional>

#include "analysis/loop_range.h"
#include "analysis/nesting.h"
#include "analysis/scopes.h"
#include "analysis/symbols.h"
#include "code/walk.h"

namespace sluice::rewrite {

namespace {

template <class Block> auto& body_of(Block& block, std::uint32_t branch) {
    using Body = std::conditional_t<std::is_const_v<Block>, const ir::Region, ir::Region>;
    Body* body = std::visit(
        [&](auto& kind) -> Body* {
            if constexpr (requires { kind.branches; })
                return branch < kind.branches.size() ? &kind.branches[branch].body : nullptr;
            else if constexpr (requires { kind.body; })
                return &kind.body;
            else
                return nullptr;
        },
        block.kind);
    check(body != nullptr, "block ", block.label, " has no region ", branch);
    return *body;
}

template <class Region> Region& descend(Region& region, const std::vector<RegionStep>& steps) {
    Region* at = &region;
    for (const RegionStep& step : steps) at = &body_of(at->blocks[step.block], step.branch);
    return *at;
}

void visit_regions(Place& place, const ir::Region& region, const std::function<void(const Place&, const ir::Region&)>& visit);

void visit_nested(Place& place, ir::BlockId block, const ir::State& state,
                  const std::function<void(const Place&, const ir::Region&)>& visit) {
    for (const auto& [id, node] : state.nodes) {
        const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
        if (!nested) continue;
        Place inner;
        inner.nested = place.nested;
        inner.nested.push_back({place.regions, block, id});
        visit_regions(inner, nested->sdfg->body, visit);
    }
}

void visit_regions(Place& place, const ir::Region& region, const std::function<void(const Place&, const ir::Region&)>& visit) {
    visit(place, region);
    for (const auto& [id, block] : region.blocks) {
        const auto enter = [&, id = id](const ir::Region& body, std::uint32_t branch) {
            place.regions.push_back({id, branch});
            visit_regions(place, body, visit);
            place.regions.pop_back();
        };
        std::visit(code::Overloaded{
                       [&, id = id](const Cow<ir::State>& state) { visit_nested(place, id, *state, visit); },
                       [&](const ir::LoopRegion& loop) { enter(loop.body, 0); },
                       [&](const ir::NamedRegion& named) { enter(named.body, 0); },
                       [&](const ir::ConditionalBlock& choice) {
                           for (std::uint32_t i = 0; i < choice.branches.size(); ++i) enter(choice.branches[i].body, i);
                       },
                       [](const auto&) {},
                   },
                   block.kind);
    }
}

/// `label`, or `label#k` where others bear it too: it is the k-th of those.
std::string numbered(std::string_view label, std::size_t position, std::size_t count) {
    return count > 1 ? fmt::format("{}#{}", label, position) : std::string(label);
}

/// The label of a node, of an exit its entry's.
std::string_view plain_name(const ir::State& state, ir::NodeId id) {
    return std::visit(code::Overloaded{
                          [](const ir::Access& access) -> std::string_view { return access.data; },
                          [&](const ir::MapExit& exit) { return plain_name(state, exit.entry); },
                          [&](const ir::ConsumeExit& exit) { return plain_name(state, exit.entry); },
                          [](const auto& other) -> std::string_view { return other.label; },
                      },
                      state.nodes[id].kind);
}

bool is_nested(const ir::Node& node) {
    return std::holds_alternative<ir::NestedSdfg>(node.kind);
}

[[noreturn]] void fail_place(const std::string& path, const std::string& name, const std::string& present) {
    fail({.code = "E004",
          .message = fmt::format("`{}` names nothing here", name),
          .where = {},
          .path = path,
          .remedy = present.empty() ? "there is nothing to name at this place" : "use one of the names that are here: " + present,
          .notes = {}});
}

/// Walks the names of a path from the root.
class Walk {
public:
    explicit Walk(const ir::Sdfg& root) : region_(&root.body) {}

    void enter(std::string_view name, const std::string& before) {
        if (place_.state.valid())
            enter_nested(name, before);
        else
            enter_block(name, before);
    }
    Place place() && { return std::move(place_); }

private:
    void enter_block(std::string_view name, const std::string& before) {
        std::uint32_t branch = 0;
        std::string label(name);
        if (const auto bracket = name.find('['); bracket != std::string_view::npos && name.back() == ']') {
            label = std::string(name.substr(0, bracket));
            branch = static_cast<std::uint32_t>(std::strtoul(std::string(name.substr(bracket + 1)).c_str(), nullptr, 10));
        }
        std::string present;
        for (const auto& [id, block] : region_->blocks) {
            const std::string here = name_of(*region_, id);
            present += (present.empty() ? "" : ", ") + here;
            if (here != label) continue;
            if (const ir::State* state = ir::as_state(block)) {
                place_.state = id;
                state_ = state;
                return;
            }
            const auto* choice = std::get_if<ir::ConditionalBlock>(&block.kind);
            const bool opens =
                choice ? branch < choice->branches.size()
                       : std::holds_alternative<ir::LoopRegion>(block.kind) || std::holds_alternative<ir::NamedRegion>(block.kind);
            if (!opens) break;
            place_.regions.push_back({id, branch});
            region_ = &body_of(block, branch);
            return;
        }
        fail_place(before, std::string(name), present);
    }

    void enter_nested(std::string_view name, const std::string& before) {
        std::string present;
        for (const auto& [id, node] : state_->nodes) {
            if (!is_nested(node)) continue;
            const std::string here = name_of(*state_, id, is_nested);
            present += (present.empty() ? "" : ", ") + here;
            if (here != name) continue;
            place_.nested.push_back({std::move(place_.regions), place_.state, id});
            place_.regions.clear();
            place_.state = {};
            region_ = &std::get<ir::NestedSdfg>(node.kind).sdfg->body;
            return;
        }
        fail_place(before, std::string(name), present);
    }

    Place place_;
    const ir::Region* region_;
    const ir::State* state_ = nullptr;
};

}  // namespace

const ir::Sdfg& sdfg_at(const ir::Sdfg& root, const Place& place) {
    const ir::Sdfg* at = &root;
    for (const NestedStep& step : place.nested) {
        const ir::State* state = ir::as_state(descend(at->body, step.regions).blocks[step.state]);
        check(state != nullptr, "a place that leads through a block that is no state");
        at = &*std::get<ir::NestedSdfg>(state->nodes[step.node].kind).sdfg;
    }
    return *at;
}

namespace {

const ir::Region* find_inside(const ir::Region* region, const std::vector<RegionStep>& steps) {
    for (const RegionStep& step : steps) {
        if (!region->blocks.contains(step.block)) return nullptr;
        const std::vector<const ir::Region*> inside = bodies(region->blocks[step.block]);
        if (step.branch >= inside.size()) return nullptr;
        region = inside[step.branch];
    }
    return region;
}

const ir::State* find_in(const ir::Region* region, ir::BlockId block) {
    return region && region->blocks.contains(block) ? ir::as_state(region->blocks[block]) : nullptr;
}

}  // namespace

const ir::Sdfg* find_sdfg(const ir::Sdfg& root, const Place& place) {
    const ir::Sdfg* at = &root;
    for (const NestedStep& step : place.nested) {
        const ir::State* state = find_in(find_inside(&at->body, step.regions), step.state);
        if (!state || !state->nodes.contains(step.node)) return nullptr;
        const auto* nested = std::get_if<ir::NestedSdfg>(&state->nodes[step.node].kind);
        if (!nested) return nullptr;
        at = &*nested->sdfg;
    }
    return at;
}

const ir::Region* find_region(const ir::Sdfg& root, const Place& place) {
    const ir::Sdfg* sdfg = find_sdfg(root, place);
    return sdfg ? find_inside(&sdfg->body, place.regions) : nullptr;
}

const ir::State* find_state(const ir::Sdfg& root, const Place& place) {
    return find_in(find_region(root, place), place.state);
}

std::vector<const ir::Region*> bodies(const ir::Block& block) {
    std::vector<const ir::Region*> found;
    std::visit(code::Overloaded{
                   [&](const ir::LoopRegion& loop) { found.push_back(&loop.body); },
                   [&](const ir::NamedRegion& named) { found.push_back(&named.body); },
                   [&](const ir::ConditionalBlock& choice) {
                       for (const ir::Branch& branch : choice.branches) found.push_back(&branch.body);
                   },
                   [](const auto&) {},
               },
               block.kind);
    return found;
}

ir::Sdfg& sdfg_at(ir::Sdfg& root, const Place& place) {
    ir::Sdfg* at = &root;
    for (const NestedStep& step : place.nested) {
        ir::State* state = ir::as_state(descend(at->body, step.regions).blocks[step.state]);
        check(state != nullptr, "a place that leads through a block that is no state");
        at = &std::get<ir::NestedSdfg>(state->nodes[step.node].kind).sdfg.edit();
    }
    return *at;
}

namespace {

/// In the bodies of the loops on the way.
void assume_loops(symbolic::Assumptions& known, const ir::Region& region, const std::vector<RegionStep>& steps) {
    const ir::Region* at = &region;
    for (const RegionStep& step : steps) {
        const ir::Block& block = at->blocks[step.block];
        if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind))
            if (const auto range = analysis::loop_range(*loop)) analysis::assume_in(known, loop->variable, *range);
        at = bodies(block)[step.branch];
    }
}

}  // namespace

symbolic::Assumptions assumptions_at(const ir::Sdfg& root, const Place& place) {
    const ir::Sdfg* at = &root;
    symbolic::Assumptions known = analysis::assumptions_of(root);
    for (const NestedStep& step : place.nested) {
        const ir::State* state = ir::as_state(descend(at->body, step.regions).blocks[step.state]);
        check(state != nullptr, "a place that leads through a block that is no state");
        assume_loops(known, at->body, step.regions);
        const analysis::ScopeTree scopes(*state, ir::Adjacency(*state));
        const auto& nested = std::get<ir::NestedSdfg>(state->nodes[step.node].kind);
        known = analysis::assumptions_inside(nested, analysis::assumptions_in(*state, scopes, scopes.parent(step.node), known));
        at = &*nested.sdfg;
    }
    return known;
}

bool any_call_around(const ir::Sdfg& root, const Place& place,
                     const std::function<bool(const ir::State&, const analysis::ScopeTree&, ir::NodeId)>& holds) {
    Place caller;
    for (const NestedStep& step : place.nested) {
        caller.regions = step.regions;
        caller.state = step.state;
        const ir::State& state = state_at(root, caller);
        if (holds(state, analysis::ScopeTree(state, ir::Adjacency(state)), step.node)) return true;
        caller.nested.push_back(step);
    }
    return false;
}

const ir::Region& region_at(const ir::Sdfg& root, const Place& place) {
    return descend(sdfg_at(root, place).body, place.regions);
}

ir::Region& region_at(ir::Sdfg& root, const Place& place) {
    return descend(sdfg_at(root, place).body, place.regions);
}

const ir::State& state_at(const ir::Sdfg& root, const Place& place) {
    const ir::State* state = ir::as_state(region_at(root, place).blocks[place.state]);
    check(state != nullptr, "a place whose block is no state");
    return *state;
}

ir::State& state_at(ir::Sdfg& root, const Place& place) {
    ir::State* state = ir::as_state(region_at(root, place).blocks[place.state]);
    check(state != nullptr, "a place whose block is no state");
    return *state;
}

void for_each_region(const ir::Sdfg& root, const std::function<void(const Place&, const ir::Region&)>& visit) {
    Place place;
    visit_regions(place, root.body, visit);
}

std::string name_of(const ir::Region& region, ir::BlockId block) {
    const std::string& label = region.blocks[block].label;
    std::size_t count = 0, position = 0;
    for (const auto& [id, other] : region.blocks) {
        if (other.label != label) continue;
        ++count;
        if (id == block) position = count;
    }
    return numbered(label, position, count);
}

std::string bare_name(const ir::State& state, ir::NodeId id) {
    return std::string(plain_name(state, id));
}

std::string name_of(const ir::State& state, ir::NodeId node, const std::function<bool(const ir::Node&)>& among) {
    const std::string_view label = plain_name(state, node);
    std::size_t count = 0, position = 0;
    for (const auto& [id, other] : state.nodes) {
        if (!among(other) || plain_name(state, id) != label) continue;
        ++count;
        if (id == node) position = count;
    }
    return numbered(label, position, count);
}

std::string to_string(const ir::Sdfg& root, const Place& place) {
    std::string text;
    const auto add = [&](const std::string& name) { text += (text.empty() ? "" : "/") + name; };
    const auto add_regions = [&](const ir::Region* region, const std::vector<RegionStep>& steps) {
        for (const RegionStep& step : steps) {
            const ir::Block& block = region->blocks[step.block];
            const bool choice = std::holds_alternative<ir::ConditionalBlock>(block.kind);
            add(name_of(*region, step.block) + (choice ? fmt::format("[{}]", step.branch) : ""));
            region = &body_of(block, step.branch);
        }
        return region;
    };
    const ir::Sdfg* sdfg = &root;
    for (const NestedStep& step : place.nested) {
        const ir::Region* region = add_regions(&sdfg->body, step.regions);
        add(name_of(*region, step.state));
        const ir::State& state = *ir::as_state(region->blocks[step.state]);
        add(name_of(state, step.node, is_nested));
        sdfg = &*std::get<ir::NestedSdfg>(state.nodes[step.node].kind).sdfg;
    }
    const ir::Region* region = add_regions(&sdfg->body, place.regions);
    if (place.state.valid()) add(name_of(*region, place.state));
    return text;
}

Result<Place> find_place(const ir::Sdfg& root, std::string_view path) {
    return capture([&] {
        Walk walk(root);
        std::size_t begin = 0;
        while (begin < path.size()) {
            const std::size_t end = std::min(path.find('/', begin), path.size());
            walk.enter(path.substr(begin, end - begin), root.name + "/" + std::string(path.substr(0, begin)));
            begin = end + 1;
        }
        return std::move(walk).place();
    });
}

}  // namespace sluice::rewrite
