// Two graphs: declarations by name, blocks by label, transitions by the blocks that they join.
#include <algorithm>
#include <array>
#include <map>

#include "ir/difference/compare.h"
#include "ir/text.h"

namespace sluice::ir {

namespace difference {

namespace {

std::string_view kind_of(const Block& block) {
    static constexpr std::array<std::string_view, std::variant_size_v<decltype(Block::kind)>> kNames{
        "state", "loop", "conditional", "break", "continue", "return", "region"};
    return kNames[block.kind.index()];
}

std::string_view kind_of(const Container& container) {
    static constexpr std::array<std::string_view, std::variant_size_v<decltype(Container::kind)>> kNames{
        "array", "scalar", "stream", "structure", "array of containers", "foreign container"};
    return kNames[container.kind.index()];
}

const Container& container_in(const Cow<Container>& container) {
    return *container;
}
const Container& container_in(const Container& container) {
    return container;
}

class GraphComparison {
public:
    explicit GraphComparison(Findings& findings) : findings_(findings) {}

    void run(const Sdfg& before, const Sdfg& after) {
        compare(findings_, "", "the name", before.name, after.name);
        compare(findings_, "", "the list of arguments", before.arg_names, after.arg_names);
        compare_fields(findings_, "", before, after);
        by_name("symbol", before.symbols, after.symbols, [&](const std::string& leaf, const DType& one, const DType& other) {
            compare(findings_, leaf, "the type", one, other);
        });
        declared("container", before.containers, after.containers);
        constants(before.constants, after.constants);
        const auto codes = [&](const char* what, const auto& one, const auto& other) {
            by_name(what, one, other, [&](const std::string& leaf, const CodeBlock& was, const CodeBlock& is) {
                compare(findings_, leaf, "the code", was, is);
            });
        };
        codes("global_code", before.global_code, after.global_code);
        codes("init_code", before.init_code, after.init_code);
        codes("exit_code", before.exit_code, after.exit_code);
        regions(before.body, after.body);
    }

private:
    template <class Map, class Both> void by_name(const std::string& what, const Map& before, const Map& after, Both&& both) {
        const auto find = [](const Map& map, const std::string& name) {
            return std::ranges::find_if(map, [&](const auto& entry) { return entry.first == name; });
        };
        for (const auto& [name, one] : before) {
            const auto other = find(after, name);
            if (other == after.end())
                findings_.add(what + " " + name, "the " + what + " is gone");
            else
                both(what + " " + name, one, other->second);
        }
        for (const auto& [name, other] : after)
            if (find(before, name) == before.end()) findings_.add(what + " " + name, "the " + what + " is new");
    }

    // ---- declarations -----------------------------------------------------------------------------------------------------
    template <class Containers> void declared(const std::string& what, const Containers& before, const Containers& after) {
        by_name(what, before, after, [&](const std::string& leaf, const auto& one, const auto& other) {
            containers(leaf, container_in(one), container_in(other));
        });
    }
    void containers(const std::string& leaf, const Container& before, const Container& after) {
        if (before.kind.index() != after.kind.index())
            return findings_.add(leaf,
                                 "the kind is " + std::string(kind_of(after)) + " instead of " + std::string(kind_of(before)));
        compare_fields(findings_, leaf, before, after);
        compare(findings_, leaf, "the binding", before.binding, after.binding);
        const auto same_kind = [&]<class Kind>(const Kind& kind) {
            const Kind& changed = std::get<Kind>(after.kind);
            compare_fields(findings_, leaf, kind, changed);
            if constexpr (std::is_same_v<Kind, Structure>) {
                findings_.place.push_back(leaf);
                declared("member", kind.members, changed.members);
                findings_.place.pop_back();
            }
            if constexpr (std::is_same_v<Kind, ContainerArray>) {
                compare_fields(findings_, leaf, kind.layout, changed.layout);
                if (kind.element && changed.element) containers(leaf + "[]", **kind.element, **changed.element);
                if (kind.element.has_value() != changed.element.has_value())
                    findings_.add(leaf, changed.element ? "the element is new" : "the element is gone");
            }
        };
        std::visit(same_kind, before.kind);
    }
    void constants(const OrderedMap<Constant>& before, const OrderedMap<Constant>& after) {
        by_name("constant", before, after, [&](const std::string& leaf, const Constant& one, const Constant& other) {
            containers(leaf, one.container, other.container);
            Constant values = other;
            values.container = one.container;
            if (!(values == one)) findings_.add(leaf, "the values differ");
        });
    }

    // ---- control flow -----------------------------------------------------------------------------------------------------
    static std::string label_in(const Region& region, BlockId id) {
        return region.blocks.contains(id) ? region.blocks[id].label : id.valid() ? "@" + std::to_string(id.value) : "none";
    }

    /// By label; among blocks of one label, by order.
    void regions(const Region& before, const Region& after) {
        std::map<std::string, std::vector<BlockId>> free;
        for (auto [id, block] : after.blocks) free[block.label].push_back(id);
        for (auto [id, block] : before.blocks) {
            auto& candidates = free[block.label];
            if (candidates.empty()) {
                findings_.add(block.label, "the " + std::string(kind_of(block)) + " is gone");
                continue;
            }
            blocks(block, after.blocks[candidates.front()]);
            candidates.erase(candidates.begin());
        }
        for (const auto& [label, ids] : free)
            for (BlockId id : ids) findings_.add(label, "the " + std::string(kind_of(after.blocks[id])) + " is new");
        compare(findings_, "", "the start", label_in(before, before.start), label_in(after, after.start));
        transitions(before, after);
    }

    void transitions(const Region& before, const Region& after) {
        const auto name = [](const Region& region, const Transition& transition) {
            return label_in(region, transition.src) + " -> " + label_in(region, transition.dst);
        };
        std::map<std::string, std::vector<const Transition*>> free;
        for (auto [id, transition] : after.transitions) free[name(after, transition)].push_back(&transition);
        for (auto [id, transition] : before.transitions) {
            const std::string leaf = name(before, transition);
            auto& candidates = free[leaf];
            if (candidates.empty()) {
                findings_.add(leaf, "the transition is gone");
                continue;
            }
            const Transition& other = *candidates.front();
            candidates.erase(candidates.begin());
            compare(findings_, leaf, "the condition", transition.condition, other.condition);
            const std::map<std::string, std::string> one(transition.assignments.begin(), transition.assignments.end()),
                changed(other.assignments.begin(), other.assignments.end());
            compare(findings_, leaf, "the list of assignments", one, changed);
        }
        for (const auto& [leaf, rest] : free)
            for (std::size_t at = 0; at < rest.size(); ++at) findings_.add(leaf, "the transition is new");
    }

    void blocks(const Block& before, const Block& after) {
        if (before.kind.index() != after.kind.index())
            return findings_.add(before.label,
                                 "the kind is " + std::string(kind_of(after)) + " instead of " + std::string(kind_of(before)));
        findings_.place.push_back(before.label);
        const auto same_kind = [&]<class Kind>(const Kind& kind) {
            const Kind& changed = std::get<Kind>(after.kind);
            if constexpr (std::is_same_v<Kind, Cow<State>>) compare_states(findings_, *kind, *changed);
            if constexpr (requires { Kind::fields(); }) compare_fields(findings_, "", kind, changed);
            if constexpr (requires { kind.body; }) regions(kind.body, changed.body);
            if constexpr (std::is_same_v<Kind, ConditionalBlock>) branches(kind, changed);
        };
        std::visit(same_kind, before.kind);
        findings_.place.pop_back();
    }

    void branches(const ConditionalBlock& before, const ConditionalBlock& after) {
        if (before.branches.size() != after.branches.size())
            findings_.add("", "there are " + std::to_string(after.branches.size()) + " branches instead of " +
                                  std::to_string(before.branches.size()));
        for (std::size_t at = 0; at < std::min(before.branches.size(), after.branches.size()); ++at) {
            findings_.place.push_back("branch " + std::to_string(at));
            compare(findings_, "", "the condition", before.branches[at].condition, after.branches[at].condition);
            regions(before.branches[at].body, after.branches[at].body);
            findings_.place.pop_back();
        }
    }

    Findings& findings_;
};

}  // namespace

void compare_sdfgs(Findings& findings, const Sdfg& before, const Sdfg& after) {
    findings.place.push_back(before.name);
    GraphComparison(findings).run(before, after);
    findings.place.pop_back();
}

}  // namespace difference

std::vector<Difference> differences(const Sdfg& before, const Sdfg& after) {
    difference::Findings findings;
    difference::compare_sdfgs(findings, before, after);
    return std::move(findings.list);
}

}  // namespace sluice::ir
